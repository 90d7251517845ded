// One workgroup turns the sums of the blocks into the sums before each block, from left to right, 256 at a
// time through workgroup memory.
var<workgroup> wg_chunk: array<T, 256>;
var<workgroup> wg_carry: T;

fn carry_blocks(thread: u32) -> T {
    let count = (zero_n() + 1023u) / 1024u;
    for (var first = 0u; first < count; first += 256u) {
        let at = first + thread;
        wg_chunk[thread] = T(0);
        if (at < count) {
            wg_chunk[thread] = blocks[at];
        }
        workgroupBarrier();
        if (thread == 0u) {
            var sum = wg_carry;
            for (var k = 0u; k < 256u; k += 1u) {
                let value = wg_chunk[k];
                wg_chunk[k] = sum;
                sum = plus(sum, value);
            }
            wg_carry = sum;
        }
        workgroupBarrier();
        if (at < count) {
            blocks[at] = wg_chunk[thread];
        }
        workgroupBarrier();
    }
    return wg_carry;
}
