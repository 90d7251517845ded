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
        let leaf = zero_next_leaf();
        if (leaf == ZERO_NO_LEAF) {
            break;
        }
        written[at] = bitcast<i32>(zero_primitive(leaf));
        at += 1u;
    }
}
