// One step of thermal relaxation in integers: every sample gathers what its neighbours shed by the same arithmetic.

fn at(place: vec2<u32>) -> i32 {
    return fixed[place.y * params.width + place.x];
}

// West, east, north, south; the sample's own place beyond an edge.
fn beside(place: vec2<u32>, side: u32) -> vec2<u32> {
    let height = zero_n() / params.width;
    switch side {
        case 0u: { return vec2<u32>(place.x - min(place.x, 1u), place.y); }
        case 1u: { return vec2<u32>(min(place.x + 1u, params.width - 1u), place.y); }
        case 2u: { return vec2<u32>(place.x, place.y - min(place.y, 1u)); }
        default: { return vec2<u32>(place.x, min(place.y + 1u, height - 1u)); }
    }
}

fn rest(side: u32) -> i32 {
    return max(select(params.rest_z, params.rest_x, side < 2u), 0);
}

fn above(own: i32, place: vec2<u32>, side: u32) -> u32 {
    let fall = own - at(beside(place, side));
    if (fall > rest(side)) {
        return u32(fall - rest(side));
    }
    return 0u;
}

fn shed(place: vec2<u32>) -> vec4<u32> {
    let own = at(place);
    let falls = vec4<u32>(above(own, place, 0u), above(own, place, 1u), above(own, place, 2u), above(own, place, 3u));
    let most = max(max(falls.x, falls.y), max(falls.z, falls.w));
    let rate = min(params.rate, 16384u);
    let total = (most >> 16u) * rate + (((most & 0xffffu) * rate) >> 16u);
    let digits = 32u - countLeadingZeros(most);
    let parts = falls >> vec4<u32>(max(digits, 14u) - 14u);
    let whole = max(parts.x + parts.y + parts.z + parts.w, 1u);
    let each = total / whole;
    let left = total % whole;
    return each * parts + left * parts / whole;
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    let place = vec2<u32>(i % params.width, i / params.width);
    let own = at(place);
    let lost = shed(place);
    var gathered = 0u;
    for (var side = 0u; side < 4u; side += 1u) {
        let from_place = beside(place, side);
        if (at(from_place) - own > rest(side)) {
            let parts = shed(from_place);
            gathered += parts[side ^ 1u];
        }
    }
    relaxed[i] = own - i32(lost.x + lost.y + lost.z + lost.w) + i32(gathered);
}
