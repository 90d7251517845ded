// The corners of each triangle and the box around it; void where a corner names no point, or one that is too far or no
// number.

fn corner_at(number: i32) -> vec3<f32> {
    if (number < 0 || u32(number) >= arrayLength(&positions) / 3u) {
        return vec3<f32>(ZERO_VOID);
    }
    let at = u32(number) * 3u;
    return vec3<f32>(positions[at], positions[at + 1u], positions[at + 2u]);
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    var a = vec3<f32>(0.0);
    var b = a;
    var c = a;
    var box = ZeroBox(a, a);
    if (i < zero_live()) {
        a = corner_at(triangles[i * 3u]);
        b = corner_at(triangles[i * 3u + 1u]);
        c = corner_at(triangles[i * 3u + 2u]);
        if (zero_all_near(a) && zero_all_near(b) && zero_all_near(c)) {
            a = zero_clean(a);
            b = zero_clean(b);
            c = zero_clean(c);
            box = ZeroBox(min(min(a, b), c), max(max(a, b), c));
        } else {
            a = vec3<f32>(ZERO_VOID);
            b = a;
            c = a;
            box = zero_empty_box();
        }
    }
    for (var k = 0u; k < 3u; k += 1u) {
        shapes[i * 9u + k] = a[k];
        shapes[i * 9u + 3u + k] = b[k];
        shapes[i * 9u + 6u + k] = c[k];
        lows[i * 3u + k] = box.low[k];
        highs[i * 3u + k] = box.high[k];
    }
}
