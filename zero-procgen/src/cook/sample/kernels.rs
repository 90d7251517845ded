//! The kernels that throw samples onto triangles, each exact.

use super::triangle::{Mesh, blend, size_of, span, square_on, unit_of, vector};
use std::ops::Range;
use zero_compute::{Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Element, Kernel, Param, Result, Rule};

/// No triangle whose doubled area lies outside is chosen, so that no product leaves the range of floats.
const AREAS: std::ops::RangeInclusive<f32> = 1e-18..=1e18;

/// Twice the area of each face; 0 for one that is no triangle, has a corner that is no point or is not finite, or
/// whose area is out of range.
pub(super) static AREA: Kernel = Kernel::declare("surface_area")
    .read("vstart", Element::I32)
    .read("vcount", Element::I32)
    .read("corners", Element::I32)
    .read("places", Element::F32)
    .write("area", Element::F32, Rule::Domain)
    .determinism(Determinism::Exact)
    .wgsl(concat!(include_str!("triangle.wgsl"), include_str!("area.wgsl")))
    .cpu(Cpu::Ranges(area));

fn area(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let mesh = mesh(b)?;
    let sides = b.read::<i32>("vcount")?;
    for (face, to) in range.zip(b.write::<f32>("area")?) {
        let is_triangle = face < p.live() as usize && sides.get(face) == Some(&3);
        *to = if is_triangle { doubled_area(mesh, face) } else { 0.0 };
    }
    Ok(())
}

fn doubled_area(mesh: Mesh<'_>, face: usize) -> f32 {
    let Some(corners) = mesh.corners_of(face) else {
        return 0.0;
    };
    let [a, b, c] = corners.map(|point| vector(mesh.places, point));
    if [a, b, c].iter().flatten().any(|lane| !lane.is_finite()) {
        return 0.0;
    }
    let size = size_of(square_on(span(a, b), span(a, c)));
    if AREAS.contains(&size) { size } else { 0.0 }
}

fn mesh<'a>(b: &CpuBindings<'a>) -> Result<Mesh<'a>> {
    Ok(Mesh {
        starts: b.read("vstart")?,
        corners: b.read("corners")?,
        places: b.read("places")?,
    })
}

/// Each face's share of `budget`, by its part of the whole area, rounded to a whole number.
pub(super) static WEIGH: Kernel = Kernel::declare("surface_weigh")
    .read("area", Element::F32)
    .read("whole", Element::F32)
    .write("weight", Element::U32, Rule::Domain)
    .param("budget", Param::F32(1.0))
    .determinism(Determinism::Exact)
    .wgsl(include_str!("weigh.wgsl"))
    .cpu(Cpu::Ranges(weigh));

fn weigh(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let (areas, whole) = (b.read::<f32>("area")?, b.read::<f32>("whole")?);
    let scale = zero_noise::div(p.f32("budget")?, whole.first().copied().unwrap_or(0.0));
    for (to, area) in b.write::<u32>("weight")?.iter_mut().zip(areas.iter().skip(range.start)) {
        *to = (area * scale + 0.5).floor() as u32;
    }
    Ok(())
}

/// How many samples there are: `count`, or none where no face weighs anything.
pub(super) static THROWN: Kernel = Kernel::declare("surface_thrown")
    .read("total", Element::U32)
    .write("thrown", Element::U32, Rule::Domain)
    .param("count", Param::U32(0))
    .determinism(Determinism::Exact)
    .wgsl(include_str!("thrown.wgsl"))
    .cpu(Cpu::Ranges(thrown));

fn thrown(_range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let count = match b.read::<u32>("total")?.first() {
        None | Some(0) => 0,
        Some(_) => p.u32("count")?,
    };
    b.write::<u32>("thrown")?.fill(count);
    Ok(())
}

/// The face and the number of each sample. `running` holds the sums of the weights up to each face, so that a face
/// without weight is never the first above a draw.
pub(super) static PICK: Kernel = Kernel::declare("surface_pick")
    .read("running", Element::U32)
    .read("total", Element::U32)
    .write("face", Element::I32, Rule::Domain)
    .write("id", Element::I32, Rule::Domain)
    .param("state", Param::U32(0))
    .determinism(Determinism::Exact)
    .wgsl(include_str!("pick.wgsl"))
    .cpu(Cpu::Ranges(pick));

fn pick(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let (running, state) = (b.read::<u32>("running")?, p.u32("state")?);
    let total = b.read::<u32>("total")?.first().copied().unwrap_or(0);
    let (faces, ids) = (b.write::<i32>("face")?, b.write::<i32>("id")?);
    for ((face, id), sample) in faces.iter_mut().zip(ids).zip(range) {
        let sample = sample as u32;
        let hash = zero_noise::finish(zero_noise::fold_u32(state, sample));
        let drawn = ((u64::from(hash) * u64::from(total)) >> 32) as u32;
        let found = running.partition_point(|sum| *sum <= drawn);
        *face = if found < running.len() { found as i32 } else { -1 };
        *id = sample.cast_signed();
    }
    Ok(())
}

/// Where in its face each sample lies, and the unit normal there: that of the points, else the face's own.
pub(super) static PLACE: Kernel = Kernel::declare("surface_place")
    .read("face", Element::I32)
    .read("vstart", Element::I32)
    .read("corners", Element::I32)
    .read("places", Element::F32)
    .read("normals", Element::F32)
    .write("place", Element::F32, Rule::Lanes(3))
    .write("up", Element::F32, Rule::Lanes(3))
    .param("across", Param::U32(0))
    .param("along", Param::U32(0))
    .specialize("NORMALS", &["face", "points"])
    .determinism(Determinism::Exact)
    .wgsl(concat!(include_str!("triangle.wgsl"), include_str!("place.wgsl")))
    .cpu(Cpu::Ranges(place));

fn place(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let mesh = mesh(b)?;
    let (faces, normals) = (b.read::<i32>("face")?, b.read::<f32>("normals")?);
    let has_normals = p.option("NORMALS")? == "points";
    let (across, along) = (p.u32("across")?, p.u32("along")?);
    let places = b.write::<f32>("place")?.chunks_exact_mut(3);
    let ups = b.write::<f32>("up")?.chunks_exact_mut(3);
    for ((to, up), sample) in places.zip(ups).zip(range) {
        let face = faces.get(sample).and_then(|face| usize::try_from(*face).ok());
        let Some(corners) = face.and_then(|face| mesh.corners_of(face)) else {
            to.fill(0.0);
            up.fill(0.0);
            continue;
        };
        let [a, b, c] = corners.map(|point| vector(mesh.places, point));
        let sample = sample as u32;
        let (mut u, mut v) = (zero_noise::draw(across, sample), zero_noise::draw(along, sample));
        // A draw from the square; the half past the diagonal turns over onto the triangle.
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        to.copy_from_slice(&blend(a, b, c, u, v));
        let mut normal = [0.0; 3];
        if has_normals {
            let [a, b, c] = corners.map(|point| vector(normals, point));
            normal = unit_of(blend(a, b, c, u, v));
        }
        if normal == [0.0; 3] {
            normal = unit_of(square_on(span(a, b), span(a, c)));
        }
        up.copy_from_slice(&normal);
    }
    Ok(())
}
