#include "@builtin::systems.procgen.bvh_overlap"

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    let at = i * 6u;
    let low = vec3<f32>(boxes[at], boxes[at + 1u], boxes[at + 2u]);
    let high = vec3<f32>(boxes[at + 3u], boxes[at + 4u], boxes[at + 5u]);
    var found = 0u;
    var mark = 0u;
    zero_begin_leaves(ZeroBox(low, high));
    for (var leaf = zero_next_leaf(); leaf != ZERO_NO_LEAF; leaf = zero_next_leaf()) {
        found = found + 1u;
        mark = mark * 31u + zero_primitive(leaf) + 1u;
    }
    counts[i] = found;
    marks[i] = mark;
}
