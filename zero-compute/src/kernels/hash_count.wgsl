// Counts the points within the radius of each place.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    var found = 0u;
    if (i < zero_live()) {
        var walk = walk_from(place_at(i));
        while (walk_on(&walk) >= 0) {
            found += 1u;
        }
    }
    written[i] = found;
}
