//! Values on a lattice read at points between its own, and added to it from such points.

use std::ops::Range;

use super::make::{Lattice, check_finite, elements};
use super::parallel::{CHUNK, part};
use super::positions::{place_of, three_lanes};
use super::scatter::{FIXED_SETTLE, to_units, workspace};
use super::{same_length, shape};
use crate::{
    Args, Column, Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Domain, Element, Error, Kernel, Param, Recorder,
    Result, Rule, args,
};

/// How near a position is to a lattice point that it may have been before it was rounded, in terms of what is subtracted:
/// four roundings of half a unit in the last place each.
pub(super) const SLACK: f32 = 1.0 / 4_194_304.0;

/// What the kernels that look into a lattice are told.
pub(super) const fn over_lattice(kernel: Kernel) -> Kernel {
    kernel
        .read_domain("points", Element::F32)
        .lanes(3)
        .param("count_x", Param::U32(1))
        .param("count_y", Param::U32(1))
        .param("count_z", Param::U32(1))
        .param("origin_x", Param::F32(0.0))
        .param("origin_y", Param::F32(0.0))
        .param("origin_z", Param::F32(0.0))
        .param("spacing_x", Param::F32(1.0))
        .param("spacing_y", Param::F32(1.0))
        .param("spacing_z", Param::F32(1.0))
        .determinism(Determinism::Exact)
}

/// [`grid_sample`].
pub static GRID_SAMPLE: Kernel = over_lattice(Kernel::declare("grid_sample").read("values", Element::F32))
    .write("dst", Element::F32, Rule::LanesOf("values"))
    .wgsl(concat!(
        include_str!("lattice_cell.wgsl"),
        include_str!("grid_sample.wgsl")
    ))
    .cpu(Cpu::Ranges(sample_twin));

/// First half of [`grid_splat`]: `arrived` gathers units of 1 / `scale`, a power of two.
pub static GRID_SPLAT: Kernel = over_lattice(Kernel::declare("grid_splat").read_domain("values", Element::F32))
    .atomic("arrived", Element::I32)
    .param("scale", Param::F32(65536.0))
    .wgsl(concat!(
        include_str!("lattice_cell.wgsl"),
        include_str!("fixed.wgsl"),
        include_str!("grid_splat.wgsl")
    ))
    .cpu(Cpu::Whole(splat_twin));

/// Reads `values` (`f32`, any lanes, one an element of `lattice`, X fastest) at `points` (`f32`, 3 lanes): trilinear
/// between the eight lattice points around each. Along an axis of a single point nothing is blended, so that a sheet is
/// read bilinearly, whichever plane it lies in. A field of cells is the lattice of its cells' centres.
///
/// At a lattice point the answer is the value there, bit for bit: a coordinate `x` closer to one than
/// `2^-22 (|x| + |origin|)`, which is what its rounding may have taken from it, counts as it. Outside the lattice the
/// nearest point of it counts. A coordinate that is no number counts as 0. A slot past the live count of
/// `points` is zeros.
///
/// Cost: 1 pass; 8 reads and 7 blends a lane.
///
/// # Errors
/// [`Error::Invalid`] for an origin that is not finite or a spacing that is not positive and finite, or an axis of no
/// points; [`Error::WrongShape`] where `points` has not 3 lanes or `values` another number of elements,
/// [`Error::WrongElement`] for other than floats.
pub fn grid_sample(rec: &mut Recorder, values: &Column, lattice: Lattice, points: &Column) -> Result<Column> {
    let arguments = arguments(GRID_SAMPLE.name(), lattice)?;
    three_lanes(GRID_SAMPLE.name(), "points", points)?;
    of_lattice(GRID_SAMPLE.name(), "values", values, lattice)?;
    let arguments = arguments.with("values", values).with("points", points);
    rec.dispatch(&GRID_SAMPLE, arguments, Domain::of(points))?.column("dst")
}

/// Adds `values` (`f32`, any lanes, one a point) at `points` (`f32`, 3 lanes) to `dst` (as many lanes, one an element of
/// `lattice`) in place: each value is shared among the eight lattice points around by the weights with which
/// [`grid_sample`] reads them. Shares are added in fixed point, as those of
/// [`Scatter::AddFixed`](super::Scatter::AddFixed), so that their order does not matter: `fraction_bits`, the rounding
/// and the range are said there. Points past the live count add nothing.
///
/// Cost: 3 passes (a fill, the arrivals by atomic operations, the settling), with a word of workspace a word of `dst`.
///
/// # Errors
/// Those of [`grid_sample`], [`Error::WrongShape`] where `values` and `points` or the lanes of `dst` differ,
/// [`Error::Invalid`] for more than 30 bits.
pub fn grid_splat(
    rec: &mut Recorder,
    values: &Column,
    points: &Column,
    lattice: Lattice,
    dst: &Column,
    fraction_bits: u32,
) -> Result<()> {
    rec.all_or_nothing(|rec| grid_splat_steps(rec, values, points, lattice, dst, fraction_bits))
}

fn grid_splat_steps(
    rec: &mut Recorder,
    values: &Column,
    points: &Column,
    lattice: Lattice,
    dst: &Column,
    fraction_bits: u32,
) -> Result<()> {
    let name = GRID_SPLAT.name();
    let arguments = arguments(name, lattice)?;
    if fraction_bits > 30 {
        return Err(Error::Invalid {
            what: format!("fraction bits of `{name}`"),
            expected: "at most 30".to_owned(),
            found: fraction_bits.to_string(),
        });
    }
    three_lanes(name, "points", points)?;
    let domain = Domain::of(points);
    same_length(name, "values", values, &domain)?;
    of_lattice(name, "dst", dst, lattice)?;
    if dst.lanes() != values.lanes() {
        return Err(shape(
            name,
            "dst",
            format!("{} lanes, as values has", values.lanes()),
            dst,
        ));
    }
    rec.check_column(name, "dst", Element::F32, dst)?;
    let scale = (1u32 << fraction_bits) as f32;
    let arrived = workspace(rec, dst, Element::I32, 0)?;
    let arguments = arguments
        .with("values", values)
        .with("points", points)
        .with("arrived", &arrived)
        .with("scale", scale);
    rec.dispatch(&GRID_SPLAT, arguments, domain)?;
    rec.dispatch(
        &FIXED_SETTLE,
        args! { arrived: &arrived, dst: dst, unit: 1.0 / scale },
        Domain::of(&dst.as_capacity()),
    )?;
    Ok(())
}

/// What such a kernel is told of a lattice.
///
/// # Errors
/// [`Error::Invalid`] for a lattice that nothing can stand in.
pub(super) fn arguments(kernel: &str, lattice: Lattice) -> Result<Args> {
    check_finite("origin", lattice.origin)?;
    let [count_x, count_y, count_z] = lattice.counts;
    let bad = |what: &str, expected: &str, found: String| {
        Err(Error::Invalid {
            what: format!("{what} of the lattice of `{kernel}`"),
            expected: expected.to_owned(),
            found,
        })
    };
    if let Some(spacing) = lattice
        .spacing
        .iter()
        .find(|spacing| !(spacing.is_normal() && **spacing > 0.0))
    {
        return bad("spacing", "positive finite numbers", spacing.to_string());
    }
    if lattice.counts.contains(&0) {
        return bad(
            "points",
            "at least one along each axis",
            format!("{:?}", lattice.counts),
        );
    }
    let ([origin_x, origin_y, origin_z], [spacing_x, spacing_y, spacing_z]) = (lattice.origin, lattice.spacing);
    Ok(args! {
        count_x: count_x, count_y: count_y, count_z: count_z,
        origin_x: origin_x, origin_y: origin_y, origin_z: origin_z,
        spacing_x: spacing_x, spacing_y: spacing_y, spacing_z: spacing_z,
    })
}

/// Refuses a column that is not an element a lattice point.
fn of_lattice(kernel: &str, binding: &str, column: &Column, lattice: Lattice) -> Result<()> {
    let count = elements("points of a lattice", lattice.counts.map(u128::from).iter().product())?;
    if column.capacity() == count {
        return Ok(());
    }
    Err(shape(
        kernel,
        binding,
        format!("{count} elements, as the lattice has"),
        column,
    ))
}

/// Where a point stands along an axis: the twin of `lattice_cell.wgsl`.
#[derive(Clone, Copy)]
pub(super) struct Between {
    pub(super) low: usize,
    pub(super) high: usize,
    pub(super) part: f32,
}

/// An axis of a lattice.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    origin: f32,
    spacing: f32,
    count: u32,
}

impl Axis {
    pub(super) fn all(p: &CpuParams<'_>) -> Result<[Axis; 3]> {
        let axis = |origin, spacing, count| {
            Ok(Axis {
                origin: p.f32(origin)?,
                spacing: p.f32(spacing)?,
                count: p.u32(count)?.max(1),
            })
        };
        Ok([
            axis("origin_x", "spacing_x", "count_x")?,
            axis("origin_y", "spacing_y", "count_y")?,
            axis("origin_z", "spacing_z", "count_z")?,
        ])
    }

    /// `x` is clean.
    pub(super) fn between(self, x: f32) -> Between {
        let mut u = zero_noise::div(x - self.origin, self.spacing);
        let slack = zero_noise::div((x.abs() + self.origin.abs()) * SLACK, self.spacing);
        let whole = zero_noise::floor(u + 0.5);
        if (u - whole).abs() <= slack {
            u = whole;
        }
        let last = self.count - 1;
        let u = u.clamp(0.0, last as f32);
        let low = zero_noise::floor(u);
        let at = (low as u32).min(last);
        Between {
            low: at as usize,
            high: (at + 1).min(last) as usize,
            part: u - low,
        }
    }
}

fn sample_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let axes = Axis::all(p)?;
    let [count_x, count_y, _] = axes.map(|axis| axis.count as usize);
    let lanes = (b.lanes("values") as usize).max(1);
    let (values, points) = (b.read::<f32>("values")?, b.read::<f32>("points")?);
    let blend = |a: f32, b: f32, part: f32| a + (b - a) * part;
    for (dst, i) in b.write::<f32>("dst")?.chunks_exact_mut(lanes).zip(range) {
        if i >= p.live() as usize {
            dst.fill(0.0);
            continue;
        }
        let place = place_of(points, i);
        let [x, y, z] = [0, 1, 2].map(|axis: usize| axes[axis].between(place[axis]));
        for (lane, to) in dst.iter_mut().enumerate() {
            let value = |x, y, z| {
                let at = ((z * count_y + y) * count_x + x) * lanes + lane;
                values.get(at).copied().unwrap_or_default()
            };
            let row = |y, z| blend(value(x.low, y, z), value(x.high, y, z), x.part);
            let sheet = |z| blend(row(y.low, z), row(y.high, z), y.part);
            *to = blend(sheet(z.low), sheet(z.high), z.part);
        }
    }
    Ok(())
}

fn splat_twin(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let axes = Axis::all(p)?;
    let [count_x, count_y, _] = axes.map(|axis| axis.count as usize);
    let lanes = (b.lanes("values") as usize).max(1);
    let live = p.live() as usize;
    let values = part(b.kernel, "values", b.read::<f32>("values")?, 0..live * lanes)?;
    let points = b.read::<f32>("points")?;
    let scale = p.f32("scale")?;
    let arrived = b.write::<i32>("arrived")?;
    for (i, values) in values.chunks_exact(lanes).enumerate() {
        if i % CHUNK == 0 {
            x.checkpoint()?;
        }
        let place = place_of(points, i);
        let [x, y, z] = [0, 1, 2].map(|axis: usize| {
            let at = axes[axis].between(place[axis]);
            [(at.low, 1.0 - at.part), (at.high, at.part)]
        });
        for (z, share_z) in z {
            for (y, share_y) in y {
                for (x, share_x) in x {
                    let weight = share_x * share_y * share_z;
                    let first = ((z * count_y + y) * count_x + x) * lanes;
                    let cell = arrived.get_mut(first..first + lanes).unwrap_or_default();
                    for (units, value) in cell.iter_mut().zip(values) {
                        *units = units.wrapping_add(to_units(value * weight, scale));
                    }
                }
            }
        }
    }
    Ok(())
}
