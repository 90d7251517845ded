// Boxes as they are given, cleaned; void where a bound is too far or no number, or the upper is below the lower.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    var box = ZeroBox(vec3<f32>(0.0), vec3<f32>(0.0));
    if (i < zero_live()) {
        let at = i * 6u;
        let low = vec3<f32>(boxes[at], boxes[at + 1u], boxes[at + 2u]);
        let high = vec3<f32>(boxes[at + 3u], boxes[at + 4u], boxes[at + 5u]);
        box = zero_empty_box();
        if (zero_all_near(low) && zero_all_near(high)) {
            let given = ZeroBox(zero_clean(low), zero_clean(high));
            if (all(given.low <= given.high)) {
                box = given;
            }
        }
    }
    for (var k = 0u; k < 3u; k += 1u) {
        shapes[i * 6u + k] = box.low[k];
        shapes[i * 6u + 3u + k] = box.high[k];
        lows[i * 3u + k] = box.low[k];
        highs[i * 3u + k] = box.high[k];
    }
}
