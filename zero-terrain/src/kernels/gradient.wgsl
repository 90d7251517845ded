// Horn's gradient; the Rust form runs the same operations in the same order. Doubling is exact by itself, so a device
// may fuse it; the quotients are zero-noise's, since a device's own are estimates.
// @use zero_noise

fn height(column: u32, row: u32) -> f32 {
    return heights[row * params.width + column];
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    let column = i % params.width;
    let row = i / params.width;
    let west = column - min(column, 1u);
    let east = min(column + 1u, params.width - 1u);
    let north = row - min(row, 1u);
    let south = min(row + 1u, zero_n() / params.width - 1u);

    let nw_h = height(west, north);
    let n_h = height(column, north);
    let ne_h = height(east, north);
    let w_h = height(west, row);
    let e_h = height(east, row);
    let sw_h = height(west, south);
    let s_h = height(column, south);
    let se_h = height(east, south);

    let run_x = zn_mul(f32(4u * max(east - west, 1u)), params.spacing_x_m);
    let run_z = zn_mul(f32(4u * max(south - north, 1u)), params.spacing_z_m);
    rise_x[i] = zn_div(zn_keep(ne_h + 2.0 * e_h + se_h) - zn_keep(nw_h + 2.0 * w_h + sw_h), run_x);
    rise_z[i] = zn_div(zn_keep(sw_h + 2.0 * s_h + se_h) - zn_keep(nw_h + 2.0 * n_h + ne_h), run_z);
}
