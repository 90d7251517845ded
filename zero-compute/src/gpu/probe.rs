//! What a GPU does to float arithmetic, found by running it.

use crate::args::{Args, Domain};
use crate::column::Element;
use crate::device::{Device, DeviceClass};
use crate::error::Result;
use crate::kernel::{Determinism, Kernel, Rule};

static PROBE: Kernel = Kernel::declare("probe")
    .read("src", Element::F32)
    .write("dst", Element::F32, Rule::Same("src"))
    .determinism(Determinism::Pointwise { ulps: 1 })
    .wgsl(
        "@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i == 0u) { dst[0] = src[0] * src[0] + src[1]; }
    if (i == 1u) { dst[1] = src[2] * src[3]; }
    if (i > 1u && i < zero_n()) { dst[i] = 0.0; }
}",
    );

/// Runs the probe and notes the class.
pub(crate) async fn classify(device: &Device) -> Result<()> {
    // The square of 1 + 2^-12 ends in a bit that rounding drops and fusing keeps.
    let a = 1.0 + (-12.0f32).exp2();
    let rounded = 1.0 + (-11.0f32).exp2();
    let src = device.upload(&[a, -rounded, f32::MIN_POSITIVE, 0.5], 1)?;
    let mut recorder = device.record("probe");
    let probe = recorder.dispatch(&PROBE, Args::new().with("src", &src), Domain::of(&src))?;
    recorder.finish()?.submit()?;
    let answer = probe.column("dst")?.read::<f32>()?.await?;
    let contracts = answer.first().is_some_and(|v| v.to_bits() << 1 != 0);
    let flushes_subnormals = answer.get(1).is_some_and(|v| v.to_bits() << 1 == 0);
    device.set_class(DeviceClass::Gpu {
        contracts,
        flushes_subnormals,
    });
    Ok(())
}
