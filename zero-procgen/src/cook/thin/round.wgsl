// One round: a point that is undecided falls where a better one within the distance stands, waits where a better one
// is undecided, and stands otherwise. Points lie in the order of their keys.
const UNDECIDED: u32 = 0u;
const STANDS: u32 = 1u;
const FALLEN: u32 = 2u;
// What a point learns from one bucket.
const NOBODY: u32 = 0u;
const WAIT: u32 = 1u;
const FALL: u32 = 2u;

fn point_at(i: u32) -> vec3<f32> {
    return vec3<f32>(places[i * 3u], places[i * 3u + 1u], places[i * 3u + 2u]);
}

fn is_near(p: vec3<f32>, q: vec3<f32>) -> bool {
    let x = zn_keep(q.x - p.x);
    let y = zn_keep(q.y - p.y);
    let z = zn_keep(q.z - p.z);
    let square = zn_keep(zn_mul(x, x) + zn_mul(y, y)) + zn_mul(z, z);
    let d = distance_of();
    // The margin covers the rounding of both sides, so that no two kept points are nearer than they say.
    return square < zn_mul(zn_mul(d, d), 1.000001);
}

fn ask(bucket: u32, own: u32, p: vec3<f32>, rank: u32) -> u32 {
    let low = (1u << (32u - params.bits)) - 1u;
    let start = starts[bucket];
    let end = starts[bucket + 1u];
    let last = min(end, start + params.most);
    for (var j = start; j < last; j += 1u) {
        let coarse = keys[j] & low;
        if (coarse > (rank >> params.bits)) {
            return NOBODY;
        }
        if (before[j] != FALLEN && j != own && is_near(p, point_at(j))) {
            let other = rank_of(ids[j]);
            if (other < rank || (other == rank && ids[j] < ids[own])) {
                return select(WAIT, FALL, before[j] == STANDS);
            }
        }
    }
    // What lies past the most that are asked is not known, so the point does not stand on it.
    return select(NOBODY, WAIT, last < end);
}

fn decide(i: u32) -> u32 {
    if (before[i] != UNDECIDED) {
        return before[i];
    }
    if (is_off()) {
        return STANDS;
    }
    let p = point_at(i);
    let cell = cell_of(p);
    let rank = rank_of(ids[i]);
    var waits = false;
    for (var n = 0; n < 27; n += 1) {
        let around = cell + vec3<i32>(n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1);
        let answer = ask(spread(around) >> (32u - params.bits), i, p, rank);
        if (answer == FALL) {
            return FALLEN;
        }
        waits = waits || answer == WAIT;
    }
    return select(STANDS, UNDECIDED, waits);
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    var state = FALLEN;
    if (i < zero_live()) {
        state = decide(i);
    }
    after[i] = state;
}
