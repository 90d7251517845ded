//! Where a graph stands in the scene.

use crate::error::{Error, Result};
use crate::graph::wire::ClockField;
use glam::{Mat4, Quat};

/// Where a graph stands in the scene it is played in: what carries its own space into the world, and the entity it stands
/// on, where it stands on one. Its parts are worked out here, in an order of operations that gives the same bits on every
/// machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    world_from_graph: Mat4,
    graph_from_world: Mat4,
    rotation: Quat,
    entity: Option<u32>,
}

impl Default for Placement {
    /// At the world's origin, on no entity.
    fn default() -> Self {
        Placement {
            world_from_graph: Mat4::IDENTITY,
            graph_from_world: Mat4::IDENTITY,
            rotation: Quat::IDENTITY,
            entity: None,
        }
    }
}

type Axes = [[f64; 3]; 3];

impl Placement {
    /// A placement by the matrix that carries the graph's space into the world: column-major, in metres.
    ///
    /// # Errors
    /// [`Error::Kind`] for a matrix that is not finite, whose last row is not 0, 0, 0, 1, or that flattens space so that
    /// it can't be undone.
    pub fn new(world_from_graph: Mat4) -> Result<Placement> {
        let refuse = |expected: &str| {
            Err(Error::Kind {
                what: "placement".to_owned(),
                expected: expected.to_owned(),
                found: format!("{:?}", world_from_graph.to_cols_array()),
            })
        };
        let cols = world_from_graph.to_cols_array_2d();
        if !cols.as_flattened().iter().all(|lane| lane.is_finite()) {
            return refuse("finite numbers");
        }
        if cols.map(|col| col[3]) != [0.0, 0.0, 0.0, 1.0] {
            return refuse("a last row of 0, 0, 0, 1");
        }
        let axes: Axes = [0, 1, 2].map(|axis: usize| [0, 1, 2].map(|lane: usize| f64::from(cols[axis][lane])));
        let move_by = [0, 1, 2].map(|lane: usize| f64::from(cols[3][lane]));
        let inverse = match inverted(axes, move_by) {
            Some(inverse) if inverse.as_flattened().iter().all(|lane| lane.is_finite()) => inverse,
            _ => return refuse("a matrix that can be undone"),
        };
        Ok(Placement {
            world_from_graph,
            graph_from_world: Mat4::from_cols_array_2d(&inverse),
            rotation: Quat::from_array(turn(axes)),
            entity: None,
        })
    }

    /// The same on an entity of the host's.
    pub fn on_entity(self, entity: u32) -> Placement {
        Placement {
            entity: Some(entity),
            ..self
        }
    }

    /// What carries the graph's space into the world.
    pub fn world_from_graph(&self) -> Mat4 {
        self.world_from_graph
    }
    /// What carries the world into the graph's space.
    pub fn graph_from_world(&self) -> Mat4 {
        self.graph_from_world
    }
    /// How the graph's space is turned in the world, without its scale.
    pub fn rotation(&self) -> Quat {
        self.rotation
    }
    /// The entity it stands on.
    pub fn entity(&self) -> Option<u32> {
        self.entity
    }

    /// The bits of what a field of the clock says of the placement; nothing for the other fields.
    pub(crate) fn bits(&self, field: ClockField) -> Option<[u32; 4]> {
        let column = |of: &Mat4, index: u8| {
            let cols = of.to_cols_array_2d();
            cols.get(usize::from(index)).map(|col| col.map(f32::to_bits))
        };
        match field {
            ClockField::Placement(index) => column(&self.world_from_graph, index),
            ClockField::Inverse(index) => column(&self.graph_from_world, index),
            ClockField::Rotation => Some(self.rotation.to_array().map(f32::to_bits)),
            ClockField::Entity => Some([self.entity.unwrap_or(0), 0, 0, 0]),
            ClockField::Stands => Some([self.entity.is_some().into(), 0, 0, 0]),
            ClockField::Time | ClockField::Frame | ClockField::Delta | ClockField::Fps | ClockField::Duration => None,
        }
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// The inverse of axes and a move, by the adjugate: its rows are the cross products of the axes over the determinant.
fn inverted(axes: Axes, move_by: [f64; 3]) -> Option<[[f32; 4]; 4]> {
    let [x, y, z] = axes;
    let rows = [cross(y, z), cross(z, x), cross(x, y)];
    let determinant = dot(x, rows[0]);
    if determinant == 0.0 || !determinant.is_finite() {
        return None;
    }
    let rows = rows.map(|row| row.map(|lane| lane / determinant));
    let mut cols = [[0.0f32, 0.0, 0.0, 1.0]; 4];
    for (lane, row) in rows.iter().enumerate() {
        for (axis, value) in row.iter().enumerate() {
            cols[axis][lane] = *value as f32;
            cols[axis][3] = 0.0;
        }
        cols[3][lane] = (0.0 - dot(*row, move_by)) as f32;
    }
    Some(cols)
}

/// The rotation of axes that may be scaled, sheared or mirrored: the first axis keeps its direction, the second its plane.
/// The quaternion is taken from the matrix by its largest component (Shepperd 1978).
fn turn(axes: Axes) -> [f32; 4] {
    let unit = |v: [f64; 3]| {
        let length = dot(v, v).sqrt();
        v.map(|lane| lane / length)
    };
    let x = unit(axes[0]);
    let along = dot(x, axes[1]);
    let y = unit([0, 1, 2].map(|lane: usize| axes[1][lane] - along * x[lane]));
    let z = cross(x, y);
    let squares = [
        1.0 + x[0] - y[1] - z[2],
        1.0 - x[0] + y[1] - z[2],
        1.0 - x[0] - y[1] + z[2],
        1.0 + x[0] + y[1] + z[2],
    ];
    let mut largest = 3;
    for (index, square) in squares.iter().enumerate() {
        if *square > squares[largest] {
            largest = index;
        }
    }
    let root = squares[largest].sqrt();
    let half = 0.5 / root;
    let quat = match largest {
        0 => [
            0.5 * root,
            (x[1] + y[0]) * half,
            (z[0] + x[2]) * half,
            (y[2] - z[1]) * half,
        ],
        1 => [
            (x[1] + y[0]) * half,
            0.5 * root,
            (y[2] + z[1]) * half,
            (z[0] - x[2]) * half,
        ],
        2 => [
            (z[0] + x[2]) * half,
            (y[2] + z[1]) * half,
            0.5 * root,
            (x[1] - y[0]) * half,
        ],
        _ => [
            (y[2] - z[1]) * half,
            (z[0] - x[2]) * half,
            (x[1] - y[0]) * half,
            0.5 * root,
        ],
    };
    quat.map(|lane| lane as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn near(a: Mat4, b: Mat4) -> bool {
        a.to_cols_array()
            .iter()
            .zip(b.to_cols_array())
            .all(|(a, b)| (a - b).abs() < 1e-5)
    }

    #[test]
    fn an_inverse_and_a_turn_are_glam_s() {
        let turns = [
            Quat::IDENTITY,
            Quat::from_rotation_x(3.1),
            Quat::from_rotation_y(-2.9),
            Quat::from_rotation_z(3.0),
            Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 1.2),
        ];
        for turn in turns {
            let matrix =
                Mat4::from_scale_rotation_translation(Vec3::new(2.0, 0.5, 3.0), turn, Vec3::new(4.0, -5.0, 6.0));
            let placed = Placement::new(matrix).unwrap();
            assert!(near(placed.graph_from_world(), matrix.inverse()), "{turn}");
            assert!(
                placed.rotation().dot(turn).abs() > 1.0 - 1e-6,
                "{turn} and {}",
                placed.rotation()
            );
        }
    }

    #[test]
    fn what_cannot_be_undone_is_refused() {
        let flat = Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0));
        let nan = Mat4::from_translation(Vec3::new(f32::NAN, 0.0, 0.0));
        let mut bent = Mat4::IDENTITY;
        bent.z_axis.w = -1.0;
        for (matrix, expected) in [
            (flat, "a matrix that can be undone"),
            (nan, "finite numbers"),
            (bent, "a last row of 0, 0, 0, 1"),
        ] {
            let said = Placement::new(matrix).unwrap_err().to_string();
            assert!(
                said.starts_with(&format!("placement: expected {expected}, got")),
                "{said}"
            );
        }
    }
}
