// Adds the values of points to those lattice points around each that one tile holds, in units of fixed point.

fn share(at: Between, side: u32) -> f32 {
    return select(zn_keep(1.0 - at.part), at.part, side == 1u);
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_live()) {
        return;
    }
    let lanes = params.values_lanes;
    let first = vec3<u32>(params.first_x, params.first_y, params.first_z);
    let size = vec3<u32>(params.size_x, params.size_y, params.size_z);
    let x = along_x(i);
    let y = along_y(i);
    let z = along_z(i);
    for (var corner = 0u; corner < 8u; corner += 1u) {
        let side = vec3<u32>(corner & 1u, (corner >> 1u) & 1u, corner >> 2u);
        let point = vec3<u32>(
            select(x.low, x.high, side.x == 1u),
            select(y.low, y.high, side.y == 1u),
            select(z.low, z.high, side.z == 1u),
        );
        // Below the first it wraps to far beyond the size.
        let at = point - first;
        if (any(at >= size)) {
            continue;
        }
        let weight = zn_mul(zn_mul(share(x, side.x), share(y, side.y)), share(z, side.z));
        let cell = ((at.z * size.y + at.y) * size.x + at.x) * lanes;
        for (var lane = 0u; lane < lanes; lane += 1u) {
            atomicAdd(&arrived[cell + lane], enter(zn_mul(values[i * lanes + lane], weight)));
        }
    }
}
