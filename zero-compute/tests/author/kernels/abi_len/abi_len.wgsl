@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let words = arrayLength(&src);
    let threads = max(zero_n(), 1u);
    for (var i = zero_index(gid, nw); i < words; i = i + threads) {
        dst[i] = src[i];
    }
}
