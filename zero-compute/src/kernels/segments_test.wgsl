// One invocation a segment counts the elements of its run that are not zero, and answers what is asked of the count.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    if (i >= zero_live()) {
        dst[i] = 0u;
        return;
    }
    let count = min(arrayLength(&src), params.count);
    var to = count;
    if (i + 1u < arrayLength(&offsets)) {
        to = min(offsets[i + 1u], count);
    }
    let start = min(offsets[i], to);
    var counted = 0u;
    for (var at = start; at < to; at += 1u) {
        counted += select(0u, 1u, src[at] != T(0));
    }
    // @when OP count
    dst[i] = counted;
    // @end
    // @when OP any
    dst[i] = select(0u, 1u, counted > 0u);
    // @end
    // @when OP all
    dst[i] = select(0u, 1u, counted == to - start);
    // @end
}
