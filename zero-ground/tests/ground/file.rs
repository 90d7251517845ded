//! The density map's file: exact, and loud about every fault.

use proptest::prelude::*;
use zero_ground::glam::Vec2;
use zero_ground::{Density, DensityShape, Error, Texel};

fn map() -> Density {
    let shape = DensityShape::new(5, 3).with_texel_m(1.5).at(Vec2::new(-20.25, 7.0));
    let mut step = 0.0;
    let paint = |_| {
        step += 1.0;
        Texel::new(step / 15.0, 100.0 / step)
    };
    Density::from_fn(shape, paint).unwrap()
}

/// The file with words changed and its checksum made right again, so that the change itself is what is refused.
fn changed(words: &[(usize, u32)]) -> Vec<u8> {
    let mut bytes = map().to_bytes();
    for &(at, word) in words {
        bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
    }
    let end = bytes.len() - 4;
    let words = bytes[..end]
        .chunks_exact(4)
        .map(|four| u32::from_le_bytes(four.try_into().unwrap()));
    let sum = zero_noise::finish(words.fold(0x811c_9dc5, zero_noise::fold_u32));
    bytes[end..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

fn refusal(bytes: &[u8]) -> String {
    Density::from_bytes(bytes).unwrap_err().to_string()
}

#[test]
fn a_map_comes_back_to_the_bit() {
    let bytes = map().to_bytes();
    assert_eq!(bytes.len(), 32 + 15 * 8);
    let back = Density::from_bytes(&bytes).unwrap();
    assert_eq!(back, map());
    assert_eq!(back.to_bytes(), bytes);
    assert_eq!(changed(&[]), bytes);
}

/// Readers in other languages count on these places.
#[test]
fn the_file_is_laid_out_as_documented() {
    let bytes = map().to_bytes();
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    assert_eq!(&bytes[..4], b"ZGDM");
    assert_eq!([word(4), word(8), word(12)], [1, 5, 3]);
    assert_eq!([word(16), word(20), word(24)].map(f32::from_bits), [1.5, -20.25, 7.0]);
    assert_eq!(
        [word(28), word(32), word(36)].map(f32::from_bits),
        [1.0 / 15.0, 100.0, 2.0 / 15.0]
    );
}

#[test]
fn a_file_cut_short_anywhere_is_refused_and_so_is_a_longer_one() {
    let bytes = map().to_bytes();
    for length in 0..bytes.len() {
        assert!(
            matches!(Density::from_bytes(&bytes[..length]), Err(Error::File { .. })),
            "{length} bytes"
        );
    }
    assert_eq!(
        refusal(&bytes[..10]),
        "density map, byte 10: expected more bytes, got the end of the file"
    );
    assert_eq!(
        refusal(&bytes[..40]),
        "density map, byte 40: expected 152 bytes for 5 by 3 texels, got 40 bytes"
    );
    let longer = [bytes.as_slice(), &[0]].concat();
    assert_eq!(
        refusal(&longer),
        "density map, byte 152: expected 152 bytes for 5 by 3 texels, got 153 bytes"
    );
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let nan = f32::NAN.to_bits();
    for (words, text) in [
        (
            vec![(0, u32::from_le_bytes(*b"LGD2"))],
            "byte 0: expected `ZGDM`, got `LGD2`",
        ),
        (vec![(4, 2)], "byte 4: expected version 1, got 2"),
        (vec![(8, 0), (12, 0)], "byte 8: expected 1 to 8192 texels a side, got 0"),
        (vec![(12, 0)], "byte 12: expected 1 to 8192 texels a side, got 0"),
        (vec![(8, 8193)], "byte 8: expected 1 to 8192 texels a side, got 8193"),
        (
            vec![(8, u32::MAX), (12, u32::MAX)],
            "byte 8: expected 1 to 8192 texels a side, got 4294967295",
        ),
        (
            vec![(8, 8192), (12, 8192)],
            "byte 152: expected 536870944 bytes for 8192 by 8192 texels, got 152 bytes",
        ),
        (
            vec![(16, nan)],
            "byte 16: expected density texel_m of 0.01 to 1024 m, got NaN",
        ),
        (
            vec![(16, 0)],
            "byte 16: expected density texel_m of 0.01 to 1024 m, got 0",
        ),
        (
            vec![(20, f32::INFINITY.to_bits())],
            "byte 20: expected density corner_m.x of -1000000 to 1000000 m, got inf",
        ),
        (
            vec![(24, nan)],
            "byte 24: expected density corner_m.z of -1000000 to 1000000 m, got NaN",
        ),
        (vec![(36, nan)], "byte 36: expected a chance of 0 to 1, got NaN"),
        (vec![(40, nan)], "byte 40: expected a scale of 0 to 100, got NaN"),
        (
            vec![(36, 1.5_f32.to_bits())],
            "byte 36: expected a chance of 0 to 1, got 1.5",
        ),
        (
            vec![(40, (-1.0_f32).to_bits())],
            "byte 40: expected a scale of 0 to 100, got -1",
        ),
    ] {
        let found = refusal(&changed(&words));
        assert!(found.starts_with(&format!("density map, {text}")), "{found}");
    }
}

#[test]
fn any_flipped_bit_is_refused() {
    let bytes = map().to_bytes();
    for bit in 0..bytes.len() * 8 {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        assert!(Density::from_bytes(&flipped).is_err(), "bit {bit}");
    }
    let mut flipped = bytes;
    flipped[100] ^= 1;
    let text = refusal(&flipped);
    assert!(
        text.starts_with("density map, byte 148: expected the checksum 0x"),
        "{text}"
    );
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(tail in proptest::collection::vec(any::<u8>(), 0..200), headed: bool) {
        let mut bytes = if headed { map().to_bytes()[..28].to_vec() } else { Vec::new() };
        bytes.extend(tail);
        prop_assert!(Density::from_bytes(&bytes).is_err());
    }

    #[test]
    fn whatever_words_a_file_has_it_is_a_valid_map_or_refused(
        words in proptest::collection::vec((0_usize..37, any::<u32>()), 1..4),
    ) {
        let words: Vec<(usize, u32)> = words.into_iter().map(|(at, word)| (at * 4, word)).collect();
        let bytes = changed(&words);
        if let Ok(map) = Density::from_bytes(&bytes) {
            prop_assert_eq!(map.to_bytes(), bytes);
            for texel in map.texels() {
                prop_assert!((0.0..=1.0).contains(&texel.chance) && (0.0..=100.0).contains(&texel.scale));
            }
        }
    }
}
