// Reads the values of one tile of a lattice at the points that stand in its cells.

// The last tile has the end of the lattice.
fn owns(at: Between, first: u32, size: u32, count: u32) -> bool {
    let after = at.low + 1u;
    let end = first + size;
    return at.low >= first && (after < end || (after == count && end == count));
}

fn value_at(x: u32, y: u32, z: u32, lane: u32) -> f32 {
    let row = (z - params.first_z) * params.size_y + y - params.first_y;
    return values[(row * params.size_x + x - params.first_x) * params.values_lanes + lane];
}

fn blend(a: f32, b: f32, part: f32) -> f32 {
    return zn_keep(a + zn_mul(zn_keep(b - a), part));
}

fn row(x: Between, y: u32, z: u32, lane: u32) -> f32 {
    return blend(value_at(x.low, y, z, lane), value_at(x.high, y, z, lane), x.part);
}

fn sheet(x: Between, y: Between, z: u32, lane: u32) -> f32 {
    return blend(row(x, y.low, z, lane), row(x, y.high, z, lane), y.part);
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_live()) {
        return;
    }
    let x = along_x(i);
    let y = along_y(i);
    let z = along_z(i);
    let is_own = owns(x, params.first_x, params.size_x, params.count_x)
        && owns(y, params.first_y, params.size_y, params.count_y)
        && owns(z, params.first_z, params.size_z, params.count_z);
    if (!is_own) {
        return;
    }
    let lanes = params.values_lanes;
    for (var lane = 0u; lane < lanes; lane += 1u) {
        dst[i * lanes + lane] = blend(sheet(x, y, z.low, lane), sheet(x, y, z.high, lane), z.part);
    }
}
