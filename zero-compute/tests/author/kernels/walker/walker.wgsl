// @use zero_noise
WALK_PRELUDE

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let id = zero_index(gid, nw);
    if (id >= zero_n()) {
        return;
    }
    let lanes = params.start_lanes;
    var s = vec4<f32>(0.0);
    var s_hi = vec4<f32>(0.0);
    for (var lane = 0u; lane < lanes; lane += 1u) {
        if (lane < 4u) {
            s[lane] = start[id * lanes + lane];
        } else {
            s_hi[lane - 4u] = start[id * lanes + lane];
        }
    }
    var k = 0u;
    while (k < u32(params.steps) && !(WALK_DONE)) {
        let next = WALK_STEP;
        s_hi = WALK_STEP_HI;
        s = next;
        k = k + 1u;
    }
    for (var lane = 0u; lane < lanes; lane += 1u) {
        last[id * lanes + lane] = select(s[lane % 4u], s_hi[lane % 4u], lane >= 4u);
    }
    taken[id] = k;
}
