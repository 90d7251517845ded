// @use zero_noise
// Each face's share of the whole area, as a whole number.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    let scale = zn_div(params.budget, whole[0]);
    weight[i] = u32(floor(zn_keep(zn_mul(area[i], scale) + 0.5)));
}
