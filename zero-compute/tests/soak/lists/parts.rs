//! Two kernels with a number that is set anew between submissions.

use zero_compute::{Cpu, Determinism, Element, Kernel, Param, Rule};

/// A live count.
pub(crate) static LIVE: Kernel = Kernel::declare("soak_live")
    .write("dst", Element::U32, Rule::One)
    .param("count", Param::U32(0))
    .determinism(Determinism::Exact)
    .wgsl(
        "@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>) {
    if (gid.x == 0u) { dst[0] = params.count; }
}",
    )
    .cpu(Cpu::Whole(|b, p, _| {
        b.write::<u32>("dst")?.fill(p.u32("count")?);
        Ok(())
    }));

/// Words with some of their bits turned; 0 past the live count.
pub(crate) static MIX: Kernel = Kernel::declare("soak_mix")
    .read("src", Element::U32)
    .write("dst", Element::U32, Rule::Domain)
    .param("bits", Param::U32(0))
    .determinism(Determinism::Exact)
    .wgsl(
        "@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i < zero_n()) { dst[i] = select(0u, src[i] ^ params.bits, i < zero_live()); }
}",
    )
    .cpu(Cpu::Ranges(|range, b, p, _| {
        let (src, dst, bits) = (b.read::<u32>("src")?, b.write::<u32>("dst")?, p.u32("bits")?);
        for (d, i) in dst.iter_mut().zip(range) {
            *d = if i < p.live() as usize { src[i] ^ bits } else { 0 };
        }
        Ok(())
    }));
