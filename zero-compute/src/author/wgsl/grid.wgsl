// The points near a point: those of a cell are `gorder[s]` for every `s` from `span.x` up to `span.y`. Cells that share
// a bucket are told apart by where their points stand. `grange` (u32) holds where each bucket starts, and `gorder` (u32)
// the points' numbers.
#include "@builtin::systems.procgen.grid_cell"

fn zero_grid_range(cell: vec3<i32>) -> vec2<u32> {
    let bucket = zero_grid_bucket(cell);
    return vec2<u32>(grange[bucket], grange[bucket + 1u]);
}
