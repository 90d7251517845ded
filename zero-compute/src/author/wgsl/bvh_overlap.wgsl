// The primitives of a tree whose boxes overlap a box. `nodes` (u32) and `leaves` (f32) hold the tree, as `Bvh::bindings`
// gives it; what its leaves are is told by their lanes. After `zero_begin_leaves(box)` every call of `zero_next_leaf()`
// answers the next leaf, and ZERO_NO_LEAF at the end.
#include "@builtin::systems.procgen.bvh_box"

fn zero_leaf_point(leaf: u32, first: u32) -> vec3<f32> {
    let at = leaf * params.leaves_lanes + first;
    return vec3<f32>(leaves[at], leaves[at + 1u], leaves[at + 2u]);
}

// The box around what stands at a leaf: three corners, two bounds, or a centre and a radius.
fn zero_leaf_box(leaf: u32) -> ZeroBox {
    let first = zero_leaf_point(leaf, 0u);
    if (first.x >= ZERO_VOID) {
        return zero_empty_box();
    }
    if (params.leaves_lanes == 4u) {
        let radius = leaves[leaf * 4u + 3u];
        return ZeroBox(
            vec3<f32>(zn_keep(first.x - radius), zn_keep(first.y - radius), zn_keep(first.z - radius)),
            vec3<f32>(zn_keep(first.x + radius), zn_keep(first.y + radius), zn_keep(first.z + radius)),
        );
    }
    let second = zero_leaf_point(leaf, 3u);
    if (params.leaves_lanes == 6u) {
        return ZeroBox(first, second);
    }
    let third = zero_leaf_point(leaf, 6u);
    return ZeroBox(min(min(first, second), third), max(max(first, second), third));
}

