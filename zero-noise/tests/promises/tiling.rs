//! Tiled noises repeat to the bit, and are the open noises wherever no border is near.

use zero_noise::*;

/// Multiples of 2^-8 in a tile and around it, which stay exact when a period is added.
fn places() -> impl Iterator<Item = [f32; 3]> {
    let state = Scope::new(3).text("tiling").state();
    (0..4000_u32).map(move |i| {
        std::array::from_fn(|d| {
            let x = (draw(state, 3 * i + d as u32) * 4096.0 - 1024.0).floor() / 256.0;
            // A third of the coordinates on the border itself.
            if finish(i ^ d as u32).is_multiple_of(3) { 0.0 } else { x }
        })
    })
}

type Tile = fn(f32, f32, f32, [u32; 3]) -> Vec<u32>;

fn cell(cell: Cellular) -> Vec<u32> {
    vec![cell.f1.to_bits(), cell.f2.to_bits(), cell.id]
}

const TILES: [(&str, Tile); 12] = [
    ("value2", |x, y, _, [p, q, _]| {
        vec![value2_tiled(4, x, y, [p, q]).to_bits()]
    }),
    ("value3", |x, y, z, p| vec![value3_tiled(4, x, y, z, p).to_bits()]),
    ("gradient2", |x, y, _, [p, q, _]| {
        vec![gradient2_tiled(4, x, y, [p, q]).to_bits()]
    }),
    ("gradient3", |x, y, z, p| vec![gradient3_tiled(4, x, y, z, p).to_bits()]),
    ("fbm2", |x, y, _, [p, q, _]| {
        vec![fbm2_tiled(4, x, y, 6, [p, q]).to_bits()]
    }),
    ("fbm3", |x, y, z, p| vec![fbm3_tiled(4, x, y, z, 6, p).to_bits()]),
    ("cellular2", |x, y, _, [p, q, _]| {
        cell(cellular2_tiled(4, x, y, Metric::Euclidean, [p, q]))
    }),
    ("cellular3", |x, y, z, p| {
        cell(cellular3_tiled(4, x, y, z, Metric::Manhattan, p))
    }),
    ("ridged2", |x, y, _, [p, q, _]| {
        vec![ridged2_tiled(4, x, y, 6, [p, q]).to_bits()]
    }),
    ("ridged3", |x, y, z, p| vec![ridged3_tiled(4, x, y, z, 6, p).to_bits()]),
    ("warped2", |x, y, _, [p, q, _]| {
        vec![warped2_tiled(4, x, y, 4, 2.3, [p, q]).to_bits()]
    }),
    ("warped3", |x, y, z, p| {
        vec![warped3_tiled(4, x, y, z, 4, 2.3, p).to_bits()]
    }),
];

#[test]
fn edges_of_a_tile_are_equal_to_the_bit() {
    for periods in [[1, 2, 3], [7, 16, 5], [0, 100, 1], [256, 0, 0], [3, 3, 4096]] {
        let [p, q, r] = periods.map(|period| period as f32);
        for [x, y, z] in places() {
            for (name, tile) in TILES {
                let here = tile(x, y, z, periods);
                for there in [
                    [x + p, y, z],
                    [x, y - q, z],
                    [x, y, z + 3.0 * r],
                    [x - 2.0 * p, y + q, z - r],
                ] {
                    let [a, b, c] = there;
                    assert_eq!(
                        tile(a, b, c, periods),
                        here,
                        "{name} of {periods:?}: {there:?} is not {x} {y} {z}"
                    );
                }
            }
        }
    }
}

/// A tile that only claims to have a period would be equal at its edges if it were the same everywhere.
#[test]
fn tiles_vary_within_their_period() {
    for (name, tile) in TILES {
        let values: std::collections::BTreeSet<_> = (0..35)
            .map(|i| tile(i as f32 * 0.2 + 0.1, 0.3, 0.7, [7, 7, 7]))
            .collect();
        assert!(values.len() > 30, "{name}: {} values of 35", values.len());
    }
}

#[test]
fn without_periods_a_tile_is_the_open_noise() {
    for [x, y, z] in places() {
        let open: [Vec<u32>; 12] = [
            vec![value2(4, x, y).to_bits()],
            vec![value3(4, x, y, z).to_bits()],
            vec![gradient2(4, x, y).to_bits()],
            vec![gradient3(4, x, y, z).to_bits()],
            vec![fbm2(4, x, y, 6).to_bits()],
            vec![fbm3(4, x, y, z, 6).to_bits()],
            cell(cellular2(4, x, y, Metric::Euclidean)),
            cell(cellular3(4, x, y, z, Metric::Manhattan)),
            vec![ridged2(4, x, y, 6).to_bits()],
            vec![ridged3(4, x, y, z, 6).to_bits()],
            vec![warped2(4, x, y, 4, 2.3).to_bits()],
            vec![warped3(4, x, y, z, 4, 2.3).to_bits()],
        ];
        for ((name, tile), open) in TILES.iter().zip(open) {
            assert_eq!(tile(x, y, z, [0; 3]), open, "{name} at {x} {y} {z}");
        }
        // Away from the borders the cells are the same.
        if [x, y, z].iter().all(|x| (0.0..14.0).contains(x)) {
            assert_eq!(value3_tiled(4, x, y, z, [15; 3]), value3(4, x, y, z));
            assert_eq!(gradient2_tiled(4, x, y, [15; 2]), gradient2(4, x, y));
        }
    }
}

/// The octaves that a large period leaves out are left out of the sum of the amplitudes too.
#[test]
fn octaves_finer_than_the_lattice_are_left_out() {
    for x in [0.37, 1000.25, 65_535.5] {
        assert_eq!(
            fbm2_tiled(1, x, 0.5, 16, [65_536, 0]),
            fbm2_tiled(1, x, 0.5, 7, [65_536, 0])
        );
        assert_ne!(
            fbm2_tiled(1, x, 0.5, 7, [65_536, 0]),
            fbm2_tiled(1, x, 0.5, 6, [65_536, 0])
        );
        assert_eq!(
            fbm2_tiled(1, x, 0.5, 4, [u32::MAX, 0]),
            fbm2_tiled(1, x, 0.5, 1, [1 << 22, 0])
        );
    }
}
