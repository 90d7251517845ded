// Keeps the elements whose flag is not zero, in order, in three passes over blocks of 1024: kept elements of
// each block, kept elements before each block, places.

fn kept(i: u32) -> u32 {
    if (i < zero_live()) {
        return select(0u, 1u, flags[i] != F(0));
    }
    return 0u;
}

@compute @workgroup_size(256)
fn sums(
    @builtin(workgroup_id) wid: vec3<u32>,
    @builtin(num_workgroups) nw: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let block = zero_group(wid, nw);
    let first = block * 1024u + thread * 4u;
    let own = kept(first) + kept(first + 1u) + kept(first + 2u) + kept(first + 3u);
    let before = group_scan(thread, own);
    if (thread == 0u && block < (zero_n() + 1023u) / 1024u) {
        blocks[block] = before.total;
    }
}

@compute @workgroup_size(256)
fn carry(@builtin(local_invocation_index) thread: u32) {
    let sum = carry_blocks(thread);
    if (thread == 0u) {
        atomicStore(&indices_count[0], sum);
        blocks[(zero_n() + 1023u) / 1024u] = sum;
    }
}

@compute @workgroup_size(256)
fn place(
    @builtin(workgroup_id) wid: vec3<u32>,
    @builtin(num_workgroups) nw: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let block = zero_group(wid, nw);
    let first = block * 1024u + thread * 4u;
    let own = kept(first) + kept(first + 1u) + kept(first + 2u) + kept(first + 3u);
    let before = group_scan(thread, own);
    let count = blocks[(zero_n() + 1023u) / 1024u];
    if (first >= zero_n()) {
        return;
    }
    var at = blocks[block] + before.row + before.thread;
    for (var i = first; i < min(first + 4u, zero_n()); i += 1u) {
        if (kept(i) == 1u) {
            if (at < arrayLength(&indices)) {
                indices[at] = i32(i);
            }
            inverse[i] = i32(at);
            at += 1u;
        } else {
            inverse[i] = -1;
        }
        // The slots past the kept ones are no element's place: the slot's own thread clears it. Those past the domain, of a
        // longer column, were cleared before.
        if (i >= count && i < arrayLength(&indices)) {
            indices[i] = -1;
        }
    }
}
