//! Samples thrown onto a surface.

mod kernels;
mod triangle;

use super::construct::MAX_ELEMENTS;
use super::{Cook, Operation};
use crate::error::{Error, Result};
use crate::graph::wire::{Class, Type};
use crate::value::{Count, Geometry, KeyHasher, Value};
use zero_compute::kernels::{Form, Reduce, reduce, scan};
use zero_compute::{Column, Domain, Element, args};
use zero_noise::Scope;

/// `geometry, count` to that many points strewn over its triangles by area: `P`, a unit `N` and the sample's number
/// `id`, in the order they were thrown. Their count is live, since a surface whose faces have no area holds none.
#[derive(Debug)]
pub(crate) struct SampleSurface {
    pub(crate) seed: u32,
}

/// Most that the weights of all faces add up to before they are rounded: below 2^32 by more than the error of the
/// float sum they are scaled by (some 2^15 additions, so 2^-9) and half a unit a face.
const WEIGHTS: f32 = 0.97 * 4_294_967_296.0;

impl Operation for SampleSurface {
    fn id(&self) -> &'static str {
        "construct.sample_surface"
    }
    fn digest(&self, key: &mut KeyHasher) {
        key.u32(self.seed);
    }
    fn cook(&self, cx: &mut Cook<'_>, inputs: &[Value]) -> Result<Vec<Value>> {
        let [surface, count] = inputs else {
            return Err(Error::Refused(
                "sample_surface: expected a geometry and a count".to_owned(),
            ));
        };
        let count = cx.decide_count("count", count, MAX_ELEMENTS)?;
        let surface = surface.geometry()?;
        let samples = match triangles(surface)? {
            Some(mesh) if count > 0 => self.throw(cx, &mesh, count)?,
            _ => no_samples(cx)?,
        };
        Ok(vec![Value::Geometry(samples)])
    }
}

/// The columns of a surface that has faces.
struct Triangles<'a> {
    faces: Domain,
    starts: &'a Column,
    sides: &'a Column,
    corners: &'a Column,
    places: &'a Column,
    normals: Option<&'a Column>,
}

/// Nothing for a geometry without faces. How many corners a face has is known on the device alone; that they are
/// three each on the whole is known here.
fn triangles(surface: &Geometry) -> Result<Option<Triangles<'_>>> {
    let faces = surface.count(Class::Primitive);
    let corners = surface.count(Class::Vertex).capacity();
    if faces.capacity() == 0 {
        return Ok(None);
    }
    if u64::from(corners) != 3 * u64::from(faces.capacity()) {
        return Err(Error::Kind {
            what: "surface".to_owned(),
            expected: format!(
                "triangles, three vertices for each of its {} primitives",
                faces.capacity()
            ),
            found: format!("{corners} vertices"),
        });
    }
    let typed = |class, name, ty: Type| {
        let held = surface.column(class, name)?;
        match held.ty == ty {
            true => Ok(&held.column),
            false => Err(Error::Kind {
                what: format!("surface: {}.{name}", class.name()),
                expected: ty.name().to_owned(),
                found: held.ty.name().to_owned(),
            }),
        }
    };
    let normals = surface
        .attribute(Class::Point, "N")
        .filter(|held| held.ty == Type::Vec3);
    Ok(Some(Triangles {
        faces: faces.domain(),
        starts: typed(Class::Primitive, "vstart", Type::Int)?,
        sides: typed(Class::Primitive, "vcount", Type::Int)?,
        corners: typed(Class::Vertex, "pt", Type::Int)?,
        places: typed(Class::Point, "P", Type::Vec3)?,
        normals: normals.map(|held| &held.column),
    }))
}

fn no_samples(cx: &Cook<'_>) -> Result<Geometry> {
    let mut samples = Geometry::new();
    samples.set(Class::Point, "P", cx.device().column(Element::F32, 3, 0)?, Type::Vec3)?;
    samples.set(Class::Point, "N", cx.device().column(Element::F32, 3, 0)?, Type::Vec3)?;
    samples.set(Class::Point, "id", cx.device().column(Element::I32, 1, 0)?, Type::Int)?;
    Ok(samples)
}

impl SampleSurface {
    /// The state that the draws of a channel go on from.
    fn channel(&self, name: &str) -> u32 {
        Scope::new(self.seed).text("points").text(name).state()
    }

    fn throw(&self, cx: &mut Cook<'_>, mesh: &Triangles<'_>, count: u32) -> Result<Geometry> {
        let rec = cx.recorder();
        let faces = mesh.faces.clone();
        let arguments = args! { vstart: mesh.starts, vcount: mesh.sides, corners: mesh.corners, places: mesh.places };
        // Areas of faces past a live count are 0, so all of them are weighed.
        let area = rec
            .dispatch(&kernels::AREA, arguments, faces)?
            .column("area")?
            .as_capacity();
        let whole = reduce(rec, &area, Reduce::Sum)?;
        let budget = WEIGHTS - area.capacity() as f32;
        let arguments = args! { area: &area, whole: &whole, budget: budget };
        let weights = rec
            .dispatch(&kernels::WEIGH, arguments, Domain::of(&area))?
            .column("weight")?;
        let running = scan(rec, &weights, Form::Inclusive)?;
        let arguments = args! { total: &running.total, count: count };
        let live = rec
            .dispatch(&kernels::THROWN, arguments, Domain::count(1))?
            .column("thrown")?;
        let arguments = args! { running: &running.dst, total: &running.total, state: self.channel("face") };
        let picked = rec.dispatch(&kernels::PICK, arguments, Domain::count(count))?;
        let arguments = args! {
            face: &picked.column("face")?,
            vstart: mesh.starts,
            corners: mesh.corners,
            places: mesh.places,
            normals: mesh.normals.unwrap_or(mesh.places),
            across: self.channel("across"),
            along: self.channel("along"),
            NORMALS: if mesh.normals.is_some() { "points" } else { "face" },
        };
        let placed = rec.dispatch(&kernels::PLACE, arguments, Domain::count(count))?;
        let mut samples = Geometry::new();
        samples.set_count(
            Class::Point,
            Count::Live {
                count: live.clone(),
                capacity: count,
            },
        )?;
        samples.set(Class::Point, "P", placed.column("place")?.with_live(&live)?, Type::Vec3)?;
        samples.set(Class::Point, "N", placed.column("up")?.with_live(&live)?, Type::Vec3)?;
        samples.set(Class::Point, "id", picked.column("id")?.with_live(&live)?, Type::Int)?;
        Ok(samples)
    }
}
