//! Lanes copied from one column into another.

use std::ops::Range;

use super::number::Number;
use super::parallel::part;
use super::{for_element, same_length, shape};
use crate::{
    Column, Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Domain, Element, Kernel, Param, RangesFn, Recorder,
    Result, args,
};

const fn declare(name: &'static str, element: Element, wgsl: &'static str, twin: RangesFn) -> Kernel {
    Kernel::declare(name)
        .read_domain("src", element)
        .inout("dst", element)
        .param("src_lane", Param::U32(0))
        .param("dst_lane", Param::U32(0))
        .param("lanes", Param::U32(1))
        .determinism(Determinism::Exact)
        .wgsl(wgsl)
        .cpu(Cpu::Ranges(twin))
}

/// [`copy_lanes`] of floats.
pub static COPY_LANES_F32: Kernel = declare(
    "copy_lanes_f32",
    Element::F32,
    concat!("alias T = f32;\n", include_str!("copy_lanes.wgsl")),
    twin::<f32>,
);
/// [`copy_lanes`] of signed integers.
pub static COPY_LANES_I32: Kernel = declare(
    "copy_lanes_i32",
    Element::I32,
    concat!("alias T = i32;\n", include_str!("copy_lanes.wgsl")),
    twin::<i32>,
);
/// [`copy_lanes`] of unsigned integers.
pub static COPY_LANES_U32: Kernel = declare(
    "copy_lanes_u32",
    Element::U32,
    concat!("alias T = u32;\n", include_str!("copy_lanes.wgsl")),
    twin::<u32>,
);

/// Copies `lanes` neighbouring lanes of every element of `src`, from lane `from` on, into `dst`, from lane `to` on.
/// The other lanes of `dst` stand. Both columns have the same kind and number of elements.
///
/// Past the live count of `src` zeros are written.
///
/// Cost: 1 pass.
///
/// # Errors
/// [`Error::WrongShape`](crate::Error::WrongShape) where a column lacks the lanes, or the lengths differ.
pub fn copy_lanes(rec: &mut Recorder, src: &Column, from: u32, dst: &Column, to: u32, lanes: u32) -> Result<()> {
    let kernel = for_element(src.element(), &COPY_LANES_F32, &COPY_LANES_I32, &COPY_LANES_U32);
    for (name, column, first) in [("src", src, from), ("dst", dst, to)] {
        if u64::from(first) + u64::from(lanes) > u64::from(column.lanes()) {
            return Err(shape(
                kernel.name(),
                name,
                format!("lanes from {first} to {}", first + lanes),
                column,
            ));
        }
    }
    let domain = Domain::of(src);
    same_length(kernel.name(), "dst", dst, &domain)?;
    rec.dispatch(
        kernel,
        args! { src: src, dst: dst, src_lane: from, dst_lane: to, lanes: lanes },
        domain,
    )?;
    Ok(())
}

fn twin<T: Number>(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let (src_lanes, dst_lanes) = (b.lanes("src") as usize, b.lanes("dst") as usize);
    let (from, to, lanes) = (
        p.u32("src_lane")? as usize,
        p.u32("dst_lane")? as usize,
        p.u32("lanes")? as usize,
    );
    let live = range.start.max(range.end.min(p.live() as usize));
    let src = part(
        b.kernel,
        "src",
        b.read::<T>("src")?,
        range.start * src_lanes..live * src_lanes,
    )?;
    let dst = b.write::<T>("dst")?;
    let live_words = (live - range.start) * dst_lanes;
    for (k, element) in dst.chunks_exact_mut(dst_lanes.max(1)).enumerate() {
        let own = element.get_mut(to..to + lanes).unwrap_or_default();
        if k * dst_lanes < live_words {
            let first = k * src_lanes + from;
            own.iter_mut()
                .zip(part(b.kernel, "src", src, first..first + lanes)?)
                .for_each(|(to, from)| *to = *from);
        } else {
            own.fill(T::default());
        }
    }
    Ok(())
}
