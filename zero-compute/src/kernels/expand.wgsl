// Slot j belongs to the last element whose slots start at or before j: a binary search of the offsets.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let j = zero_index(gid, nw);
    if (j >= zero_n()) {
        return;
    }
    if (j >= zero_live()) {
        owner[j] = -1;
        local_index[j] = -1;
        return;
    }
    // offsets[low] <= j < offsets[high] throughout; offsets[0] is 0.
    var low = 0u;
    var high = arrayLength(&offsets);
    while (high - low > 1u) {
        let middle = low + (high - low) / 2u;
        if (offsets[middle] <= j) {
            low = middle;
        } else {
            high = middle;
        }
    }
    owner[j] = i32(low);
    local_index[j] = i32(j - offsets[low]);
}
