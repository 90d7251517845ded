@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i < zero_n()) {
        // cols_col_c is not read, and need not be there.
        dst[i] = cols_f32(cols_col_b, i, 0u) + cols_f32(cols_col_a, i, 0u);
    }
}
