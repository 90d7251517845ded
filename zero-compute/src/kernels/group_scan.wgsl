// The sums before each of a workgroup's 256 threads, in a fixed order: 16 rows of 16 threads, each row summed
// from left to right, then the rows from first to last. A float sum in this order never decreases over
// non-negative values, because each level ends on the very number that the next level starts from. Who includes
// this says what `plus` is.
var<workgroup> wg_thread: array<T, 256>;
var<workgroup> wg_row: array<T, 16>;
var<workgroup> wg_total: T;

struct Before {
    // Sum of the rows before this thread's row.
    row: T,
    // Sum of the threads before this one in its row.
    thread: T,
    // Sum of all 256 threads.
    total: T,
}

fn group_scan(thread: u32, own: T) -> Before {
    wg_thread[thread] = own;
    workgroupBarrier();
    if (thread < 16u) {
        var sum = T(0);
        for (var k = 0u; k < 16u; k += 1u) {
            let at = thread * 16u + k;
            let value = wg_thread[at];
            wg_thread[at] = sum;
            sum = plus(sum, value);
        }
        wg_row[thread] = sum;
    }
    workgroupBarrier();
    if (thread == 0u) {
        var sum = T(0);
        for (var row = 0u; row < 16u; row += 1u) {
            let value = wg_row[row];
            wg_row[row] = sum;
            sum = plus(sum, value);
        }
        wg_total = sum;
    }
    workgroupBarrier();
    let before = Before(wg_row[thread / 16u], wg_thread[thread], wg_total);
    // The next call may write at once.
    workgroupBarrier();
    return before;
}
