//! What an author does with a raster socket: its parts, and fields over its samples.

use super::Graph;
use super::ops::vec3;
use super::socket::{AnySocket, Col, Float, Geo, Int, Raster, Socket};
use super::wire::{Class, Type, Wire};
use crate::cook::construct::FromColumns;
use crate::cook::raster::{EvaluateOver, RasterSamples, RasterShape, WithSamples};

/// The numbers of a raster under construction, as the cook knows them.
#[derive(Clone, Copy, Debug)]
pub struct RasterParts<'g> {
    /// Samples along +X.
    pub width: Int<'g>,
    /// Samples along +Z.
    pub height: Int<'g>,
    /// Metres from one sample to the next along +X.
    pub spacing_x_m: Float<'g>,
    /// Metres from one sample to the next along +Z.
    pub spacing_z_m: Float<'g>,
    /// Where the grid's first corner stands along X, in metres.
    pub origin_x_m: Float<'g>,
    /// Where the grid's first corner stands along Z, in metres.
    pub origin_z_m: Float<'g>,
}

impl<'g> RasterParts<'g> {
    /// How many samples there are.
    #[track_caller]
    pub fn count(self) -> Int<'g> {
        self.width * self.height
    }
}

impl<'g> Raster<'g> {
    /// The samples, row by row, as a run on the device.
    #[track_caller]
    pub fn samples(self) -> Col<'g> {
        match self.graph() {
            Some(g) => g
                .operation(RasterSamples, vec![self.into()], vec![Type::Column])
                .single(),
            None => Col::from_parts(None, Wire::Refused),
        }
    }

    /// How many samples there are, how far apart and where.
    #[track_caller]
    pub fn parts(self) -> RasterParts<'g> {
        let Some(g) = self.graph() else {
            let (int, float) = (
                Int::from_parts(None, Wire::Refused),
                Float::from_parts(None, Wire::Refused),
            );
            return RasterParts {
                width: int,
                height: int,
                spacing_x_m: float,
                spacing_z_m: float,
                origin_x_m: float,
                origin_z_m: float,
            };
        };
        let out = g.operation(RasterShape, vec![self.into()], RasterShape::OUTPUTS.to_vec());
        RasterParts {
            width: out.at(0),
            height: out.at(1),
            spacing_x_m: out.at(2),
            spacing_z_m: out.at(3),
            origin_x_m: out.at(4),
            origin_z_m: out.at(5),
        }
    }

    /// The same grid with other samples: a run of as many floats.
    #[track_caller]
    pub fn with_samples(self, samples: Col<'g>) -> Raster<'g> {
        match self.graph() {
            Some(g) => g
                .operation(WithSamples, vec![self.into(), samples.into()], vec![Type::Raster])
                .single(),
            None => self,
        }
    }

    /// Each sample as a point: it stands where the sample does, at the sample's own value above the ground plane. The
    /// places have the same bits on every device.
    #[track_caller]
    pub fn points(self) -> Geo<'g> {
        let Some(g) = self.graph() else {
            return Geo::from_parts(None, Wire::Refused);
        };
        let (parts, id) = (self.parts(), g.element().id());
        let centre =
            |place: Int<'g>, spacing: Float<'g>, origin: Float<'g>| (place.to_float() + 0.5) * spacing + origin;
        let place = vec3(
            centre(id % parts.width, parts.spacing_x_m, parts.origin_x_m),
            self.samples().read::<Float<'g>>(),
            centre(id / parts.width, parts.spacing_z_m, parts.origin_z_m),
        );
        let places = g.exact_column_of(parts.count(), place);
        let op = FromColumns {
            columns: vec![("P".into(), Type::Vec3)],
        };
        let inputs = vec![parts.count().into(), places.into()];
        g.operation(op, inputs, vec![Type::Geometry]).single()
    }

    /// A field at every sample, as a run with the same bits on every device. The field's position is the sample's place:
    /// see [`points`](Self::points).
    #[track_caller]
    pub fn evaluate(self, value: impl Into<AnySocket<'g>>) -> Col<'g> {
        match self.graph() {
            Some(g) => self.points().evaluate_exact(g, Class::Point, value.into()),
            None => Col::from_parts(None, Wire::Refused),
        }
    }

    /// The same grid, each sample from a field at its place: see [`evaluate`](Self::evaluate).
    #[track_caller]
    pub fn map(self, value: impl Into<Float<'g>>) -> Raster<'g> {
        self.with_samples(self.evaluate(value.into()))
    }
}

impl<'g> Geo<'g> {
    #[track_caller]
    fn evaluate_exact(self, g: &'g Graph, class: Class, value: AnySocket<'g>) -> Col<'g> {
        let op = EvaluateOver { class, ty: value.ty };
        g.operation(op, vec![self.into(), value], vec![Type::Column]).single()
    }
}
