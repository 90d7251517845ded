// Boxes around whole groups of leaves: level k holds one for every 8^k of them, level after level. A pass a level: each
// reads what the pass before it wrote.

fn start_of(level: u32) -> u32 {
    var start = 0u;
    var size = zero_n();
    for (var below = 1u; below < level; below += 1u) {
        size /= 8u;
        start += size;
    }
    return start;
}

fn store_box(at: u32, box: ZeroBox) {
    for (var k = 0u; k < 3u; k += 1u) {
        pyramid[at * 6u + k] = box.low[k];
        pyramid[at * 6u + 3u + k] = box.high[k];
    }
}

fn level_box(at: u32) -> ZeroBox {
    let k = at * 6u;
    return ZeroBox(
        vec3<f32>(pyramid[k], pyramid[k + 1u], pyramid[k + 2u]),
        vec3<f32>(pyramid[k + 3u], pyramid[k + 4u], pyramid[k + 5u]),
    );
}

// A box that one of this level is around: a leaf's, or one of the level below.
fn box_below(level: u32, at: u32) -> ZeroBox {
    if (level == 1u) {
        return zero_leaf_box(at);
    }
    return level_box(at);
}

fn fold_level(i: u32, level: u32) {
    if (i >= (zero_n() >> (3u * level))) {
        return;
    }
    let below = start_of(level - 1u) + i * 8u;
    var box = zero_empty_box();
    for (var k = 0u; k < 8u; k += 1u) {
        box = zero_grow(box, box_below(level, below + k));
    }
    store_box(start_of(level) + i, box);
}

@compute @workgroup_size(256)
fn level_1(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    fold_level(zero_index(gid, nw), 1u);
}

@compute @workgroup_size(256)
fn level_2(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    fold_level(zero_index(gid, nw), 2u);
}

@compute @workgroup_size(256)
fn level_3(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    fold_level(zero_index(gid, nw), 3u);
}

@compute @workgroup_size(256)
fn level_4(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    fold_level(zero_index(gid, nw), 4u);
}

@compute @workgroup_size(256)
fn level_5(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    fold_level(zero_index(gid, nw), 5u);
}

@compute @workgroup_size(256)
fn level_6(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    fold_level(zero_index(gid, nw), 6u);
}

@compute @workgroup_size(256)
fn level_7(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    fold_level(zero_index(gid, nw), 7u);
}

// The last pass also writes the boxes that no level has use for.
@compute @workgroup_size(256)
fn level_8(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    fold_level(i, 8u);
    if (i == 0u) {
        for (var at = start_of(9u); at < (zero_n() + 6u) / 7u; at += 1u) {
            store_box(at, zero_empty_box());
        }
    }
}
