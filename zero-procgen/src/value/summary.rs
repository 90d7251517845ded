//! What a value is, as a few lines of text: no read-back, so a live count is told by its room.

use super::{Count, Geometry, Raster, Value};
use crate::graph::wire::{Class, Type};
use std::fmt::Write;

impl Value {
    /// What it is, for a person: of a geometry the classes with their counts and columns, of a raster its size and
    /// place, of a number the number. Several lines, the last without a line break; nothing is read back from the device.
    pub fn summary(&self) -> String {
        let mut text = String::new();
        self.summarise(&mut text, 0);
        text
    }

    fn summarise(&self, text: &mut String, depth: usize) {
        // Writing to a String cannot fail.
        let _ = match self {
            Value::Number(number) => {
                let lanes: Vec<String> = number.lanes().iter().map(f32::to_string).collect();
                let value = match number.ty() {
                    Type::Bool => (number.bits[0] != 0).to_string(),
                    Type::Int => number.bits[0].cast_signed().to_string(),
                    Type::UInt => number.bits[0].to_string(),
                    _ => lanes.join(", "),
                };
                write!(text, "{} {value}", number.ty().name())
            }
            Value::Field(field) => write!(
                text,
                "field of {}: {} operators, {} columns read",
                field.ty().name(),
                field.tape.len(),
                field.leaves.len()
            ),
            Value::Column(column) => write!(
                text,
                "Column: {} of {} lanes of {}, {}",
                counted(&Count::of(column), "element"),
                column.lanes(),
                column.element(),
                size(column.bytes())
            ),
            Value::Raster(raster) => {
                grid(text, raster);
                Ok(())
            }
            Value::List(list) => {
                let _ = write!(text, "List of {}", list.len());
                for value in list.values() {
                    let _ = write!(text, "\n{}", "  ".repeat(depth + 1));
                    value.summarise(text, depth + 1);
                }
                Ok(())
            }
            Value::Geometry(geometry) => {
                classes(text, geometry, depth);
                Ok(())
            }
        };
    }
}

fn grid(text: &mut String, raster: &Raster) {
    let ([x_m, z_m], [left_m, near_m]) = (raster.spacing_m(), raster.origin_m());
    let _ = write!(
        text,
        "Raster: {} x {} samples {x_m} x {z_m} m apart from ({left_m}, {near_m}) m, {}",
        raster.width(),
        raster.height(),
        size(raster.samples().bytes())
    );
}

fn classes(text: &mut String, geometry: &Geometry, depth: usize) {
    let _ = write!(text, "Geometry: {}", size(geometry.bytes()));
    let indent = "  ".repeat(depth + 1);
    for (class, noun) in [
        (Class::Point, "point"),
        (Class::Vertex, "vertex"),
        (Class::Primitive, "primitive"),
    ] {
        let (count, names) = (geometry.count(class), geometry.names(class));
        if count.capacity() == 0 && names.is_empty() {
            continue;
        }
        let columns: Vec<String> = names
            .iter()
            .filter_map(|name| Some(format!("{name} {}", geometry.attribute(class, name)?.ty.name())))
            .collect();
        let _ = write!(text, "\n{indent}{}: {}", counted(&count, noun), columns.join(", "));
    }
    for name in geometry.names(Class::Detail) {
        if let Some(value) = geometry.detail(&name) {
            let _ = write!(text, "\n{indent}{name}: ");
            value.summarise(text, depth + 1);
        }
    }
}

fn counted(count: &Count, noun: &str) -> String {
    let many = |count: u32| match (count, noun) {
        (1, noun) => noun.to_owned(),
        (_, "vertex") => "vertices".to_owned(),
        (_, noun) => format!("{noun}s"),
    };
    match count {
        Count::Known(count) => format!("{count} {}", many(*count)),
        Count::Live { capacity, .. } => format!("at most {capacity} {}, counted on the device", many(*capacity)),
    }
}

/// Bytes in the unit that leaves few digits.
fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{:.1} KiB", bytes as f64 / 1024.0),
        _ => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
    }
}
