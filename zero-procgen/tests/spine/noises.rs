//! The noises of graphs and documents are zero-noise's, to the bit, on both backends.

use crate::common::{devices, floats, play, still, whole};
use zero_noise::{
    Metric, cellular3, cellular3_tiled, fbm3, fbm3_slope, fbm3_tiled, gradient3, gradient3_slope, gradient3_tiled,
    ridged3, simplex3, value3, value3_slope, value3_tiled, warp3, warped3,
};
use zero_procgen::nodes::{field, mesh};
use zero_procgen::{Class, Document, Graph, Registry, inputs, vec3};

/// A node of each noise at the input `at`, every input of it given.
const DOCUMENT: &str = r#"{
  "version": 1,
  "name": "noises",
  "inputs": { "at": { "type": "Vec3", "default": [0.5, 1.5, -2.25] } },
  "nodes": {
    "noise": { "node": "field.noise", "inputs": { "position": { "input": "at" }, "seed": 3 } },
    "noiseSlope": { "node": "field.noise_slope", "inputs": { "position": { "input": "at" }, "seed": 3 } },
    "noiseTiled": { "node": "field.noise_tiled",
      "inputs": { "position": { "input": "at" }, "seed": 3, "periodX": 2, "periodY": 3, "periodZ": 5 } },
    "value": { "node": "field.value", "inputs": { "position": { "input": "at" }, "seed": -4 } },
    "valueSlope": { "node": "field.value_slope", "inputs": { "position": { "input": "at" }, "seed": 4 } },
    "valueTiled": { "node": "field.value_tiled",
      "inputs": { "position": { "input": "at" }, "seed": 4, "periodX": 2, "periodY": 3, "periodZ": 5 } },
    "simplex": { "node": "field.simplex", "inputs": { "position": { "input": "at" }, "seed": 5 } },
    "fbm": { "node": "field.fbm", "inputs": { "position": { "input": "at" }, "seed": 6, "octaves": 5 } },
    "fbmSlope": { "node": "field.fbm_slope", "inputs": { "position": { "input": "at" }, "seed": 6, "octaves": 5 } },
    "fbmTiled": { "node": "field.fbm_tiled",
      "inputs": { "position": { "input": "at" }, "seed": 6, "octaves": 2, "periodX": 2, "periodY": 3, "periodZ": 5 } },
    "ridged": { "node": "field.ridged", "inputs": { "position": { "input": "at" }, "seed": 7, "octaves": 3 } },
    "warp": { "node": "field.warp",
      "inputs": { "position": { "input": "at" }, "seed": 8, "octaves": 2, "strength": 0.75 } },
    "warped": { "node": "field.warped",
      "inputs": { "position": { "input": "at" }, "seed": 8, "octaves": 2, "strength": 0.75 } },
    "chained": { "node": "field.fbm",
      "inputs": { "position": { "node": "warp" }, "seed": 8, "octaves": 2 } },
    "cellular": { "node": "field.cellular",
      "inputs": { "position": { "input": "at" }, "seed": 9, "metric": "manhattan" } },
    "cellularTiled": { "node": "field.cellular_tiled",
      "inputs": { "position": { "input": "at" }, "seed": 9, "metric": "chebyshev",
        "periodX": 2, "periodY": 3, "periodZ": 5 } }
  },
  "outputs": {
    "noise": { "node": "noise" }, "noiseSlope": { "node": "noiseSlope" }, "noiseTiled": { "node": "noiseTiled" },
    "value": { "node": "value" }, "valueSlope": { "node": "valueSlope" }, "valueTiled": { "node": "valueTiled" },
    "simplex": { "node": "simplex" },
    "fbm": { "node": "fbm" }, "fbmSlope": { "node": "fbmSlope" }, "fbmTiled": { "node": "fbmTiled" },
    "ridged": { "node": "ridged" },
    "warp": { "node": "warp" }, "warped": { "node": "warped" }, "chained": { "node": "chained" },
    "f1": { "node": "cellular" }, "f2": { "node": "cellular", "output": "f2" },
    "tiledF1": { "node": "cellularTiled" }, "tiledF2": { "node": "cellularTiled", "output": "f2" }
  }
}"#;

#[test]
fn a_document_names_every_noise() {
    let graph = Document::from_json(DOCUMENT)
        .unwrap()
        .define(&Registry::standard())
        .unwrap();
    let minus_four = (-4i32).cast_unsigned();
    for device in devices() {
        for at in [[0.5, 1.5, -2.25], [-7.0, 3.0, 11.0], [100.3, -0.001, 4.75]] {
            let [x, y, z] = at;
            let cell = cellular3(9, x, y, z, Metric::Manhattan);
            let tiled = cellular3_tiled(9, x, y, z, Metric::Chebyshev, [2, 3, 5]);
            let wanted: [(&str, Vec<f32>); 18] = [
                ("noise", vec![gradient3(3, x, y, z)]),
                ("noiseSlope", gradient3_slope(3, x, y, z)[1..].to_vec()),
                ("noiseTiled", vec![gradient3_tiled(3, x, y, z, [2, 3, 5])]),
                ("value", vec![value3(minus_four, x, y, z)]),
                ("valueSlope", value3_slope(4, x, y, z)[1..].to_vec()),
                ("valueTiled", vec![value3_tiled(4, x, y, z, [2, 3, 5])]),
                ("simplex", vec![simplex3(5, x, y, z)]),
                ("fbm", vec![fbm3(6, x, y, z, 5)]),
                ("fbmSlope", fbm3_slope(6, x, y, z, 5)[1..].to_vec()),
                ("fbmTiled", vec![fbm3_tiled(6, x, y, z, 2, [2, 3, 5])]),
                ("ridged", vec![ridged3(7, x, y, z, 3)]),
                ("warp", warp3(8, x, y, z, 2, 0.75).to_vec()),
                ("warped", vec![warped3(8, x, y, z, 2, 0.75)]),
                ("chained", vec![warped3(8, x, y, z, 2, 0.75)]),
                ("f1", vec![cell.f1]),
                ("f2", vec![cell.f2]),
                ("tiledF1", vec![tiled.f1]),
                ("tiledF2", vec![tiled.f2]),
            ];
            let at = inputs! { at: glam::Vec3::from(at) };
            let frame = whole(&mut play(&device, &graph, at, true), &device, still());
            for (name, wanted) in wanted {
                let found = frame.number(name).unwrap();
                assert_eq!(found[..wanted.len()], wanted, "{name} at {x}, {y}, {z}");
            }
        }
    }
}

#[test]
fn a_document_s_octaves_are_kept_within_their_range() {
    let define = |octaves: &str| {
        let text = DOCUMENT.replace(
            "\"seed\": 7, \"octaves\": 3",
            &format!("\"seed\": 7, \"octaves\": {octaves}"),
        );
        let document = Document::from_json(&text)?;
        let graph = document.define(&Registry::standard())?;
        let device = crate::common::cpu();
        let frame = whole(&mut play(&device, &graph, inputs! {}, true), &device, still());
        frame.number("ridged")
    };
    let at = |octaves| ridged3(7, 0.5, 1.5, -2.25, octaves);
    assert_eq!(define("16").unwrap(), [at(16)]);
    // What a document gives beyond a range is brought into it, or refused by name.
    for (octaves, kept) in [("17", 16), ("0", 1), ("-1", 1)] {
        match define(octaves) {
            Ok(found) => assert_eq!(found, [at(kept)]),
            Err(error) => assert!(error.to_string().contains("octaves"), "{error}"),
        }
    }
}

#[test]
fn noises_of_the_points_are_zero_noise_s() {
    let graph = Graph::define("columns", |g| {
        let sheet = g.add(mesh::Grid::new().size([40.0, 1.0, 40.0]).cells_x(40).cells_z(30));
        let at = g.position() * 0.37;
        let slope = g.add(field::FbmSlope::new(at).octaves(4).seed(1));
        let cells = g.add(field::Cellular::new(at).seed(2));
        let tint = cells.id.to_float() * 2.0f32.powi(-32);
        let ridges = g.add(field::Ridged::new(g.add(field::Warp::new(at).octaves(2))).seed(3));
        let lanes = sheet
            .point()
            .set("slope", slope)
            .point()
            .set("border", cells.f2 - cells.f1)
            .point()
            .set("tint", tint)
            .point()
            .set("ridges", ridges)
            .point()
            .set("spots", g.add(field::Simplex::new(at + vec3(0.0, 5.0, 0.0))));
        g.output("columns", lanes);
    })
    .unwrap();
    for device in devices() {
        let frame = whole(&mut play(&device, &graph, inputs! {}, true), &device, still());
        let geometry = frame.geometry("columns").unwrap();
        let column = |name: &str| floats(geometry, name);
        let (slope, border, tint) = (column("slope"), column("border"), column("tint"));
        let (ridges, spots) = (column("ridges"), column("spots"));
        let places = geometry.download().unwrap().vec3s(Class::Point, "P").unwrap().to_vec();
        assert_eq!(places.len(), 41 * 31);
        for (i, place) in places.iter().enumerate() {
            let [x, y, z] = place.map(|lane| lane * 0.37);
            assert_eq!(slope[3 * i..][..3], fbm3_slope(1, x, y, z, 4)[1..], "point {i}");
            let cell = cellular3(2, x, y, z, Metric::Euclidean);
            assert_eq!(border[i], cell.f2 - cell.f1);
            assert_eq!(tint[i], cell.id as f32 * 2.0f32.powi(-32));
            let [a, b, c] = warp3(0, x, y, z, 2, 1.0);
            assert_eq!(ridges[i], ridged3(3, a, b, c, 4));
            assert_eq!(spots[i], simplex3(0, x, y + 5.0, z));
        }
    }
}
