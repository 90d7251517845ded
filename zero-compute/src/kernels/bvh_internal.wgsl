// Inner node i of the tree over sorted codes: the leaves that it covers, where they part, and the box around them.
// Karras, Maximizing Parallelism in the Construction of BVHs, Octrees, and k-d Trees (2012), section 4.

const NONE: u32 = 0xffffffffu;
const LEAF: u32 = 0x80000000u;

// Leading bits that two leaves have in common, equal codes going on with the bits of their places; -1 past the ends.
fn shared_bits(i: i32, j: i32, count: i32) -> i32 {
    if (j < 0 || j >= count) {
        return -1;
    }
    let unlike = codes[i] ^ codes[j];
    if (unlike != 0u) {
        return i32(countLeadingZeros(unlike));
    }
    return 32 + i32(countLeadingZeros(bitcast<u32>(i ^ j)));
}

// The leaf at the other end of those that inner node i covers.
fn other_end(i: i32, count: i32) -> i32 {
    let right = shared_bits(i, i + 1, count);
    let left = shared_bits(i, i - 1, count);
    let step = select(-1, 1, right > left);
    let least = min(left, right);
    var reach = 2;
    while (shared_bits(i, i + reach * step, count) > least) {
        reach *= 2;
    }
    var length = 0;
    for (var more = reach / 2; more > 0; more /= 2) {
        if (shared_bits(i, i + (length + more) * step, count) > least) {
            length += more;
        }
    }
    return i + length * step;
}

// The last leaf of the left child: the last that shares more with the first than the ends share.
fn parting(first: i32, last: i32, count: i32) -> i32 {
    let least = shared_bits(first, last, count);
    var at = first;
    var more = last - first;
    loop {
        more = (more + 1) / 2;
        if (at + more < last && shared_bits(first, at + more, count) > least) {
            at += more;
        }
        if (more <= 1) {
            break;
        }
    }
    return at;
}

fn level_box(at: u32) -> ZeroBox {
    let k = at * 6u;
    return ZeroBox(
        vec3<f32>(pyramid[k], pyramid[k + 1u], pyramid[k + 2u]),
        vec3<f32>(pyramid[k + 3u], pyramid[k + 4u], pyramid[k + 5u]),
    );
}

fn box_at(level: u32, start: u32, at: u32) -> ZeroBox {
    if (level == 0u) {
        return zero_leaf_box(at);
    }
    return level_box(start + at);
}

// The box around the leaves from `first` to before `end`: whole groups of eight from the levels above.
fn box_of(first: u32, end: u32) -> ZeroBox {
    var box = zero_empty_box();
    var low = first;
    var high = end;
    var start = 0u;
    var size = zero_n();
    for (var level = 0u; low < high; level += 1u) {
        while (low < high && low % 8u != 0u) {
            box = zero_grow(box, box_at(level, start, low));
            low += 1u;
        }
        while (low < high && high % 8u != 0u) {
            high -= 1u;
            box = zero_grow(box, box_at(level, start, high));
        }
        low /= 8u;
        high /= 8u;
        // Level 1 starts the column: the leaves themselves are not in it.
        start += select(size, 0u, level == 0u);
        size /= 8u;
    }
    return box;
}

fn child(at: i32, is_leaf: bool) -> u32 {
    return select(0u, LEAF, is_leaf) | u32(at);
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    let live = zero_live();
    var box = ZeroBox(vec3<f32>(0.0), vec3<f32>(0.0));
    var left = NONE;
    var right = NONE;
    var primitive = -1;
    if (i < live) {
        primitive = order[i];
    }
    if (live > 1u && i < live - 1u) {
        let own = i32(i);
        let other = other_end(own, i32(live));
        let first = min(own, other);
        let last = max(own, other);
        let middle = parting(first, last, i32(live));
        left = child(middle, middle == first);
        right = child(middle + 1, middle + 1 == last);
        box = box_of(u32(first), u32(last) + 1u);
    } else if (live == 1u && i == 0u) {
        left = child(0, true);
        box = zero_leaf_box(0u);
    }
    for (var k = 0u; k < 3u; k += 1u) {
        nodes[i * 9u + k] = bitcast<u32>(box.low[k]);
        nodes[i * 9u + 3u + k] = bitcast<u32>(box.high[k]);
    }
    nodes[i * 9u + 6u] = left;
    nodes[i * 9u + 7u] = right;
    nodes[i * 9u + 8u] = bitcast<u32>(primitive);
}
