// How many other points are within the radius of each, how far the nearest is, and their mean position.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    var found = 0u;
    var least = -1.0;
    var sum = vec3<f32>(0.0);
    if (i < zero_live()) {
        var walk = walk_from(point_at(i));
        loop {
            let j = walk_on(&walk);
            if (j < 0) {
                break;
            }
            if (u32(j) != i) {
                found += 1u;
                if (found == 1u || walk.square < least) {
                    least = walk.square;
                }
                sum = kept(sum + point_at(u32(j)));
            }
        }
    }
    counted[i] = found;
    var middle = vec3<f32>(0.0);
    if (found > 0u) {
        least = zn_sqrt(least);
        middle = divided(sum, f32(found));
    } else if (i < zero_live()) {
        middle = point_at(i);
    }
    nearest[i] = least;
    centroid[i * 3u] = middle.x;
    centroid[i * 3u + 1u] = middle.y;
    centroid[i * 3u + 2u] = middle.z;
}
