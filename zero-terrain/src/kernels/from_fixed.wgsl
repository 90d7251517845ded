// Units of 1/65 536 m to metres: both halves convert exactly and their sum is rounded once, whatever is fused.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    let upper = f32(fixed[i] >> 15u);
    let lower = f32(fixed[i] & 0x7fff);
    heights[i] = (upper * 32768.0 + lower) * (1.0 / 65536.0);
}
