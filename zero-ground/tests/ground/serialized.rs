//! Data types through serde: back as they were, and checked as anything else is.

use crate::{grass, painted, rocks};
use zero_ground::{
    Band, Chunk, ChunkGrid, Clearing, Clearings, Density, DensityShape, GroundFill, GroundSolids, Layer, Solid,
    SolidId, Texel, Trample,
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

/// A key that nobody reads is a misspelt one.
#[test]
fn an_unknown_key_is_refused_in_every_type_that_is_written_by_hand() {
    fn refuses<T: serde::de::DeserializeOwned + std::fmt::Debug>(text: &str) {
        let error = serde_json::from_str::<T>(text).unwrap_err().to_string();
        assert!(error.contains("unknown field `extra`"), "{text}: {error}");
    }
    refuses::<ChunkGrid>(r#"{"chunk_m": 64.0, "extra": 1}"#);
    refuses::<Chunk>(r#"{"cx": 1, "cz": 2, "extra": 1}"#);
    refuses::<Band>(r#"{"step_m": 1.0, "extra": 1}"#);
    refuses::<GroundFill>(r#"{"extra": 1}"#);
    refuses::<Layer>(r#"{"number": 1, "fill": {}, "extra": 1}"#);
    refuses::<Clearing>(r#"{"center_m": [0.0, 0.0], "inner_m": 1.0, "outer_m": 2.0, "extra": 1}"#);
    refuses::<Texel>(r#"{"chance": 1.0, "scale": 1.0, "extra": 1}"#);
    refuses::<DensityShape>(r#"{"width": 1, "depth": 1, "extra": 1}"#);
    refuses::<Density>(r#"{"shape": {"width": 1, "depth": 1}, "texels": [], "extra": 1}"#);
}

/// What the constructors leave at its default may be left out of the text too.
#[test]
fn a_shape_and_a_clearing_need_only_what_differs_from_the_default() {
    let shape: DensityShape = serde_json::from_str(r#"{"width": 3, "depth": 5}"#).unwrap();
    assert_eq!(shape, DensityShape::new(3, 5));
    let camp: Clearing = serde_json::from_str(r#"{"center_m": [1.0, 2.0], "inner_m": 3.0, "outer_m": 4.0}"#).unwrap();
    assert_eq!(camp, Clearing::new(1.0, 2.0, 3.0, 4.0));
}
