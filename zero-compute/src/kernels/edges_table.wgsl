// An edge for each run of sides between the same points. The last one's sides end where the order names no side.

fn is_side(place: u32) -> bool {
    let own = order[place];
    return own >= 0 && low[u32(own)] != 0xffffffffu;
}

fn sides() -> u32 {
    var first = 0u;
    var past = arrayLength(&order);
    while (first < past) {
        let middle = first + (past - first) / 2u;
        if (is_side(middle)) {
            first = middle + 1u;
        } else {
            past = middle;
        }
    }
    return first;
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    if (i >= zero_live()) {
        a[i] = -1;
        b[i] = -1;
        fcount[i] = 0;
        return;
    }
    let place = u32(heads[i]);
    let own = u32(order[place]);
    a[i] = i32(low[own]);
    b[i] = i32(high[own]);
    var end = 0u;
    if (i + 1u < zero_live()) {
        end = u32(heads[i + 1u]);
    } else {
        end = sides();
    }
    fcount[i] = i32(end - place);
}
