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

// One weight more, and four.
fn add_1(sum: f32, weight: u32, x: i32, z: i32, lane: u32) -> f32 {
    return zn_keep(sum + zn_mul(weights[weight], read_at(x, z, lane)));
}
fn add_4(sum: f32, weight: u32, x: i32, z: i32, lane: u32) -> f32 {
    let two = add_1(add_1(sum, weight, x, z, lane), weight + 1u, x + 1, z, lane);
    return add_1(add_1(two, weight + 2u, x + 2, z, lane), weight + 3u, x + 3, z, lane);
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
            var across = -reach;
            for (; across + 3 <= reach; across += 4) {
                sum = add_4(sum, weight, i32(x) + across, i32(z) + down, lane);
                weight += 4u;
            }
            for (; across <= reach; across += 1) {
                sum = add_1(sum, weight, i32(x) + across, i32(z) + down, lane);
                weight += 1u;
            }
        }
        dst[i * lanes + lane] = sum;
    }
}
