// The leaves whose boxes overlap a box, from the first to the last.

const NONE: u32 = 0xffffffffu;
const LEAF: u32 = 0x80000000u;

// As in `bvh_walk.wgsl`: no path down the tree is longer.
var<private> waiting: array<u32, 64>;
var<private> held: u32;
var<private> visits: u32;
var<private> asked: ZeroBox;

fn is_number(v: vec3<f32>) -> bool {
    return all((bitcast<vec3<u32>>(v) & vec3<u32>(0x7fffffffu)) <= vec3<u32>(0x7f800000u));
}

fn begin_walk(i: u32) {
    held = 0u;
    visits = 0u;
    // A GPU binds a column of no elements as one word.
    if (i >= zero_live() || params.capacity == 0u) {
        return;
    }
    let at = i * 6u;
    let low = vec3<f32>(boxes[at], boxes[at + 1u], boxes[at + 2u]);
    let high = vec3<f32>(boxes[at + 3u], boxes[at + 4u], boxes[at + 5u]);
    asked = ZeroBox(zero_clean(low), zero_clean(high));
    if (is_number(low) && is_number(high) && all(asked.low <= asked.high)) {
        waiting[0] = 0u;
        held = 1u;
    }
}

fn node_box(node: u32) -> ZeroBox {
    let at = node * 9u;
    return ZeroBox(
        bitcast<vec3<f32>>(vec3<u32>(nodes[at], nodes[at + 1u], nodes[at + 2u])),
        bitcast<vec3<f32>>(vec3<u32>(nodes[at + 3u], nodes[at + 4u], nodes[at + 5u])),
    );
}

fn overlaps(box: ZeroBox) -> bool {
    return !zero_is_empty(box) && all(box.low <= asked.high) && all(box.high >= asked.low);
}

fn hold(child: u32) {
    if (child != NONE) {
        waiting[held] = child;
        held += 1u;
    }
}

// The next leaf, or NONE at the end.
fn walk_on() -> u32 {
    while (held > 0u) {
        held -= 1u;
        let node = waiting[held];
        visits += 1u;
        if ((node & LEAF) != 0u) {
            let leaf = node ^ LEAF;
            if (overlaps(leaf_box(leaf))) {
                return leaf;
            }
        } else if (overlaps(node_box(node))) {
            hold(nodes[node * 9u + 7u]);
            hold(nodes[node * 9u + 6u]);
        }
    }
    return NONE;
}
