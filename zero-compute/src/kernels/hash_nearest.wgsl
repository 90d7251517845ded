// The nearest points of each place within the radius, the nearest first, of equally near ones the lower number first.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    let most = min(params.items_lanes, 16u);
    var best: array<i32, 16>;
    var square: array<f32, 16>;
    var held = 0u;
    if (i < zero_live()) {
        var walk = walk_from(place_at(i));
        loop {
            let j = walk_on(&walk);
            if (j < 0) {
                break;
            }
            // Where it belongs among those held, the last of which falls out where all places are taken.
            var at = held;
            while (at > 0u && (walk.square < square[at - 1u] || (walk.square == square[at - 1u] && j < best[at - 1u]))) {
                if (at < most) {
                    square[at] = square[at - 1u];
                    best[at] = best[at - 1u];
                }
                at -= 1u;
            }
            if (at < most) {
                square[at] = walk.square;
                best[at] = j;
                held = min(held + 1u, most);
            }
        }
    }
    for (var k = 0u; k < most; k += 1u) {
        var item = -1;
        var far = -1.0;
        if (k < held) {
            item = best[k];
            far = zn_sqrt(square[k]);
        }
        items[i * params.items_lanes + k] = item;
        distances[i * params.items_lanes + k] = far;
    }
}
