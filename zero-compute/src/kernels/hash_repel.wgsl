// How each point is pushed by the others within the radius.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    var found = 0u;
    var sum = vec3<f32>(0.0);
    if (i < zero_live()) {
        let own = point_at(i);
        var walk = walk_from(own);
        loop {
            let j = walk_on(&walk);
            if (j < 0) {
                break;
            }
            if (u32(j) != i) {
                found += 1u;
                let far = zn_sqrt(walk.square);
                let weight = max(zn_div(zn_keep(params.radius - far), params.radius), 0.0);
                let away = divided(kept(own - point_at(u32(j))), far);
                sum = kept(sum + vec3<f32>(
                    zn_mul(away.x, weight),
                    zn_mul(away.y, weight),
                    zn_mul(away.z, weight),
                ));
            }
        }
    }
    let push = divided(sum, f32(found));
    dst[i * 3u] = push.x;
    dst[i * 3u + 1u] = push.y;
    dst[i * 3u + 2u] = push.z;
}
