// Prefix sums that begin anew at every head, in three passes over blocks of 1024: runs of blocks, runs before blocks,
// elements. A thread holds four neighbouring elements. Sums need no barrier, as those of `scan.wgsl`.

// What a stretch of elements adds to the sum that comes in: its own sum, which replaces the other where a head stands
// in the stretch.
struct Run {
    head: u32,
    sum: T,
}

fn join(a: Run, b: Run) -> Run {
    if (b.head != 0u) {
        return b;
    }
    return Run(a.head, a.sum + b.sum);
}

fn element(i: u32) -> Run {
    if (i < zero_live()) {
        return Run(select(0u, 1u, heads[i] != 0), src[i]);
    }
    return Run(0u, T(0));
}

// The runs before each of a workgroup's threads: 16 rows of 16 threads, each level from left to right.
var<workgroup> wg_thread: array<Run, 256>;
var<workgroup> wg_row: array<Run, 16>;
var<workgroup> wg_total: Run;

struct Before {
    row: Run,
    thread: Run,
    total: Run,
}

fn group_scan(thread: u32, own: Run) -> Before {
    wg_thread[thread] = own;
    workgroupBarrier();
    if (thread < 16u) {
        var before = Run(0u, T(0));
        for (var k = 0u; k < 16u; k += 1u) {
            let value = wg_thread[thread * 16u + k];
            wg_thread[thread * 16u + k] = before;
            before = join(before, value);
        }
        wg_row[thread] = before;
    }
    workgroupBarrier();
    if (thread == 0u) {
        var before = Run(0u, T(0));
        for (var row = 0u; row < 16u; row += 1u) {
            let value = wg_row[row];
            wg_row[row] = before;
            before = join(before, value);
        }
        wg_total = before;
    }
    workgroupBarrier();
    return Before(wg_row[thread / 16u], wg_thread[thread], wg_total);
}

@compute @workgroup_size(256)
fn sums(
    @builtin(workgroup_id) wid: vec3<u32>,
    @builtin(num_workgroups) nw: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let block = zero_group(wid, nw);
    let first = block * 1024u + thread * 4u;
    let ab = join(element(first), element(first + 1u));
    let before = group_scan(thread, join(join(ab, element(first + 2u)), element(first + 3u)));
    if (thread == 0u && block < (zero_n() + 1023u) / 1024u) {
        block_heads[block] = before.total.head;
        block_sums[block] = before.total.sum;
    }
}

var<workgroup> wg_chunk: array<Run, 256>;
var<workgroup> wg_carry: Run;

// One workgroup: runs of blocks to runs before blocks, from left to right.
@compute @workgroup_size(256)
fn carry(@builtin(local_invocation_index) thread: u32) {
    let count = (zero_n() + 1023u) / 1024u;
    for (var first = 0u; first < count; first += 256u) {
        let at = first + thread;
        wg_chunk[thread] = Run(0u, T(0));
        if (at < count) {
            wg_chunk[thread] = Run(block_heads[at], block_sums[at]);
        }
        workgroupBarrier();
        if (thread == 0u) {
            var before = wg_carry;
            for (var k = 0u; k < 256u; k += 1u) {
                let value = wg_chunk[k];
                wg_chunk[k] = before;
                before = join(before, value);
            }
            wg_carry = before;
        }
        workgroupBarrier();
        if (at < count) {
            block_sums[at] = wg_chunk[thread].sum;
        }
        workgroupBarrier();
    }
    if (thread == 0u) {
        total[0] = wg_carry.sum;
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
    let ab = join(a, element(first + 1u));
    let abc = join(ab, element(first + 2u));
    let abcd = join(abc, element(first + 3u));
    let before = group_scan(thread, abcd);
    // @when FORM exclusive
    var parts = array<Run, 4>(Run(0u, T(0)), a, ab, abc);
    // @end
    // @when FORM inclusive
    var parts = array<Run, 4>(a, ab, abc, abcd);
    // @end
    for (var k = 0u; k < 4u; k += 1u) {
        let i = first + k;
        if (i >= zero_n()) {
            return;
        }
        // Past the live count elements are zeros of the last run, whose total is the sum.
        let own = join(before.row, join(before.thread, parts[k]));
        var sum = join(Run(0u, block_sums[block]), own).sum;
        // @when FORM exclusive
        if (i < zero_live() && heads[i] != 0) {
            sum = T(0);
        }
        // @end
        dst[i] = sum;
    }
}
