// @use zero_noise
#include "edge.wgsl"

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    // Products and sums that no driver may join, so that the Rust function beside it gives the same bits.
    let steps = zn_div(heights_get(i), params.rise);
    let whole = floor(steps);
    let part = zn_keep(steps - whole);
    terraced[i] = zn_mul(zn_keep(whole + edge(part)), params.rise);
}
