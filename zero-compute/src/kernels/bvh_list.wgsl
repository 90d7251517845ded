// Lists the primitives whose boxes overlap each box, from where the box's items start.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_live()) {
        return;
    }
    var at = offsets[i];
    begin_walk(i);
    // A GPU binds a column of no elements as one word.
    while (at < params.room) {
        let leaf = walk_on();
        if (leaf == NONE) {
            break;
        }
        written[at] = bitcast<i32>(nodes[leaf * 9u + 8u]);
        at += 1u;
    }
}
