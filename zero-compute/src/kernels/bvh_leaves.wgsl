// The leaves of a tree whose boxes overlap a box, from the first to the last, one a call. `nodes` is bound, and
// `zero_leaf_box` says what box a leaf has.

const ZERO_NO_LEAF: u32 = 0xffffffffu;
const ZERO_LEAF_BIT: u32 = 0x80000000u;

// An inner node has more leading bits in common than the one above it, of 63 at most: no path is longer, and a node on it
// leaves one more than was there.
var<private> zero_waiting: array<u32, 64>;
var<private> zero_held: u32;
var<private> zero_asked: ZeroBox;
// Nodes and leaves that were looked at since `zero_begin_leaves`.
var<private> zero_visits: u32;

fn zero_is_number(v: vec3<f32>) -> bool {
    return all((bitcast<vec3<u32>>(v) & vec3<u32>(0x7fffffffu)) <= vec3<u32>(0x7f800000u));
}

// Asks for the leaves that overlap a box. One with a bound that is no number, or an upper below its lower, has none.
fn zero_begin_leaves(box: ZeroBox) {
    zero_held = 0u;
    zero_visits = 0u;
    zero_asked = ZeroBox(zero_clean(box.low), zero_clean(box.high));
    let is_box = zero_is_number(box.low) && zero_is_number(box.high) && all(zero_asked.low <= zero_asked.high);
    // A GPU binds a column of no elements as one word.
    if (is_box && arrayLength(&nodes) >= 9u) {
        zero_waiting[0] = 0u;
        zero_held = 1u;
    }
}

fn zero_node_box(node: u32) -> ZeroBox {
    let at = node * 9u;
    return ZeroBox(
        bitcast<vec3<f32>>(vec3<u32>(nodes[at], nodes[at + 1u], nodes[at + 2u])),
        bitcast<vec3<f32>>(vec3<u32>(nodes[at + 3u], nodes[at + 4u], nodes[at + 5u])),
    );
}

fn zero_hold(child: u32) {
    if (child != ZERO_NO_LEAF) {
        zero_waiting[zero_held] = child;
        zero_held += 1u;
    }
}

// The next leaf, or ZERO_NO_LEAF at the end.
fn zero_next_leaf() -> u32 {
    while (zero_held > 0u) {
        zero_held -= 1u;
        let node = zero_waiting[zero_held];
        zero_visits += 1u;
        if ((node & ZERO_LEAF_BIT) != 0u) {
            let leaf = node ^ ZERO_LEAF_BIT;
            if (zero_overlaps(zero_leaf_box(leaf), zero_asked)) {
                return leaf;
            }
        } else if (zero_overlaps(zero_node_box(node), zero_asked)) {
            zero_hold(nodes[node * 9u + 7u]);
            zero_hold(nodes[node * 9u + 6u]);
        }
    }
    return ZERO_NO_LEAF;
}

// The number of the primitive at a leaf.
fn zero_primitive(leaf: u32) -> u32 {
    return nodes[leaf * 9u + 8u];
}
