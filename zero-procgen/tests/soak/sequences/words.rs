//! Every word that a frame shows.

use zero_procgen::{Class, Frame, HostColumn, HostDetail, HostGeometry};

/// The columns of every output with their words, details and counts among them.
pub(crate) fn words(frame: &Frame) -> Result<Vec<(String, Vec<u32>)>, String> {
    let mut all = Vec::new();
    for (name, value) in frame.outputs() {
        let geometry = value.geometry().and_then(|geometry| geometry.download());
        whole(name, &geometry.map_err(|error| error.to_string())?, &mut all);
    }
    Ok(all)
}

fn whole(path: &str, geometry: &HostGeometry, all: &mut Vec<(String, Vec<u32>)>) {
    for class in [Class::Point, Class::Vertex, Class::Primitive] {
        let place = format!("{path}.{}", class.name());
        all.push((place.clone(), vec![geometry.count(class)]));
        for name in geometry.names(class) {
            if let Some(column) = geometry.attribute(class, name) {
                all.push((format!("{place}.{name}"), bits(column)));
            }
        }
    }
    for name in geometry.names(Class::Detail) {
        let place = format!("{path}.{name}");
        match geometry.detail(name) {
            Some(HostDetail::Geometry(held)) => whole(&place, held, all),
            Some(HostDetail::Number(column) | HostDetail::Column(column)) => all.push((place, bits(column))),
            Some(HostDetail::Raster(raster)) => all.push((place, floats(&raster.samples))),
            _ => all.push((format!("{place} is of no known kind"), Vec::new())),
        }
    }
}

fn floats(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

fn bits(column: &HostColumn) -> Vec<u32> {
    match column {
        HostColumn::Float(values) => floats(values),
        HostColumn::Int(values) => values.iter().map(|value| value.cast_unsigned()).collect(),
        HostColumn::UInt(values) => values.clone(),
        HostColumn::Vec2(values) => floats(values.as_flattened()),
        HostColumn::Vec3(values) => floats(values.as_flattened()),
        HostColumn::Vec4(values) | HostColumn::Quat(values) | HostColumn::Color(values) => {
            floats(values.as_flattened())
        }
        // A kind that is added later must be compared too.
        other => vec![other.len() as u32; other.len() + 1],
    }
}
