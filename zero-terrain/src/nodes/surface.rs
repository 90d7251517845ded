//! Ground as a mesh.

use super::slope::gradient;
use zero_procgen::values::{Geometry, KeyHasher, Value};
use zero_procgen::{Class, Compose, Cook, Error, Float, Geo, Graph, Int, Node, Operation, Raster, Result, Type, vec3};

/// The ground as a triangle mesh: a point a sample, with `P` and the unit normal `N` (of Horn's gradient), and two
/// triangles between each four, counter-clockwise seen from above. It reaches from the outer samples' centres to each
/// other. A raster of one sample a side has points alone.
#[derive(Clone, Debug, Node)]
#[node(id = "terrain.surface")]
pub struct Surface<'g> {
    /// The ground.
    #[input]
    pub raster: Raster<'g>,
}

impl<'g> Compose<'g> for Surface<'g> {
    type Out = Geo<'g>;
    fn compose(self, g: &'g Graph) -> Result<Geo<'g>> {
        let (raster, parts, id) = (self.raster, self.raster.parts(), g.element().id());
        let [x, z] = gradient(g, raster).map(|rise| rise.read::<Float<'g>>());
        let normals = g.exact_column_of(parts.count(), vec3(-x, 1.0, -z).normalize());

        let (quads_x, quads_z) = (parts.width - 1, parts.height - 1);
        let (quads, wide) = (quads_x * quads_z, quads_x.max(1));
        // Each quad's corners, in order: here, below, right; right, below, across.
        let (quad, corner) = (id / 6, id % 6);
        let below = corner.equals(1).or(corner.ge(4));
        let right = corner.equals(2).or(corner.equals(3)).or(corner.equals(5));
        let step = |taken: zero_procgen::Bool<'g>| taken.choose::<Int<'g>>(1, 0);
        let place = (quad / wide + step(below)) * parts.width + quad % wide + step(right);
        let corners = g.exact_column_of(quads * 6, place);
        let starts = g.exact_column_of(quads * 2, id * 3);
        let counts = g.exact_column_of(quads * 2, Int::from(3));
        let inputs = vec![
            raster.points().into(),
            normals.into(),
            corners.into(),
            starts.into(),
            counts.into(),
        ];
        Ok(g.operation(Assemble, inputs, vec![Type::Geometry]).single())
    }
}

/// `points, N, vertex.pt, primitive.vstart, primitive.vcount` to the mesh of them.
#[derive(Debug)]
struct Assemble;

impl Operation for Assemble {
    fn id(&self) -> &'static str {
        "terrain.assemble"
    }
    fn digest(&self, _key: &mut KeyHasher) {}
    fn cook(&self, _cx: &mut Cook<'_>, inputs: &[Value]) -> Result<Vec<Value>> {
        let [points, normals, corners, starts, counts] = inputs else {
            let found = inputs.len();
            return Err(Error::Refused(format!("expected 5 inputs, got {found}")));
        };
        let mut mesh: Geometry = points.geometry()?.clone();
        mesh.set(Class::Point, "N", normals.column()?.clone(), Type::Vec3)?;
        mesh.set(Class::Vertex, "pt", corners.column()?.clone(), Type::Int)?;
        mesh.set(Class::Primitive, "vstart", starts.column()?.clone(), Type::Int)?;
        mesh.set(Class::Primitive, "vcount", counts.column()?.clone(), Type::Int)?;
        Ok(vec![Value::Geometry(mesh)])
    }
}
