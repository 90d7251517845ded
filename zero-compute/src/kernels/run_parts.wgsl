// The parts of a run: elements before its first whole block of 1024, whole blocks, elements after them. A run without a
// whole block is all head. An empty one, as every run past the live count, has none of them.
struct Parts {
    head: vec2<u32>,
    blocks: vec2<u32>,
    tail: vec2<u32>,
    length: u32,
}

fn run_parts(i: u32, elements: u32) -> Parts {
    if (i >= zero_live()) {
        return Parts(vec2<u32>(), vec2<u32>(), vec2<u32>(), 0u);
    }
    var to = elements;
    if (i + 1u < arrayLength(&offsets)) {
        to = min(offsets[i + 1u], elements);
    }
    let start = min(offsets[i], to);
    let first = start / 1024u + select(0u, 1u, start % 1024u != 0u);
    let last = to / 1024u;
    if (first >= last) {
        return Parts(vec2<u32>(start, to), vec2<u32>(), vec2<u32>(), to - start);
    }
    let tail = vec2<u32>(last * 1024u, to);
    return Parts(vec2<u32>(start, first * 1024u), vec2<u32>(first, last), tail, to - start);
}
