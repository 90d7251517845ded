// A walk down the tree, the nearer child first. Whoever includes it says how far a box is (`reach`), what becomes of a
// leaf (`take`) and how far still counts (`limit`), which may fall on the way.

const NONE: u32 = 0xffffffffu;
const LEAF: u32 = 0x80000000u;

struct Reach {
    is_open: bool,
    at: f32,
}

// An inner node has more leading bits in common than the one above it, of 63 at most: no path is longer, and a node on it
// leaves one more than was there.
var<private> waiting: array<u32, 64>;
var<private> waiting_at: array<f32, 64>;
var<private> visits: u32;

fn node_box(node: u32) -> ZeroBox {
    let at = node * 9u;
    return ZeroBox(
        bitcast<vec3<f32>>(vec3<u32>(nodes[at], nodes[at + 1u], nodes[at + 2u])),
        bitcast<vec3<f32>>(vec3<u32>(nodes[at + 3u], nodes[at + 4u], nodes[at + 5u])),
    );
}

// How far an inner child is; a leaf is taken at once, and a child that there is not is no way to go.
fn examine(child: u32) -> Reach {
    if (child == NONE) {
        return Reach(false, 0.0);
    }
    visits += 1u;
    if ((child & LEAF) != 0u) {
        let leaf = child ^ LEAF;
        take(leaf, nodes[leaf * 9u + 8u]);
        return Reach(false, 0.0);
    }
    return reach(node_box(child));
}

fn walk() {
    var node = 0u;
    var held = 0u;
    loop {
        let left = nodes[node * 9u + 6u];
        let right = nodes[node * 9u + 7u];
        let left_reach = examine(left);
        let right_reach = examine(right);
        let is_right_first = right_reach.is_open && (!left_reach.is_open || right_reach.at < left_reach.at);
        if (left_reach.is_open && is_right_first) {
            waiting[held] = left;
            waiting_at[held] = left_reach.at;
            held += 1u;
        }
        if (right_reach.is_open) {
            waiting[held] = right;
            waiting_at[held] = right_reach.at;
            held += 1u;
        }
        if (left_reach.is_open && !is_right_first) {
            waiting[held] = left;
            waiting_at[held] = left_reach.at;
            held += 1u;
        }
        loop {
            if (held == 0u) {
                return;
            }
            held -= 1u;
            node = waiting[held];
            if (waiting_at[held] <= limit()) {
                break;
            }
        }
    }
}
