//! Two fields that are kernels by themselves: a column scaled, and noise at coordinates. [`Recorder::map`] computes any
//! other, and these too.

use std::ops::Range;

use crate::{
    Column, Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Domain, Element, Error, Kernel, Param, PerElement,
    Recorder, Result, Rule, args,
};

/// [`proc_field_scale`].
pub static PROC_FIELD_SCALE: Kernel = Kernel::declare("proc_field_scale")
    .read_domain("src", Element::F32)
    .write("dst", Element::F32, Rule::LanesOf("src"))
    .param("scale", Param::F32(1.0))
    .determinism(Determinism::Exact)
    .fusion(PerElement {
        writes: "dst",
        own: &["src"],
        inert: Param::F32(0.0),
    })
    .wgsl(include_str!("proc_field_scale.wgsl"))
    .cpu(Cpu::Ranges(scale_twin));

/// [`proc_field_noise`].
pub static PROC_FIELD_NOISE: Kernel = Kernel::declare("proc_field_noise")
    .read_domain("coords", Element::F32)
    .lanes(2)
    .write("dst", Element::F32, Rule::Domain)
    .param("seed", Param::I32(0))
    .param("freq", Param::F32(1.0))
    .determinism(Determinism::Exact)
    .fusion(PerElement {
        writes: "dst",
        own: &["coords"],
        inert: Param::F32(0.0),
    })
    .wgsl(include_str!("proc_field_noise.wgsl"))
    .cpu(Cpu::Ranges(noise_twin));

/// `dst[i] = src[i] * scale`, in every lane of a float column; 0 past its live count.
///
/// Cost: 1 pass.
///
/// # Errors
/// [`Error::WrongElement`] for integers, [`Error::WrongArg`](crate::Error::WrongArg) for a scale that is not finite.
pub fn proc_field_scale(rec: &mut Recorder, src: &Column, scale: f32) -> Result<Column> {
    finite(&PROC_FIELD_SCALE, "scale", scale)?;
    rec.dispatch(&PROC_FIELD_SCALE, args! { src: src, scale: scale }, Domain::of(src))?
        .column("dst")
}

/// Value noise in the plane, in `[0, 1)`: `dst[i]` is [`value2`](zero_noise::noise::value2) of `seed` at
/// `coords[i] * freq` (`f32`, 2 lanes); 0 past the live count. The seed's bits are the noise's.
///
/// Cost: 1 pass.
///
/// # Errors
/// [`Error::WrongShape`] for other than 2 lanes, [`Error::WrongElement`] for integers,
/// [`Error::WrongArg`](crate::Error::WrongArg) for a frequency that is not finite.
pub fn proc_field_noise(rec: &mut Recorder, coords: &Column, seed: i32, freq: f32) -> Result<Column> {
    if coords.lanes() != 2 {
        return Err(super::shape(
            PROC_FIELD_NOISE.name(),
            "coords",
            "2 lanes".to_owned(),
            coords,
        ));
    }
    finite(&PROC_FIELD_NOISE, "freq", freq)?;
    let arguments = args! { coords: coords, seed: seed, freq: freq };
    rec.dispatch(&PROC_FIELD_NOISE, arguments, Domain::of(coords))?
        .column("dst")
}

fn finite(kernel: &Kernel, name: &str, number: f32) -> Result<()> {
    if number.is_finite() {
        return Ok(());
    }
    Err(Error::WrongArg {
        kernel: kernel.name().to_owned(),
        name: name.to_owned(),
        expected: "a finite number".to_owned(),
        found: number.to_string(),
    })
}

fn scale_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let live = range.start.max(range.end.min(p.live() as usize));
    let src = b.part::<f32>("src", range.start..live)?;
    let (dst, scale) = (b.write::<f32>("dst")?, p.f32("scale")?);
    let (own, past) = dst.split_at_mut(src.len().min(dst.len()));
    past.fill(0.0);
    for (to, from) in own.iter_mut().zip(src) {
        *to = from * scale;
    }
    Ok(())
}

fn noise_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let live = range.start.max(range.end.min(p.live() as usize));
    let coords = b.part::<f32>("coords", range.start..live)?;
    let (seed, freq) = (p.i32("seed")?.cast_unsigned(), p.f32("freq")?);
    let dst = b.write::<f32>("dst")?;
    dst.fill(0.0);
    for (to, at) in dst.iter_mut().zip(coords.as_chunks::<2>().0) {
        let [x, y] = at.map(|along| along * freq);
        *to = zero_noise::noise::value2(seed, x, y);
    }
    Ok(())
}
