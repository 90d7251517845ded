//! Solids and sheets to start from, as triangles centred on the origin.

use super::geometry::Transform;
use crate::cook::construct::MeshLiteral;
use crate::{Compose, Float, Geo, Graph, Node, Registry, Result, Type, Vec3, vec3};

/// Adds the family.
pub fn register(registry: &mut Registry) {
    registry.add::<Box>().add::<Cone>().add::<Grid>();
}

fn literal<'g>(g: &'g Graph, mesh: MeshLiteral) -> Geo<'g> {
    g.operation(mesh, Vec::new(), vec![Type::Geometry]).single()
}

/// A box with flat faces.
#[derive(Clone, Debug, Node)]
#[node(id = "mesh.box")]
pub struct Box<'g> {
    /// Its sides.
    #[input(default = [1.0, 1.0, 1.0], min = 0.0, unit = "m")]
    pub size: Vec3<'g>,
}

impl<'g> Compose<'g> for Box<'g> {
    type Out = Geo<'g>;
    fn compose(self, g: &'g Graph) -> Result<Geo<'g>> {
        Ok(literal(g, unit_box()).point().set("P", g.position() * self.size))
    }
}

/// Four points a face, so that each face keeps its own normal.
fn unit_box() -> MeshLiteral {
    let mut mesh = MeshLiteral {
        positions: Vec::new(),
        normals: Vec::new(),
        triangles: Vec::new(),
    };
    for axis in 0..3 {
        for side in [-1.0f32, 1.0] {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let base = mesh.positions.len() as i32;
            for (a, b) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
                let mut position = [0.0; 3];
                (position[axis], position[u], position[v]) = (0.5 * side, a * side, b);
                let mut normal = [0.0; 3];
                normal[axis] = side;
                mesh.positions.push(position);
                mesh.normals.push(normal);
            }
            mesh.triangles
                .extend([[base, base + 1, base + 2], [base, base + 2, base + 3]]);
        }
    }
    mesh
}

/// A cone that stands on the ground plane at the origin, its tip up.
#[derive(Clone, Debug, Node)]
#[node(id = "mesh.cone")]
pub struct Cone<'g> {
    /// Radius of the base.
    #[input(default = 0.5, min = 0.0, unit = "m")]
    pub radius: Float<'g>,
    /// From the base to the tip.
    #[input(default = 1.0, min = 0.0, unit = "m")]
    pub height: Float<'g>,
    /// Sides around.
    #[input(default = 12, min = 3, max = 512)]
    pub segments: i32,
}

impl<'g> Compose<'g> for Cone<'g> {
    type Out = Geo<'g>;
    fn compose(self, g: &'g Graph) -> Result<Geo<'g>> {
        let unit = literal(g, unit_cone(self.segments.clamp(3, 512)));
        Ok(g.add(Transform::new(unit).scale(vec3(self.radius, self.height, self.radius))))
    }
}

/// A cone of radius 1 and height 1. The side has a tip for each segment, so that its normals don't meet in one.
fn unit_cone(segments: i32) -> MeshLiteral {
    let mut mesh = MeshLiteral {
        positions: Vec::new(),
        normals: Vec::new(),
        triangles: Vec::new(),
    };
    let around = |place: f32| {
        let angle = place / segments as f32 * std::f32::consts::TAU;
        [zero_noise::math::cos(angle), zero_noise::math::sin(angle)]
    };
    // The side leans as far out as up.
    let lean = std::f32::consts::FRAC_1_SQRT_2;
    for segment in 0..segments {
        let base = mesh.positions.len() as i32;
        let (from, middle, to) = (segment as f32, segment as f32 + 0.5, segment as f32 + 1.0);
        for (place, height) in [(from, 0.0), (middle, 1.0), (to, 0.0)] {
            let ([x, z], spread) = (around(place), 1.0 - height);
            mesh.positions.push([x * spread, height, z * spread]);
            mesh.normals.push([x * lean, lean, z * lean]);
        }
        mesh.triangles.push([base, base + 1, base + 2]);
    }
    let hub = mesh.positions.len() as i32;
    mesh.positions.push([0.0; 3]);
    mesh.normals.push([0.0, -1.0, 0.0]);
    for segment in 0..segments {
        let [x, z] = around(segment as f32);
        mesh.positions.push([x, 0.0, z]);
        mesh.normals.push([0.0, -1.0, 0.0]);
        let next = (segment + 1) % segments;
        mesh.triangles.push([hub, hub + 1 + segment, hub + 1 + next]);
    }
    mesh
}

/// A flat sheet on the ground plane, its faces up.
#[derive(Clone, Debug, Node)]
#[node(id = "mesh.grid")]
pub struct Grid<'g> {
    /// Its sides along X and Z; a sheet is flat, so the side along Y changes nothing.
    #[input(default = [1.0, 1.0, 1.0], min = 0.0, unit = "m")]
    pub size: Vec3<'g>,
    /// Quads along X.
    #[input(default = 10, min = 1, max = 4096)]
    pub cells_x: i32,
    /// Quads along Z.
    #[input(default = 10, min = 1, max = 4096)]
    pub cells_z: i32,
}

impl<'g> Compose<'g> for Grid<'g> {
    type Out = Geo<'g>;
    fn compose(self, g: &'g Graph) -> Result<Geo<'g>> {
        let sheet = literal(g, unit_grid(self.cells_x.clamp(1, 4096), self.cells_z.clamp(1, 4096)));
        Ok(sheet.point().set("P", g.position() * self.size))
    }
}

fn unit_grid(cells_x: i32, cells_z: i32) -> MeshLiteral {
    let mut mesh = MeshLiteral {
        positions: Vec::new(),
        normals: Vec::new(),
        triangles: Vec::new(),
    };
    for z in 0..=cells_z {
        for x in 0..=cells_x {
            mesh.positions
                .push([x as f32 / cells_x as f32 - 0.5, 0.0, z as f32 / cells_z as f32 - 0.5]);
            mesh.normals.push([0.0, 1.0, 0.0]);
        }
    }
    for z in 0..cells_z {
        for x in 0..cells_x {
            let corner = z * (cells_x + 1) + x;
            let (right, below) = (corner + 1, corner + cells_x + 1);
            mesh.triangles
                .extend([[corner, below, right], [right, below, below + 1]]);
        }
    }
    mesh
}
