//! Elements read through an index.

use std::ops::Range;

use super::number::Number;
use super::{for_element, one_lane};
use crate::{
    Column, Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Domain, Element, Kernel, Param, PerElement, RangesFn,
    Recorder, Result, Rule, args,
};

const fn declare(name: &'static str, element: Element, inert: Param, wgsl: &'static str, twin: RangesFn) -> Kernel {
    Kernel::declare(name)
        .read("src", element)
        .read_domain("index", Element::I32)
        .lanes(1)
        .write("dst", element, Rule::LanesOf("src"))
        .determinism(Determinism::Exact)
        .fusion(PerElement {
            writes: "dst",
            own: &["index"],
            inert,
        })
        .wgsl(wgsl)
        .cpu(Cpu::Ranges(twin))
}

/// [`gather`] of floats.
pub static GATHER_F32: Kernel = declare(
    "gather_f32",
    Element::F32,
    Param::F32(0.0),
    concat!("alias T = f32;\n", include_str!("gather.wgsl")),
    twin::<f32>,
);
/// [`gather`] of signed integers.
pub static GATHER_I32: Kernel = declare(
    "gather_i32",
    Element::I32,
    Param::I32(0),
    concat!("alias T = i32;\n", include_str!("gather.wgsl")),
    twin::<i32>,
);
/// [`gather`] of unsigned integers.
pub static GATHER_U32: Kernel = declare(
    "gather_u32",
    Element::U32,
    Param::U32(0),
    concat!("alias T = u32;\n", include_str!("gather.wgsl")),
    twin::<u32>,
);

/// `dst[i] = src[index[i]]`, with all lanes of `src`: as many elements as `index` (`i32`, one lane) has.
///
/// An index that names no element of `src`, and a slot past the live count, gives zeros. `src` is read up to its
/// capacity, whatever its own live count.
///
/// Cost: 1 pass.
///
/// # Errors
/// [`Error::WrongShape`](crate::Error::WrongShape) where `index` has more than one lane,
/// [`Error::WrongElement`](crate::Error::WrongElement) where it is not `i32`.
pub fn gather(rec: &mut Recorder, src: &Column, index: &Column) -> Result<Column> {
    let kernel = for_element(src.element(), &GATHER_F32, &GATHER_I32, &GATHER_U32);
    one_lane(kernel.name(), "index", index)?;
    let domain = Domain::of(index);
    let done = rec.dispatch(kernel, args! { src: src, index: index }, domain)?;
    done.column("dst")
}

fn twin<T: Number>(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let lanes = (b.lanes("src") as usize).max(1);
    let src = b.read::<T>("src")?;
    let live = range.start.max(range.end.min(p.live() as usize));
    let index = b.part::<i32>("index", range.start..live)?;
    let dst = b.write::<T>("dst")?;
    let (found, past) = dst.split_at_mut((index.len() * lanes).min(dst.len()));
    past.fill(T::default());
    if lanes == 1 {
        for (to, &from) in found.iter_mut().zip(index) {
            *to = usize::try_from(from)
                .ok()
                .and_then(|from| src.get(from))
                .copied()
                .unwrap_or_default();
        }
        return Ok(());
    }
    for (to, &from) in found.chunks_exact_mut(lanes).zip(index) {
        // Where `usize` has 32 bits the product may not fit, and names no element then.
        let first = usize::try_from(from).ok().and_then(|from| from.checked_mul(lanes));
        let element = first.and_then(|first| src.get(first..first.checked_add(lanes)?));
        match element {
            Some(element) => to.copy_from_slice(element),
            None => to.fill(T::default()),
        }
    }
    Ok(())
}
