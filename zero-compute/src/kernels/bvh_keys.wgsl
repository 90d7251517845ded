// The Morton code of each centre in the bounds of all. Each of the 30 bits goes to the axis whose cells are longest.

// Cells this short (2^-100) are not cut.
const SHORTEST: f32 = 7.888609052210118e-31;
// The code of what is void: after all others.
const VOID_CODE: u32 = 0x40000000u;

fn widest(size: vec3<f32>) -> u32 {
    if (size.x >= size.y && size.x >= size.z) {
        return 0u;
    }
    return select(2u, 1u, size.y >= size.z);
}

fn code_at(i: u32) -> u32 {
    let low = vec3<f32>(lows[i * 3u], lows[i * 3u + 1u], lows[i * 3u + 2u]);
    let high = vec3<f32>(highs[i * 3u], highs[i * 3u + 1u], highs[i * 3u + 2u]);
    if (low.x > high.x) {
        return VOID_CODE;
    }
    let base = vec3<f32>(least[0], least[1], least[2]);
    var size = kept(vec3<f32>(greatest[0], greatest[1], greatest[2]) - base);
    var rest = kept(times(kept(low + high), 0.5) - base);
    var code = 0u;
    for (var bit = 0u; bit < 30u; bit += 1u) {
        let axis = widest(size);
        let half = size[axis] * 0.5;
        let is_upper = half > SHORTEST && rest[axis] >= half;
        if (is_upper) {
            rest[axis] = zn_keep(rest[axis] - half);
        }
        size[axis] = half;
        code = (code << 1u) | select(0u, 1u, is_upper);
    }
    return code;
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    var code = 0u;
    if (i < zero_live()) {
        code = code_at(i);
    }
    codes[i] = code;
}
