// Reads the values of a lattice at points between its own.

fn value_at(x: u32, y: u32, z: u32, lane: u32) -> f32 {
    return values[((z * params.count_y + y) * params.count_x + x) * params.values_lanes + lane];
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
    if (i >= zero_n()) {
        return;
    }
    let lanes = params.values_lanes;
    if (i >= zero_live()) {
        for (var lane = 0u; lane < lanes; lane += 1u) {
            dst[i * lanes + lane] = 0.0;
        }
        return;
    }
    let x = along_x(i);
    let y = along_y(i);
    let z = along_z(i);
    for (var lane = 0u; lane < lanes; lane += 1u) {
        dst[i * lanes + lane] = blend(sheet(x, y, z.low, lane), sheet(x, y, z.high, lane), z.part);
    }
}
