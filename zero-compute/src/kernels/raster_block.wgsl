// Where the cells of a block lie in the tile it is read from and in the one it is written to.

struct Block {
    source: u32,
    place: u32,
}

fn cell_of_block(i: u32) -> Block {
    let x = i % params.wide;
    let z = i / params.wide;
    return Block(
        (params.from_z + z) * params.stride + params.from_x + x,
        (params.to_z + z) * params.stride + params.to_x + x,
    );
}
