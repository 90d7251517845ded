//! Columns made from nothing: ramps, lattices of points and the triangles over them.

use std::ops::Range;

use crate::{
    Column, Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Domain, Element, Error, Kernel, Param, PerElement,
    Recorder, Result, Rule, args,
};

/// Every element by itself, from its number alone.
const fn made(inert: Param) -> PerElement {
    PerElement {
        writes: "dst",
        own: &[],
        inert,
    }
}

/// [`ramp`].
pub static RAMP: Kernel = Kernel::declare("ramp")
    .write("dst", Element::I32, Rule::Domain)
    .param("start", Param::I32(0))
    .param("step", Param::I32(1))
    .determinism(Determinism::Exact)
    .fusion(made(Param::I32(-1)))
    .wgsl(include_str!("ramp.wgsl"))
    .cpu(Cpu::Ranges(ramp_twin));

/// `dst[i] = start + i * step`, wrapping, over the domain; -1 past the live count.
///
/// Cost: 1 pass.
///
/// # Errors
/// Those of [`Recorder::dispatch`].
pub fn ramp(rec: &mut Recorder, domain: Domain, start: i32, step: i32) -> Result<Column> {
    let done = rec.dispatch(&RAMP, args! { start: start, step: step }, domain)?;
    done.column("dst")
}

fn ramp_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let (start, step, live) = (p.i32("start")?, p.i32("step")?, p.live() as usize);
    for (to, i) in b.write::<i32>("dst")?.iter_mut().zip(range) {
        *to = if i < live {
            start.wrapping_add((i as i32).wrapping_mul(step))
        } else {
            -1
        };
    }
    Ok(())
}

/// [`lattice`].
pub static LATTICE: Kernel = Kernel::declare("lattice")
    .write("dst", Element::F32, Rule::Lanes(3))
    .param("count_x", Param::U32(1))
    .param("count_y", Param::U32(1))
    .param("origin_x", Param::F32(0.0))
    .param("origin_y", Param::F32(0.0))
    .param("origin_z", Param::F32(0.0))
    .param("spacing_x", Param::F32(1.0))
    .param("spacing_y", Param::F32(1.0))
    .param("spacing_z", Param::F32(1.0))
    .determinism(Determinism::Exact)
    .fusion(made(Param::F32(0.0)))
    .wgsl(include_str!("lattice.wgsl"))
    .cpu(Cpu::Ranges(lattice_twin));

/// Points in rows, columns and layers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    /// Points along each axis; X runs fastest, then Y, then Z.
    pub counts: [u32; 3],
    /// The first point.
    pub origin: [f32; 3],
    /// From a point to the next along each axis.
    pub spacing: [f32; 3],
}

impl Default for Lattice {
    /// A single point at the origin.
    fn default() -> Self {
        Self {
            counts: [1; 3],
            origin: [0.0; 3],
            spacing: [1.0; 3],
        }
    }
}

/// The points of a lattice, `origin + spacing * (x, y, z)`: one product and one sum a lane, each rounded.
///
/// Cost: 1 pass.
///
/// # Errors
/// [`Error::TooMany`] past 2^32 - 1 points, [`Error::Invalid`] for a number that is not finite.
pub fn lattice(rec: &mut Recorder, points: Lattice) -> Result<Column> {
    check_finite("origin", points.origin)?;
    check_finite("spacing", points.spacing)?;
    let [x, y, z] = points.counts;
    let n = elements("points of a lattice", u128::from(x) * u128::from(y) * u128::from(z))?;
    let arguments = args! {
        count_x: x, count_y: y,
        origin_x: points.origin[0], origin_y: points.origin[1], origin_z: points.origin[2],
        spacing_x: points.spacing[0], spacing_y: points.spacing[1], spacing_z: points.spacing[2],
    };
    rec.dispatch(&LATTICE, arguments, Domain::count(n))?.column("dst")
}

/// Refuses numbers of a lattice that are not finite.
pub(super) fn check_finite(what: &str, values: [f32; 3]) -> Result<()> {
    match values.iter().find(|value| !value.is_finite()) {
        None => Ok(()),
        Some(bad) => Err(Error::Invalid {
            what: format!("{what} of a lattice"),
            expected: "finite numbers".to_owned(),
            found: format!("{bad}"),
        }),
    }
}

/// A count that must fit the elements of a column.
pub(super) fn elements(what: &str, count: u128) -> Result<u32> {
    u32::try_from(count).map_err(|_| Error::TooMany {
        what: what.to_owned(),
        found: u64::try_from(count).unwrap_or(u64::MAX),
        limit: u64::from(u32::MAX),
    })
}

fn lattice_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let (count_x, count_y) = (p.u32("count_x")?.max(1) as usize, p.u32("count_y")?.max(1) as usize);
    let origin = [p.f32("origin_x")?, p.f32("origin_y")?, p.f32("origin_z")?];
    let spacing = [p.f32("spacing_x")?, p.f32("spacing_y")?, p.f32("spacing_z")?];
    let live = p.live() as usize;
    for (to, i) in b.write::<f32>("dst")?.chunks_exact_mut(3).zip(range) {
        if i >= live {
            to.fill(0.0);
            continue;
        }
        let at = [i % count_x, (i / count_x) % count_y, i / count_x / count_y];
        for (lane, to) in to.iter_mut().enumerate() {
            *to = origin[lane] + spacing[lane] * at[lane] as f32;
        }
    }
    Ok(())
}

/// [`grid_faces`].
pub static GRID_FACES: Kernel = Kernel::declare("grid_faces")
    .write("dst", Element::I32, Rule::Lanes(3))
    .param("count_x", Param::U32(2))
    .determinism(Determinism::Exact)
    .fusion(made(Param::I32(-1)))
    .wgsl(include_str!("grid_faces.wgsl"))
    .cpu(Cpu::Ranges(grid_faces_twin));

/// Two triangles for each cell of a sheet of `count_x` times `count_z` points (X runs fastest), as point numbers
/// (`i32`, 3 lanes), counter-clockwise seen from +Y. Fewer than two points along an axis make no triangle.
///
/// Cost: 1 pass.
///
/// # Errors
/// [`Error::TooMany`] past 2^32 - 1 triangles.
pub fn grid_faces(rec: &mut Recorder, count_x: u32, count_z: u32) -> Result<Column> {
    let cells = u128::from(count_x.saturating_sub(1)) * u128::from(count_z.saturating_sub(1));
    let n = elements("triangles of a grid", cells * 2)?;
    rec.dispatch(&GRID_FACES, args! { count_x: count_x }, Domain::count(n))?
        .column("dst")
}

fn grid_faces_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let count_x = p.u32("count_x")?.max(2) as usize;
    let cells_x = count_x - 1;
    let live = p.live() as usize;
    for (to, i) in b.write::<i32>("dst")?.chunks_exact_mut(3).zip(range) {
        if i >= live {
            to.fill(-1);
            continue;
        }
        let cell = i / 2;
        let a = (cell / cells_x) * count_x + cell % cells_x;
        let (near, far) = (a as i32, (a + count_x) as i32);
        to.copy_from_slice(&if i % 2 == 0 {
            [near, far, near + 1]
        } else {
            [near + 1, far, far + 1]
        });
    }
    Ok(())
}

/// [`fan`].
pub static FAN: Kernel = Kernel::declare("fan")
    .write("dst", Element::I32, Rule::Lanes(3))
    .param("hub", Param::U32(0))
    .param("first", Param::U32(1))
    .param("ring", Param::U32(3))
    .determinism(Determinism::Exact)
    .fusion(made(Param::I32(-1)))
    .wgsl(include_str!("fan.wgsl"))
    .cpu(Cpu::Ranges(fan_twin));

/// The triangles (`i32`, 3 lanes) that join the point `hub` to each side of a closed ring of `ring` points from
/// `first` on: `(hub, first + i, first + (i + 1) % ring)`. A ring of fewer than two points makes no triangle.
///
/// Cost: 1 pass.
///
/// # Errors
/// Those of [`Recorder::dispatch`].
pub fn fan(rec: &mut Recorder, hub: u32, first: u32, ring: u32) -> Result<Column> {
    let n = if ring < 2 { 0 } else { ring };
    rec.dispatch(&FAN, args! { hub: hub, first: first, ring: ring }, Domain::count(n))?
        .column("dst")
}

fn fan_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let (hub, first, ring) = (p.u32("hub")?, p.u32("first")?, p.u32("ring")?.max(1));
    let live = p.live() as usize;
    for (to, i) in b.write::<i32>("dst")?.chunks_exact_mut(3).zip(range) {
        if i >= live {
            to.fill(-1);
            continue;
        }
        let i = i as u32;
        let points = [hub, first.wrapping_add(i), first.wrapping_add((i + 1) % ring)];
        to.copy_from_slice(&points.map(u32::cast_signed));
    }
    Ok(())
}
