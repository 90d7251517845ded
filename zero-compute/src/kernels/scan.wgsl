// Prefix sums in three passes over blocks of 1024: sums of blocks, sums before blocks, elements.
// A thread holds four neighbouring elements. Sums add what is loaded and do nothing else with it, so that a driver has no
// product to fuse and no difference to cancel: they need no barrier.

fn element(i: u32) -> T {
    if (i < zero_live()) {
        return enter(src[i]);
    }
    return T(0);
}

@compute @workgroup_size(256)
fn sums(
    @builtin(workgroup_id) wid: vec3<u32>,
    @builtin(num_workgroups) nw: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let block = zero_group(wid, nw);
    let first = block * 1024u + thread * 4u;
    let ab = plus(element(first), element(first + 1u));
    let own = plus(plus(ab, element(first + 2u)), element(first + 3u));
    let before = group_scan(thread, own);
    if (thread == 0u && block < (zero_n() + 1023u) / 1024u) {
        blocks[block] = before.total;
    }
}

@compute @workgroup_size(256)
fn carry(@builtin(local_invocation_index) thread: u32) {
    let sum = carry_blocks(thread);
    if (thread == 0u) {
        total[0] = sum;
    }
}

@compute @workgroup_size(256)
fn place(
    @builtin(workgroup_id) wid: vec3<u32>,
    @builtin(num_workgroups) nw: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let block = zero_group(wid, nw);
    let first = block * 1024u + thread * 4u;
    let a = element(first);
    let ab = plus(a, element(first + 1u));
    let abc = plus(ab, element(first + 2u));
    let abcd = plus(abc, element(first + 3u));
    let before = group_scan(thread, abcd);
    // @when FORM exclusive
    let parts = array<T, 4>(T(0), a, ab, abc);
    // @end
    // @when FORM inclusive
    let parts = array<T, 4>(a, ab, abc, abcd);
    // @end
    var part = parts;
    for (var k = 0u; k < 4u; k += 1u) {
        let i = first + k;
        if (i < zero_live()) {
            dst[i] = plus(blocks[block], plus(before.row, plus(before.thread, part[k])));
        } else if (i < zero_n()) {
            dst[i] = total[0];
        }
    }
}
