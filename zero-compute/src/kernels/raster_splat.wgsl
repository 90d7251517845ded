// Adds the values of points to the cells around each, in units of fixed point. A point counts in the tile whose interior
// it stands in, whatever it gives to the apron.

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    if (i >= zero_live()) {
        return;
    }
    let u = along(position_of(i));
    let cell = own_cell(vec2<i32>(floor(u)));
    if (!is_interior(cell)) {
        return;
    }
    let lanes = params.values_lanes;
    // @when SHARE cell
    let at = (u32(cell.y) + params.apron) * params.stride + u32(cell.x) + params.apron;
    for (var lane = 0u; lane < lanes; lane += 1u) {
        atomicAdd(&delta[at * lanes + lane], enter(values[i * lanes + lane]));
    }
    // @end
    // @when SHARE bilinear
    let rows = params.high + 2u * params.apron;
    let low = vec2<f32>(floor(zn_keep(u.x - 0.5)), floor(zn_keep(u.y - 0.5)));
    let part = vec2<f32>(zn_keep(zn_keep(u.x - 0.5) - low.x), zn_keep(zn_keep(u.y - 0.5) - low.y));
    let first = own_cell(vec2<i32>(low)) + i32(params.apron);
    for (var corner = 0u; corner < 4u; corner += 1u) {
        let side = vec2<u32>(corner & 1u, corner >> 1u);
        let x = first.x + i32(side.x);
        let z = first.y + i32(side.y);
        if (x < 0 || z < 0 || x >= i32(params.stride) || z >= i32(rows)) {
            continue;
        }
        let weight = zn_mul(
            select(zn_keep(1.0 - part.x), part.x, side.x == 1u),
            select(zn_keep(1.0 - part.y), part.y, side.y == 1u),
        );
        let at = u32(z) * params.stride + u32(x);
        for (var lane = 0u; lane < lanes; lane += 1u) {
            atomicAdd(&delta[at * lanes + lane], enter(zn_mul(values[i * lanes + lane], weight)));
        }
    }
    // @end
}
