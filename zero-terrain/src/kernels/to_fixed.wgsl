// Metres to units of 1/65 536 m. The product is by a power of two, exact, so that fusing it changes nothing.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    let units = clamp(heights[i] * 65536.0, -1073741696.0, 1073741696.0);
    let whole = floor(units);
    fixed[i] = i32(whole) + select(0, 1, units - whole >= 0.5);
}
