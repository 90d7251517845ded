//! Columns laid end to end.

use zero_compute::kernels::concat;
use zero_compute::{Column, Error, Len};

use crate::{Bits, Random, check_all, devices_once, live, sizes};

#[test]
pub(crate) fn columns_are_laid_end_to_end() {
    let mut random = Random(71);
    for n in sizes() {
        let lanes = 1 + random.below(3);
        let lengths = [n, 0, random.below(n + 1), 1, 257];
        let floats: Vec<Vec<f32>> = lengths.iter().map(|&n| random.floats(n * lanes)).collect();
        let ints: Vec<Vec<i32>> = lengths.iter().map(|&n| random.ints(n)).collect();
        let words: Vec<Vec<u32>> = lengths.iter().map(|&n| random.words(n)).collect();
        check_all(
            &format!("concat {n}"),
            &[floats.concat().to_words(), ints.concat().to_words(), words.concat()],
            |device, rec| {
                let floats: Vec<Column> = floats.iter().map(|v| device.upload(v, lanes).unwrap()).collect();
                let ints: Vec<Column> = ints.iter().map(|v| device.upload(v, 1).unwrap()).collect();
                let words: Vec<Column> = words.iter().map(|v| device.upload(v, 1).unwrap()).collect();
                [floats, ints, words]
                    .map(|columns| concat(rec, &columns.iter().collect::<Vec<_>>()).unwrap())
                    .to_vec()
            },
        );
    }
}

#[test]
pub(crate) fn live_columns_leave_no_gaps() {
    let mut random = Random(72);
    for n in sizes() {
        let lanes = 1 + random.below(3);
        // None, some, all, more than there is room for; one column has no live count.
        let columns: Vec<(Vec<f32>, Option<u32>)> = [Some(0), Some(n / 2), None, Some(n), Some(n + 9)]
            .into_iter()
            .map(|count| (random.floats(n * lanes), count))
            .collect();
        let mut expected: Vec<f32> = Vec::new();
        for (values, count) in &columns {
            let live = count.unwrap_or(n).min(n);
            expected.extend(&values[..(live * lanes) as usize]);
        }
        let total = expected.len() as u32 / lanes;
        expected.resize((5 * n * lanes) as usize, 0.0);
        check_all(
            &format!("concat of live columns of {n} x {lanes}"),
            &[expected.to_words(), vec![total]],
            |device, rec| {
                let columns: Vec<Column> = columns
                    .iter()
                    .map(|(values, count)| {
                        let column = device.upload(values, lanes).unwrap();
                        count.map_or(column.clone(), |count| live(device, &column, count))
                    })
                    .collect();
                let joined = concat(rec, &columns.iter().collect::<Vec<_>>()).unwrap();
                let Len::Live { count, .. } = joined.len() else {
                    panic!("the result is not live")
                };
                vec![joined, count]
            },
        );
    }
}

#[test]
fn columns_that_do_not_fit_each_other_are_refused() {
    for (name, device) in devices_once() {
        let mut rec = device.record("refused");
        let (pairs, single) = (
            device.upload(&[0.0f32; 8], 2).unwrap(),
            device.upload(&[0.0f32; 8], 1).unwrap(),
        );
        let ints = device.upload(&[0i32; 8], 1).unwrap();
        let error = concat(&mut rec, &[]);
        assert!(matches!(error, Err(Error::Invalid { .. })), "{name}: {error:?}");
        let error = concat(&mut rec, &[&single, &pairs]);
        assert!(matches!(error, Err(Error::WrongShape { .. })), "{name}: {error:?}");
        let error = concat(&mut rec, &[&single, &ints]);
        assert!(matches!(error, Err(Error::WrongElement { .. })), "{name}: {error:?}");
    }
}
