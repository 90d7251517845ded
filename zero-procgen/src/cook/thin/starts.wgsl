// Where each bucket begins among the sorted keys; one more entry is where the last one ends.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    var low = 0u;
    var high = min(live[0], arrayLength(&keys));
    if (i + 1u == zero_n()) {
        low = high;
    }
    let first = i << (32u - params.bits);
    while (low < high) {
        let middle = low + (high - low) / 2u;
        if (keys[middle] < first) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    starts[i] = low;
}
