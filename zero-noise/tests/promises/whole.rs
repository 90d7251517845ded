//! The vectorisable floor and round have the bits of the standard library's.

use zero_noise::{floor, round};

#[test]
fn floor_and_round_have_the_bits_of_the_standard_library() {
    // Every exponent and sign with many significands; then the halves and their neighbours, where rounding turns.
    let strided = (0..=u32::MAX / 4093).map(|i| f32::from_bits(i * 4093));
    let halves = (-2000..2000).flat_map(|i| {
        let half = i as f32 * 0.5;
        [half, half.next_up(), half.next_down()]
    });
    let large = (8_388_600..8_388_620u32).flat_map(|i| [i as f32, i as f32 - 0.5, -(i as f32), 0.5 - i as f32]);
    for x in strided
        .chain(halves)
        .chain(large)
        .chain([0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY])
    {
        if x.is_nan() {
            assert!(floor(x).is_nan() && round(x).is_nan());
            continue;
        }
        assert_eq!(floor(x).to_bits(), x.floor().to_bits(), "floor of {x:e}");
        assert_eq!(round(x).to_bits(), x.round_ties_even().to_bits(), "round of {x:e}");
    }
}
