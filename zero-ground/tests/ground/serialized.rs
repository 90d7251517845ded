//! Data types through serde: back as they were, and checked as anything else is.

use crate::{grass, painted, rocks};
use zero_ground::{
    Band, Chunk, ChunkGrid, Clearing, Clearings, Density, GroundFill, GroundSolids, Layer, Solid, SolidId, Trample,
};

fn back<T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) {
    let text = serde_json::to_string(value).unwrap();
    assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
}

#[test]
fn every_data_type_comes_back() {
    let density = painted(0.3);
    back(&density);
    back(density.shape());
    back(&grass());
    back(rocks().row());
    back(&ChunkGrid::default());
    back(&Clearings::try_from(vec![Clearing::new(1.0, 2.0, 3.0, 4.0)]).unwrap());
    let mut solids = GroundSolids::new();
    rocks()
        .solid_list(&density, &Trample::NONE, Chunk::new(0, 1), &mut solids)
        .unwrap();
    solids.iter().for_each(back::<Solid>);
    assert!(!solids.is_empty());
}

#[test]
fn a_row_needs_only_what_differs_from_the_default() {
    let row: GroundFill = serde_json::from_str(r#"{"bands": [{"step_m": 0.5}], "solid": true}"#).unwrap();
    assert_eq!(
        row,
        GroundFill {
            bands: vec![Band::new(0.5)],
            solid: true,
            ..GroundFill::default()
        }
    );
    let layer: Layer = serde_json::from_str(r#"{"number": 4, "fill": {}}"#).unwrap();
    assert_eq!(
        layer,
        Layer::new(4, ChunkGrid::default(), GroundFill::default()).unwrap()
    );
}

#[test]
fn what_is_out_of_range_is_refused_here_too() {
    fn refusal<T: serde::de::DeserializeOwned + std::fmt::Debug>(text: &str) -> String {
        serde_json::from_str::<T>(text).unwrap_err().to_string()
    }
    assert!(refusal::<SolidId>("2147483648").contains("solid id: the number must be 0 to 2147483647"));
    assert!(refusal::<GroundFill>(r#"{"jiter": 1.0}"#).contains("unknown field `jiter`"));
    assert!(refusal::<Layer>(r#"{"number": 64, "fill": {"solid": true}}"#).contains("must be 0 to 63, got 64"));
    let clearing = r#"[{"center_m": [0.0, 0.0], "inner_m": 2.0, "outer_m": 1.0, "floor": 0.0}]"#;
    assert!(refusal::<Clearings>(clearing).contains("clearing.outer_m"));
    let shape = r#"{"width": 1, "depth": 1, "texel_m": 2.0, "corner_m": [0.0, 0.0]}"#;
    let texels = format!(r#"{{"shape": {shape}, "texels": [{{"chance": 2.0, "scale": 1.0}}]}}"#);
    assert!(refusal::<Density>(&texels).contains("chance of texel (0, 0): expected 0 to 1, got 2"));
    assert!(refusal::<Density>(&format!(r#"{{"shape": {shape}, "texels": []}}"#)).contains("1 by 1 = 1, got 0"));
}
