// The mean of values over the other points within the radius of each.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    let lanes = params.values_lanes;
    for (var lane = 0u; lane < lanes; lane += 1u) {
        var found = 0u;
        var sum = 0.0;
        if (i < zero_live()) {
            var walk = walk_from(point_at(i));
            loop {
                let j = walk_on(&walk);
                if (j < 0) {
                    break;
                }
                if (u32(j) != i) {
                    found += 1u;
                    sum = zn_keep(sum + values[u32(j) * lanes + lane]);
                }
            }
            if (found == 0u) {
                sum = values[i * lanes + lane];
            } else {
                sum = zn_div(sum, f32(found));
            }
        }
        dst[i * lanes + lane] = sum;
    }
}
