// Sixteen weighted samples. A device may fuse a product into the sum that it feeds; zn_mul keeps it as it was rounded.
// @use zero_noise

fn held(place: i32, count: u32) -> u32 {
    return min(u32(max(place, 0)), count - 1u);
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    let width = params.width;
    let height = arrayLength(&heights) / width;
    let columns = arrayLength(&first_x);
    let column = i % columns;
    let row = i / columns;
    let x = first_x[column];
    let c0 = held(x, width);
    let c1 = held(x + 1, width);
    let c2 = held(x + 2, width);
    let c3 = held(x + 3, width);
    let a = weights_x[4u * column];
    let b = weights_x[4u * column + 1u];
    let c = weights_x[4u * column + 2u];
    let d = weights_x[4u * column + 3u];
    var sum = 0.0;
    for (var tap = 0; tap < 4; tap += 1) {
        let line = held(first_z[row] + tap, height) * width;
        let two = zn_keep(zn_mul(a, heights[line + c0]) + zn_mul(b, heights[line + c1]));
        let three = zn_keep(two + zn_mul(c, heights[line + c2]));
        let across = zn_keep(three + zn_mul(d, heights[line + c3]));
        sum = zn_keep(sum + zn_mul(weights_z[4u * row + u32(tap)], across));
    }
    resampled[i] = sum;
}
