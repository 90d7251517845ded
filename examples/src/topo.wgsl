// The twin of `level` and `color` in topo.rs.
// @use zero_noise

fn level(column: u32, row: u32) -> i32 {
    let height = zn_fbm2(params.seed, f32(column) / 128.0, f32(row) / 128.0, 6u);
    return i32(height * 2048.0 + 2048.0);
}

fn lane(color: i32, ink: i32) -> u32 {
    return u32(clamp(color * ink / 4, 0, 255));
}

fn color(level: i32) -> u32 {
    let above = level - 2048;
    let rise = clamp(above, 0, 1023) / 8;
    var rgb = vec3<i32>(70 + rise, 130 + rise * 3 / 4, 60 + rise);
    if (above < 0) {
        rgb = vec3<i32>(40 + (above + 2048) / 32, 90 + (above + 2048) / 24, 180);
    }
    var ink = 4;
    if (above >= 0 && above % 128 < 12) {
        ink = 2;
    }
    return lane(rgb.x, ink) | (lane(rgb.y, ink) << 8u) | (lane(rgb.z, ink) << 16u) | (255u << 24u);
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i < zero_n()) {
        rgba[i] = color(level(i % params.columns, i / params.columns));
    }
}
