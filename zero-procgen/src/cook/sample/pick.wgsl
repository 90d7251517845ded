// @use zero_noise
// The face of each sample: the first whose running weight lies above a draw from the total.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    let drawn = zn_product_high(zn_finish(zn_fold_u32(params.state, i)), total[0]);
    var low = 0u;
    var high = arrayLength(&running);
    while (low < high) {
        let middle = low + (high - low) / 2u;
        if (running[middle] > drawn) {
            high = middle;
        } else {
            low = middle + 1u;
        }
    }
    face[i] = select(-1, i32(low), low < arrayLength(&running));
    id[i] = i32(i);
}
