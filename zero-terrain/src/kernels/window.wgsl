// A part of a grid, row by row.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    let column = params.first_x + i % params.window_width;
    let row = params.first_z + i / params.window_width;
    cut[i] = heights[row * params.width + column];
}
