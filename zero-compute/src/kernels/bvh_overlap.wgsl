// The leaves whose boxes overlap box number `i`; past the live count there are none.

fn begin_walk(i: u32) {
    var asked = zero_empty_box();
    if (i < zero_live()) {
        let at = i * 6u;
        asked = ZeroBox(
            vec3<f32>(boxes[at], boxes[at + 1u], boxes[at + 2u]),
            vec3<f32>(boxes[at + 3u], boxes[at + 4u], boxes[at + 5u]),
        );
    }
    zero_begin_leaves(asked);
}
