//! Columns made from nothing, and lanes copied.

use zero_compute::kernels::{Lattice, copy_lanes, fan, grid_faces, lattice, ramp};
use zero_compute::{Domain, Error};

use crate::{Bits, Random, check_all, check_once, devices_once, live, live_counts, sizes};

#[test]
pub(crate) fn a_ramp_counts_and_wraps() {
    for n in sizes() {
        for (start, step) in [(0, 1), (7, -3), (i32::MAX - 2, 5)] {
            let expected: Vec<i32> = (0..i64::from(n))
                .map(|i| (i64::from(start) + i * step) as i32)
                .collect();
            check_all(&format!("ramp {n}"), &[expected.to_words()], |_, rec| {
                vec![ramp(rec, Domain::count(n), start, step as i32).unwrap()]
            });
        }
    }
    for count in live_counts(300) {
        let expected: Vec<i32> = (0..300).map(|i| if (i as u32) < count { i } else { -1 }).collect();
        check_all("live ramp", &[expected.to_words()], |device, rec| {
            let count = device.upload(&[count], 1).unwrap();
            vec![ramp(rec, Domain::live(&count, 300), 0, 1).unwrap()]
        });
    }
}

#[test]
pub(crate) fn a_lattice_is_a_product_and_a_sum_each_rounded() {
    let mut random = Random(1);
    for counts in [[0, 3, 3], [1, 1, 1], [17, 5, 3], [257, 1, 255], [41, 40, 41]] {
        let origin = [random.float(), random.float(), random.float()];
        let spacing = [random.float(), 0.1, random.float()];
        let mut expected = Vec::new();
        for z in 0..counts[2] {
            for y in 0..counts[1] {
                for x in 0..counts[0] {
                    for (lane, at) in [x, y, z].into_iter().enumerate() {
                        let step = spacing[lane] * at as f32;
                        expected.push(origin[lane] + step);
                    }
                }
            }
        }
        check_all(&format!("lattice {counts:?}"), &[expected.to_words()], |_, rec| {
            vec![
                lattice(
                    rec,
                    Lattice {
                        counts,
                        origin,
                        spacing,
                    },
                )
                .unwrap(),
            ]
        });
    }
}

#[test]
fn a_lattice_refuses_what_is_not_finite_or_too_many() {
    for (_, device) in devices_once() {
        let mut rec = device.record("refused");
        let not_finite = Lattice {
            spacing: [1.0, f32::NAN, 1.0],
            ..Lattice::default()
        };
        assert!(matches!(lattice(&mut rec, not_finite), Err(Error::Invalid { .. })));
        let too_many = Lattice {
            counts: [u32::MAX, u32::MAX, 2],
            ..Lattice::default()
        };
        assert!(matches!(lattice(&mut rec, too_many), Err(Error::TooMany { .. })));
        assert!(matches!(
            grid_faces(&mut rec, u32::MAX, u32::MAX),
            Err(Error::TooMany { .. })
        ));
    }
}

#[test]
pub(crate) fn grid_faces_cover_the_sheet_and_look_up() {
    for (count_x, count_z) in [(0, 4), (1, 9), (2, 2), (3, 5), (130, 67)] {
        let mut expected: Vec<i32> = Vec::new();
        for z in 0..i32::max(count_z - 1, 0) {
            for x in 0..i32::max(count_x - 1, 0) {
                let at = |dx: i32, dz: i32| (z + dz) * count_x + x + dx;
                expected.extend([at(0, 0), at(0, 1), at(1, 0), at(1, 0), at(0, 1), at(1, 1)]);
            }
        }
        for triangle in expected.chunks(3) {
            let [a, b, c] = [0, 1, 2].map(|k| [f64::from(triangle[k] % count_x), f64::from(triangle[k] / count_x)]);
            // The Y component of the cross product of two sides in the XZ plane.
            let up = (b[1] - a[1]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[1] - a[1]);
            assert!(up > 0.0, "{triangle:?} looks down");
        }
        check_all(
            &format!("grid {count_x} x {count_z}"),
            &[expected.to_words()],
            |_, rec| vec![grid_faces(rec, count_x as u32, count_z as u32).unwrap()],
        );
    }
}

#[test]
pub(crate) fn a_fan_closes_its_ring() {
    for ring in [0, 1, 2, 3, 7, 300] {
        let sides = if ring < 2 { 0 } else { ring };
        let expected: Vec<i32> = (0..sides).flat_map(|i| [5, 10 + i, 10 + (i + 1) % ring]).collect();
        check_all(&format!("fan {ring}"), &[expected.to_words()], |_, rec| {
            vec![fan(rec, 5, 10, ring as u32).unwrap()]
        });
    }
}

#[test]
pub(crate) fn lanes_are_copied_and_the_others_stand() {
    let mut random = Random(2);
    for n in sizes() {
        let (src, dst) = (random.floats(n * 3), random.floats(n * 5));
        for count in live_counts(n) {
            let mut expected = dst.clone();
            for i in 0..n as usize {
                for lane in 0..2 {
                    let value = if (i as u32) < count { src[i * 3 + 1 + lane] } else { 0.0 };
                    expected[i * 5 + 3 + lane] = value;
                }
            }
            check_once(
                &format!("copy_lanes {n} of {count}"),
                &[expected.to_words()],
                |device, rec| {
                    let to = device.upload(&dst, 5).unwrap();
                    let from = live(device, &device.upload(&src, 3).unwrap(), count);
                    copy_lanes(rec, &from, 1, &to, 3, 2).unwrap();
                    vec![to]
                },
            );
        }
    }
    for (name, device) in devices_once() {
        let (src, dst) = (
            device.upload(&[0u32; 6], 3).unwrap(),
            device.upload(&[0u32; 4], 2).unwrap(),
        );
        let error = copy_lanes(&mut device.record("refused"), &src, 2, &dst, 0, 2);
        assert!(matches!(error, Err(Error::WrongShape { .. })), "{name}: {error:?}");
    }
}

#[test]
fn a_dispatch_past_one_dimension_of_workgroups_covers_its_domain() {
    // 65 535 workgroups of 256 are the most of one dimension.
    let most = 65_535 * 256;
    for (name, device) in devices_once()
        .iter()
        .filter(|(name, _)| ["cpu of 2 threads", "software gpu"].contains(name))
    {
        for n in [most - 1, most, most + 1] {
            let mut rec = device.record("large");
            let made = ramp(&mut rec, Domain::count(n), 3, 1).unwrap();
            rec.finish().unwrap().submit().unwrap();
            let found = made.read::<i32>().unwrap().wait().unwrap();
            assert_eq!(found.len(), n as usize, "{name}");
            let wrong = found.iter().zip(3..).position(|(found, expected)| *found != expected);
            assert_eq!(wrong, None, "{name}: the first wrong element of {n}");
        }
    }
}
