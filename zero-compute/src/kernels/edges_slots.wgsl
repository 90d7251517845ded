// The primitive that each vertex slot is of, by a binary search of where the primitives start, and the slot that its
// side runs to.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    owner[i] = -1;
    next[i] = -1;
    if (i >= zero_live()) {
        return;
    }
    // Every primitive before `low` starts at or before this slot, every one from `high` on after it.
    var low = 0u;
    var high = min(primitives[0], params.capacity);
    while (low < high) {
        let middle = low + (high - low) / 2u;
        if (starts[middle] <= i32(i)) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    if (low == 0u) {
        return;
    }
    let own = low - 1u;
    let first = starts[own];
    let after = i32(i) - first + 1;
    if (first < 0 || after > counts[own]) {
        return;
    }
    owner[i] = i32(own);
    if (after < counts[own]) {
        next[i] = select(-1, i32(i) + 1, i + 1u < zero_live());
    } else if (params.always != 0u || closed[own] != 0) {
        next[i] = first;
    }
}
