// Two triangles a cell of a lattice of count_x points a row, seen counter-clockwise from +Y.
fn element(i: u32, lane: u32) -> i32 {
    let cells_x = params.count_x - 1u;
    let cell = i / 2u;
    let a = (cell / cells_x) * params.count_x + cell % cells_x;
    let c = a + params.count_x;
    let lower = i % 2u == 0u;
    let corners = vec3<u32>(select(a + 1u, a, lower), c, select(c + 1u, a + 1u, lower));
    return i32(corners[lane]);
}
