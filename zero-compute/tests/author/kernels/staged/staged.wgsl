// @when SIGN minus
#include "minus.wgsl"
// @end
// @when SIGN plus
#include "plus.wgsl"
// @end
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    // @when STAGE heads
    dst[i] = signed_of(a[i] + 10 * c[i]);
    // @end
    // @when STAGE table
    var sum = a[i] + 10 * b[i];
    // @when SIGN minus
    sum = sum + 100 * c[i];
    // @end
    dst[i] = signed_of(sum);
    // @end
}
