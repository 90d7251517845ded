// Complex lines of 2 to 512 elements, 512 elements a workgroup: as many whole lines as fit. Stockham's radix-2 form
// writes every stage in order, so that no bits are reversed. A thread holds one butterfly of each stage.
// Each product, and each sum that another sum reads, is kept as it is: the bits are those of the Rust.
// @use zero_noise
const GROUP: u32 = 512u;

var<workgroup> wg_line: array<vec2<f32>, 512>;

// Element `at` of the lines laid end to end: the elements of a line stand `inner` apart, and lines that begin next to
// each other come first.
fn place_of(at: u32) -> u32 {
    let line = at >> params.bits;
    let k = at & ((1u << params.bits) - 1u);
    return ((line / params.inner) << params.bits) * params.inner + line % params.inner + k * params.inner;
}

fn times(a: vec2<f32>, w: vec2<f32>) -> vec2<f32> {
    return vec2<f32>(
        zn_keep(zn_mul(a.x, w.x) - zn_mul(a.y, w.y)),
        zn_keep(zn_mul(a.x, w.y) + zn_mul(a.y, w.x)),
    );
}

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) wid: vec3<u32>,
    @builtin(num_workgroups) nw: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let first = zero_group(wid, nw) * GROUP;
    for (var own = thread; own < GROUP; own += 256u) {
        var value = vec2<f32>(0.0, 0.0);
        if (first + own < zero_n()) {
            let at = place_of(first + own) * 2u;
            value = vec2<f32>(src[at], src[at + 1u]);
        }
        wg_line[own] = value;
    }
    workgroupBarrier();

    let half = 1u << (params.bits - 1u);
    let line = (thread >> (params.bits - 1u)) << params.bits;
    let j = thread & (half - 1u);
    for (var stage = 0u; stage < params.bits; stage += 1u) {
        let span = 1u << stage;
        let k = j & (span - 1u);
        let turn = (k << (params.bits - 1u - stage)) * 2u;
        let a = wg_line[line + j];
        let b = times(wg_line[line + j + half], vec2<f32>(twiddles[turn], twiddles[turn + 1u]));
        workgroupBarrier();
        let to = line + (j - k) * 2u + k;
        wg_line[to] = vec2<f32>(zn_keep(a.x + b.x), zn_keep(a.y + b.y));
        wg_line[to + span] = vec2<f32>(zn_keep(a.x - b.x), zn_keep(a.y - b.y));
        workgroupBarrier();
    }

    for (var own = thread; own < GROUP; own += 256u) {
        if (first + own < zero_n()) {
            let at = place_of(first + own) * 2u;
            dst[at] = wg_line[own].x * params.scale;
            dst[at + 1u] = wg_line[own].y * params.scale;
        }
    }
}
