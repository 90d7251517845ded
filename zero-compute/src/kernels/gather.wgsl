// dst[i] = src[index[i]], all lanes; zeros where the index names no element.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    let lanes = params.src_lanes;
    let count = arrayLength(&src) / lanes;
    var source = -1;
    if (i < zero_live()) {
        source = index[i];
    }
    let found = source >= 0 && u32(source) < count;
    for (var lane = 0u; lane < lanes; lane += 1u) {
        var value = T(0);
        if (found) {
            value = src[u32(source) * lanes + lane];
        }
        dst[i * lanes + lane] = value;
    }
}
