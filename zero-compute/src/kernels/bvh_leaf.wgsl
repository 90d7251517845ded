// The shape at a leaf of the tree, and the box around it.

fn leaf_point(leaf: u32, first: u32) -> vec3<f32> {
    let at = leaf * params.leaves_lanes + first;
    return vec3<f32>(leaves[at], leaves[at + 1u], leaves[at + 2u]);
}

fn zero_leaf_box(leaf: u32) -> ZeroBox {
    let first = leaf_point(leaf, 0u);
    if (first.x >= ZERO_VOID) {
        return zero_empty_box();
    }
    // @when SHAPE triangles
    let b = leaf_point(leaf, 3u);
    let c = leaf_point(leaf, 6u);
    return ZeroBox(min(min(first, b), c), max(max(first, b), c));
    // @end
    // @when SHAPE boxes
    return ZeroBox(first, leaf_point(leaf, 3u));
    // @end
    // @when SHAPE balls
    let radius = vec3<f32>(leaves[leaf * params.leaves_lanes + 3u]);
    return ZeroBox(kept(first - radius), kept(first + radius));
    // @end
}
