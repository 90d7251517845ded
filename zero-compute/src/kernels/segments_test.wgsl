// One invocation a run counts the elements that are not zero, 32 values a round, and answers what is asked of the count.
fn set_1(at: u32) -> u32 {
    return select(0u, 1u, src[at] != T(0));
}
fn set_8(at: u32) -> u32 {
    let low = set_1(at) + set_1(at + 1u) + set_1(at + 2u) + set_1(at + 3u);
    return low + set_1(at + 4u) + set_1(at + 5u) + set_1(at + 6u) + set_1(at + 7u);
}
fn set_in(part: vec2<u32>) -> u32 {
    var counted = 0u;
    var at = part.x;
    for (; part.y - at >= 32u; at += 32u) {
        counted += set_8(at) + set_8(at + 8u) + set_8(at + 16u) + set_8(at + 24u);
    }
    for (; at < part.y; at += 1u) {
        counted += set_1(at);
    }
    return counted;
}

fn blocks_8(at: u32) -> u32 {
    let low = blocks[at] + blocks[at + 1u] + blocks[at + 2u] + blocks[at + 3u];
    return low + blocks[at + 4u] + blocks[at + 5u] + blocks[at + 6u] + blocks[at + 7u];
}
fn set_in_blocks(part: vec2<u32>) -> u32 {
    var counted = 0u;
    var at = part.x;
    for (; part.y - at >= 32u; at += 32u) {
        counted += blocks_8(at) + blocks_8(at + 8u) + blocks_8(at + 16u) + blocks_8(at + 24u);
    }
    for (; at < part.y; at += 1u) {
        counted += blocks[at];
    }
    return counted;
}

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
    let parts = run_parts(i, min(arrayLength(&src), params.count));
    let counted = set_in(parts.head) + set_in_blocks(parts.blocks) + set_in(parts.tail);
    // @when OP count
    dst[i] = counted;
    // @end
    // @when OP any
    dst[i] = select(0u, 1u, counted > 0u);
    // @end
    // @when OP all
    dst[i] = select(0u, 1u, counted == parts.length);
    // @end
}
