// How many elements of a block of 1024, of those before `end`, are not zero: by one workgroup, once.
var<workgroup> wg_count: atomic<u32>;

fn count_block(block: u32, end: u32, thread: u32) -> u32 {
    var own = 0u;
    for (var k = 0u; k < 4u; k += 1u) {
        let i = block * 1024u + k * 256u + thread;
        if (i < end) {
            own += select(0u, 1u, src[i] != T(0));
        }
    }
    atomicAdd(&wg_count, own);
    workgroupBarrier();
    return atomicLoad(&wg_count);
}
