//! Copies of a geometry at points.

use crate::cook::construct::SetDetail;
use crate::{Choice, Compose, Float, Geo, Graph, Node, Registry, Result, Type};

/// Adds the family.
pub fn register(registry: &mut Registry) {
    registry.add::<Place>();
}

/// A population: each point stands for one copy of a geometry, turned and scaled. What is drawn is one instanced draw.
#[derive(Clone, Debug, Node)]
#[node(id = "instances.place")]
pub struct Place<'g> {
    /// Where the copies stand.
    #[input]
    pub points: Geo<'g>,
    /// What is copied.
    #[input]
    pub mesh: Geo<'g>,
    /// How large each copy is.
    #[input(default = 1.0)]
    pub scale: Float<'g>,
    /// How far each copy is turned about +Y.
    #[input(default = 0.0, unit = "deg")]
    pub yaw_deg: Float<'g>,
    /// How the copies stand.
    #[input(default = Stand::Upright, options)]
    pub stand: Stand,
}

/// How the copies of a population stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Choice)]
pub enum Stand {
    /// Their own up is +Y, as trees grow.
    Upright,
    /// Their own up is the normal `N` of their point, as stones lie.
    Normal,
}

impl<'g> Compose<'g> for Place<'g> {
    type Out = Geo<'g>;
    fn compose(self, g: &'g Graph) -> Result<Geo<'g>> {
        let yaw = self.yaw_deg * (std::f32::consts::PI / 180.0);
        let posed = self.points.point().set("scale", self.scale).point().set("yaw", yaw);
        // The fields above may read the normal, so it goes after them.
        let posed = match self.stand {
            Stand::Upright => posed.point().remove("N"),
            Stand::Normal => posed,
        };
        let op = SetDetail { name: "Mesh".into() };
        Ok(
            g.operation(op, vec![posed.into(), self.mesh.into()], vec![Type::Geometry])
                .single(),
        )
    }
}
