// Lists the points within the radius of each place, from where the place's items start.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_live()) {
        return;
    }
    var at = offsets[i];
    var walk = walk_from(place_at(i));
    // A GPU binds a column of no elements as one word.
    while (at < params.capacity) {
        let j = walk_on(&walk);
        if (j < 0) {
            break;
        }
        written[at] = j;
        at += 1u;
    }
}
