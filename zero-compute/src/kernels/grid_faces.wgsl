// Two triangles a cell of a lattice of count_x points a row, seen counter-clockwise from +Y.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    let cells_x = params.count_x - 1u;
    let cell = i / 2u;
    let a = (cell / cells_x) * params.count_x + cell % cells_x;
    let b = a + 1u;
    let c = a + params.count_x;
    let d = c + 1u;
    let lower = i % 2u == 0u;
    dst[i * 3u] = i32(select(b, a, lower));
    dst[i * 3u + 1u] = i32(c);
    dst[i * 3u + 2u] = i32(select(d, b, lower));
}
