// The weighted sum of the cells around each one, row after row. What is written of the apron is what stands there.
// @use zero_noise

fn read_at(x: i32, z: i32, lane: u32) -> f32 {
    // @when EDGE clamp
    let cell = vec2<i32>(
        clamp(x, i32(params.apron), i32(params.apron + params.wide) - 1),
        clamp(z, i32(params.apron), i32(params.apron + params.high) - 1),
    );
    // @end
    // @when EDGE apron
    let cell = vec2<i32>(x, z);
    // @end
    return src[(u32(cell.y) * params.stride + u32(cell.x)) * params.src_lanes + lane];
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    let lanes = params.src_lanes;
    let x = i % params.stride;
    let z = i / params.stride;
    let inside = x >= params.apron && x < params.apron + params.wide && z >= params.apron && z < params.apron + params.high;
    let reach = i32(params.radius);
    for (var lane = 0u; lane < lanes; lane += 1u) {
        if (!inside) {
            dst[i * lanes + lane] = src[i * lanes + lane];
            continue;
        }
        var sum = 0.0;
        var weight = 0u;
        for (var down = -reach; down <= reach; down += 1) {
            for (var across = -reach; across <= reach; across += 1) {
                let term = zn_mul(weights[weight], read_at(i32(x) + across, i32(z) + down, lane));
                sum = zn_keep(sum + term);
                weight += 1u;
            }
        }
        dst[i * lanes + lane] = sum;
    }
}
