// The twin of `Land::shade` in hillshade.rs: the same operations in the same order. A device may fuse a product into a
// sum and may estimate a quotient or a root; zero-noise's forms are exact. Doubling is exact by itself.
// @use zero_noise

fn height(column: u32, row: u32) -> f32 {
    return heights[row * params.columns + column];
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    let column = i % params.columns;
    let row = i / params.columns;
    let west = column - min(column, 1u);
    let east = min(column + 1u, params.columns - 1u);
    let north = row - min(row, 1u);
    let south = min(row + 1u, zero_n() / params.columns - 1u);

    let nw_h = height(west, north);
    let n_h = height(column, north);
    let ne_h = height(east, north);
    let w_h = height(west, row);
    let e_h = height(east, row);
    let sw_h = height(west, south);
    let s_h = height(column, south);
    let se_h = height(east, south);

    let run_x = zn_mul(f32(4u * max(east - west, 1u)), params.cell_x_m);
    let run_z = zn_mul(f32(4u * max(south - north, 1u)), params.cell_z_m);
    let slope_x = zn_div((ne_h + 2.0 * e_h + se_h) - (nw_h + 2.0 * w_h + sw_h), run_x);
    let slope_z = zn_div((sw_h + 2.0 * s_h + se_h) - (nw_h + 2.0 * n_h + ne_h), run_z);

    let toward = params.light_y - zn_mul(slope_x, params.light_x) - zn_mul(slope_z, params.light_z);
    let length = zn_sqrt(zn_mul(slope_x, slope_x) + zn_mul(slope_z, slope_z) + 1.0);
    light[i] = max(zn_div(toward, length), 0.0);
}
