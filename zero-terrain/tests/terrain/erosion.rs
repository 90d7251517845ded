//! Thermal erosion moves material and makes none.

use crate::common::{cook, cpu, devices, rugged};
use zero_compute::{Domain, args};
use zero_procgen::{Graph, inputs};
use zero_terrain::kernels::{FROM_FIXED, MAX_UNITS, THERMAL, TO_FIXED};
use zero_terrain::nodes as terrain;
use zero_terrain::{Heightfield, upload_heights};

#[test]
fn the_sum_of_the_units_stays_on_every_device() {
    let (width, rows) = (67u32, 43u32);
    let mut heights = rugged(width, rows);
    // Cliffs as high as the fixed point goes, beside pits as deep.
    (heights[70], heights[71]) = (16_383.0, -16_383.0);
    for (name, device) in devices() {
        let column = device.upload(&heights, 1).unwrap();
        let mut list = device.record("relax");
        let domain = || Domain::of(&column);
        let fixed = list
            .dispatch(&TO_FIXED, args! { heights: &column }, domain())
            .unwrap()
            .column("fixed")
            .unwrap();
        let mut now = fixed.clone();
        for _ in 0..30 {
            let given = args! { fixed: &now, width: width, rest_x: 40_000, rest_z: 90_000, rate: 16_384u32 };
            now = list
                .dispatch(&THERMAL, given, domain())
                .unwrap()
                .column("relaxed")
                .unwrap();
        }
        list.finish().unwrap().submit().unwrap();
        let read = |column: &zero_compute::Column| column.read::<i32>().unwrap().wait().unwrap();
        let sum = |units: &[i32]| units.iter().map(|unit| i64::from(*unit)).sum::<i64>();
        let (before, after) = (read(&fixed), read(&now));
        assert_eq!(sum(&before), sum(&after), "{name}");
        let moved = before.iter().zip(&after).filter(|(a, b)| a != b).count();
        assert!(moved > before.len() / 4, "{name}: {moved} samples moved");
        let within = |units: &[i32]| (*units.iter().min().unwrap(), *units.iter().max().unwrap());
        let ((low, high), (lower, higher)) = (within(&before), within(&after));
        assert!(lower >= low && higher <= high, "{name}: nothing overshoots");
    }
}

#[test]
fn the_node_keeps_the_sum_and_ends_at_the_angle_of_repose() {
    let device = cpu();
    // A cliff of 100 m, below 128 m so that every unit shows in a float.
    let heights: Vec<f32> = (0..40 * 12).map(|i| if i % 40 < 20 { 100.0 } else { 0.0 }).collect();
    let dem = upload_heights(&device, 40, 12, [10.0, 10.0], [0.0, 0.0], &heights).unwrap();
    let graph = Graph::define("relaxed", |g| {
        let steps = g.int("steps", 4_000);
        g.output(
            "land",
            g.add(terrain::Thermal::new(g.raster("dem")).steps(steps).talus_deg(30.0)),
        );
    })
    .unwrap();
    let land = |steps: i32| {
        let frame = cook(&device, &graph, inputs! { dem: dem.clone(), steps: steps }).unwrap();
        Heightfield::download(frame.raster("land").unwrap()).unwrap()
    };
    let units = |heights: &[f32]| {
        heights
            .iter()
            .map(|height| (f64::from(*height) * 65_536.0) as i64)
            .sum::<i64>()
    };
    let rested = land(4_000);
    assert_eq!(units(rested.heights_m()), units(&heights));
    let steepest = |ground: &Heightfield| {
        let rows = ground.heights_m().chunks(40);
        rows.flat_map(|row| row.windows(2).map(|pair| (pair[0] - pair[1]).abs()))
            .fold(0.0, f32::max)
    };
    let rest = 30f32.to_radians().tan() * 10.0;
    assert_eq!(steepest(&land(0)), 100.0);
    assert!(steepest(&land(1)) < 100.0 && steepest(&land(1)) > rest);
    assert!((steepest(&rested) - rest).abs() < 0.01, "{} {rest}", steepest(&rested));
    assert_eq!(land(0).heights_m(), heights, "0 steps leave the ground as it is");
}

#[test]
fn fixed_point_is_exact_both_ways_below_256_m_and_holds_at_its_end() {
    for (name, device) in devices() {
        let heights: Vec<f32> = (-4096..4096)
            .map(|i| i as f32 * 0.0613)
            .chain([16_383.996, 20_000.0, -20_000.0, 1075.3])
            .collect();
        let column = device.upload(&heights, 1).unwrap();
        let mut list = device.record("fixed");
        let fixed = list
            .dispatch(&TO_FIXED, args! { heights: &column }, Domain::of(&column))
            .unwrap()
            .column("fixed")
            .unwrap();
        let back = list
            .dispatch(&FROM_FIXED, args! { fixed: &fixed }, Domain::of(&fixed))
            .unwrap()
            .column("heights")
            .unwrap();
        list.finish().unwrap().submit().unwrap();
        let fixed = fixed.read::<i32>().unwrap().wait().unwrap();
        let back = back.read::<f32>().unwrap().wait().unwrap();
        for ((height, units), back) in heights.iter().zip(&fixed).zip(&back).take(8192) {
            assert_eq!(*units, (f64::from(*height) * 65_536.0 + 0.5).floor() as i32, "{name}");
            assert_eq!(*back, *units as f32 / 65_536.0, "{name}");
        }
        assert_eq!(fixed[8193..8195], [MAX_UNITS, -MAX_UNITS], "{name}");
        assert_eq!(back[8195], 1075.3, "{name}");
    }
}
