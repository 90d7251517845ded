// Marks the sides, in their order, that join other points than the side before.

const NONE: u32 = 0xffffffffu;

// The points of the side at a place of the order; what names no side joins none.
fn points_of(place: u32) -> vec2<u32> {
    let own = order[place];
    if (own < 0 || low[u32(own)] == NONE) {
        return vec2<u32>(NONE);
    }
    return vec2<u32>(low[u32(own)], high[u32(own)]);
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    flag[i] = 0;
    if (i >= zero_live()) {
        return;
    }
    let own = points_of(i);
    var before = vec2<u32>(NONE);
    if (i > 0u) {
        before = points_of(i - 1u);
    }
    flag[i] = select(0, 1, own.x != NONE && any(own != before));
}
