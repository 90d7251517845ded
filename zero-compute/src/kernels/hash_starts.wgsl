// Where each bucket starts among the sorted keys: the first of them that is not below it.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let bucket = zero_index(gid, nw);
    if (bucket >= zero_n()) {
        return;
    }
    var low = 0u;
    var high = min(count[0], params.capacity);
    while (low < high) {
        let middle = low + (high - low) / 2u;
        if (keys[middle] < bucket) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    starts[bucket] = low;
}
