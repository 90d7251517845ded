//! Edits of geometry.

use crate::cook::construct::{NoPopulation, SumAt};
use crate::cook::merge::Merge as MergeOp;
use crate::{Col, Compose, Float, Geo, Graph, Node, Registry, Result, Type, Vec3, vec3};

/// Adds the family.
pub fn register(registry: &mut Registry) {
    registry
        .add::<Transform>()
        .add::<Merge>()
        .add::<SetPosition>()
        .add::<RecalculateNormals>();
}

/// A geometry scaled, then turned about +Y, then moved. Normals turn with it. A population is refused: its points
/// stand for copies, which are turned and scaled where they are placed.
#[derive(Clone, Debug, Node)]
#[node(id = "geometry.transform")]
pub struct Transform<'g> {
    /// What is moved.
    #[input]
    pub geometry: Geo<'g>,
    /// By how much it is moved.
    #[input(default = [0.0, 0.0, 0.0], unit = "m")]
    pub translate: Vec3<'g>,
    /// By how much it is turned about +Y, counter-clockwise seen from above.
    #[input(default = 0.0, unit = "deg")]
    pub yaw_deg: Float<'g>,
    /// By how much it is scaled along each axis; below 0 reads as 0, since a mirrored mesh would be inside out.
    #[input(default = [1.0, 1.0, 1.0], min = 0.0)]
    pub scale: Vec3<'g>,
}

impl<'g> Compose<'g> for Transform<'g> {
    type Out = Geo<'g>;
    fn compose(self, g: &'g Graph) -> Result<Geo<'g>> {
        let yaw = self.yaw_deg * (std::f32::consts::PI / 180.0);
        let (sin, cos) = (yaw.sin(), yaw.cos());
        let turned = |v: Vec3<'g>| vec3(v.x() * cos + v.z() * sin, v.y(), v.z() * cos - v.x() * sin);
        let scale = self.scale.max(0.0);
        let placed = turned(g.position() * scale) + self.translate;
        // A normal goes by the inverse of the scale, so that it stays square to the surface.
        let normal: Vec3<'g> = g.element().point("N");
        let normal = turned(normal / scale).normalize();
        let whole = g
            .operation(NoPopulation, vec![self.geometry.into()], vec![Type::Geometry])
            .single::<Geo<'g>>();
        Ok(whole.point().set("P", placed).point().set_if_held("N", normal))
    }
}

/// Several geometries as one, in order. A column that only some hold is 0 in the others.
#[derive(Clone, Debug, Node)]
#[node(id = "geometry.merge")]
pub struct Merge<'g> {
    /// The geometries.
    #[input]
    pub geometries: Vec<Geo<'g>>,
}

impl<'g> Compose<'g> for Merge<'g> {
    type Out = Geo<'g>;
    fn compose(self, g: &'g Graph) -> Result<Geo<'g>> {
        let inputs = self.geometries.into_iter().map(Into::into).collect();
        Ok(g.operation(MergeOp, inputs, vec![Type::Geometry]).single())
    }
}

/// A geometry with its points elsewhere.
#[derive(Clone, Debug, Node)]
#[node(id = "geometry.set_position")]
pub struct SetPosition<'g> {
    /// Whose points are placed.
    #[input]
    pub geometry: Geo<'g>,
    /// Where, at each point.
    #[input(unit = "m")]
    pub position: Vec3<'g>,
}

impl<'g> Compose<'g> for SetPosition<'g> {
    type Out = Geo<'g>;
    fn compose(self, _g: &'g Graph) -> Result<Geo<'g>> {
        Ok(self.geometry.point().set("P", self.position))
    }
}

/// A triangle mesh with normals read off its surface: at each point the mean of the unit normals of the faces around
/// it. A face without area counts for nothing; where nothing counts the normal is zero.
#[derive(Clone, Debug, Node)]
#[node(id = "geometry.recalculate_normals")]
pub struct RecalculateNormals<'g> {
    /// Whose normals are read off; every primitive is a triangle.
    #[input]
    pub geometry: Geo<'g>,
}

/// Bits after the point of the sums: a point may have 2^14 faces around it.
const NORMAL_BITS: u32 = 16;

impl<'g> Compose<'g> for RecalculateNormals<'g> {
    type Out = Geo<'g>;
    fn compose(self, g: &'g Graph) -> Result<Geo<'g>> {
        let (corners, places) = (self.geometry.vertex().column("pt"), self.geometry.point().column("P"));
        let first = g.element().id() / 3 * 3;
        let corner = |offset: i32| -> Vec3<'g> { places.gather(corners.gather::<crate::Int<'g>>(first + offset)) };
        let (a, b, c) = (corner(0), corner(1), corner(2));
        let face = (b - a).cross(c - a).normalize();
        let faces: Col<'g> = g.column_of(self.geometry.vertex().count(), face);
        let op = SumAt {
            fraction_bits: NORMAL_BITS,
        };
        let inputs = vec![self.geometry.point().count().into(), corners.into(), faces.into()];
        let sums: Col<'g> = g.operation(op, inputs, vec![Type::Column]).single();
        Ok(self.geometry.point().set("N", sums.read::<Vec3<'g>>().normalize()))
    }
}
