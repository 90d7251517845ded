// A stable radix sort, 4 bits a round, over blocks of 1024. A round counts the digits of each block, turns the
// counts (digit by digit, block by block) into places, and moves the elements. Rounds alternate between the scratch
// pair and the output pair; eight of them end in the output.

const BLOCK: u32 = 1024u;
const DIGITS: u32 = 16u;
// The digit of a slot past the live count, which moves nowhere.
const NO_DIGIT: u32 = 16u;

// @when ORDER ascending
fn ordered(key: T) -> u32 { return to_key(key); }
// @end
// @when ORDER descending
// Complemented keys ascend where the keys descend.
fn ordered(key: T) -> u32 { return ~to_key(key); }
// @end

// `place` stands between counting and moving, and steps to the next digit: moving looks four bits back.
fn digit_to_count(key: T) -> u32 {
    return (ordered(key) >> shift[0]) & 15u;
}
fn digit_to_move(key: T) -> u32 {
    return (ordered(key) >> (shift[0] - 4u)) & 15u;
}

fn block_count() -> u32 {
    return (zero_n() + BLOCK - 1u) / BLOCK;
}

@compute @workgroup_size(256)
fn begin(@builtin(local_invocation_index) thread: u32) {
    if (thread == 0u) {
        shift[0] = 0u;
    }
}

var<workgroup> wg_counts: array<atomic<u32>, 16>;

fn store_counts(block: u32, thread: u32) {
    workgroupBarrier();
    if (thread < DIGITS && block < block_count()) {
        places[thread * block_count() + block] = atomicLoad(&wg_counts[thread]);
    }
}

@compute @workgroup_size(256)
fn count_source(
    @builtin(workgroup_id) wid: vec3<u32>,
    @builtin(num_workgroups) nw: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let block = zero_group(wid, nw);
    for (var k = 0u; k < 4u; k += 1u) {
        let i = block * BLOCK + k * 256u + thread;
        if (i < zero_live()) {
            atomicAdd(&wg_counts[digit_to_count(keys[i])], 1u);
        }
    }
    store_counts(block, thread);
}

@compute @workgroup_size(256)
fn count_spare(
    @builtin(workgroup_id) wid: vec3<u32>,
    @builtin(num_workgroups) nw: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let block = zero_group(wid, nw);
    for (var k = 0u; k < 4u; k += 1u) {
        let i = block * BLOCK + k * 256u + thread;
        if (i < zero_live()) {
            atomicAdd(&wg_counts[digit_to_count(spare_keys[i])], 1u);
        }
    }
    store_counts(block, thread);
}

@compute @workgroup_size(256)
fn count_sorted(
    @builtin(workgroup_id) wid: vec3<u32>,
    @builtin(num_workgroups) nw: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let block = zero_group(wid, nw);
    for (var k = 0u; k < 4u; k += 1u) {
        let i = block * BLOCK + k * 256u + thread;
        if (i < zero_live()) {
            atomicAdd(&wg_counts[digit_to_count(sorted_keys[i])], 1u);
        }
    }
    store_counts(block, thread);
}

var<workgroup> wg_before: array<u32, 256>;
var<workgroup> wg_sum: u32;

// One workgroup: counts to places, 4096 at a time, sixteen neighbours a thread.
@compute @workgroup_size(256)
fn place(@builtin(local_invocation_index) thread: u32) {
    if (thread == 0u) {
        shift[0] += 4u;
    }
    let count = DIGITS * block_count();
    for (var first = 0u; first < count; first += 4096u) {
        let own = first + thread * 16u;
        var sum = 0u;
        for (var at = own; at < min(own + 16u, count); at += 1u) {
            sum += places[at];
        }
        wg_before[thread] = sum;
        workgroupBarrier();
        if (thread == 0u) {
            var before = wg_sum;
            for (var k = 0u; k < 256u; k += 1u) {
                let value = wg_before[k];
                wg_before[k] = before;
                before += value;
            }
            wg_sum = before;
        }
        workgroupBarrier();
        var before = wg_before[thread];
        for (var at = own; at < min(own + 16u, count); at += 1u) {
            let value = places[at];
            places[at] = before;
            before += value;
        }
        workgroupBarrier();
    }
}

// For each digit, one bit a thread of the workgroup that holds it.
var<workgroup> wg_holders: array<atomic<u32>, 128>;
var<workgroup> wg_next: array<u32, 16>;

fn begin_move(block: u32, thread: u32) {
    if (thread < DIGITS && block < block_count()) {
        wg_next[thread] = places[thread * block_count() + block];
    }
}

// The place of this thread's element: its digit's next place plus the threads before it with the same digit.
fn next_place(thread: u32, digit: u32) -> u32 {
    if (thread < 128u) {
        atomicStore(&wg_holders[thread], 0u);
    }
    workgroupBarrier();
    if (digit < DIGITS) {
        atomicOr(&wg_holders[digit * 8u + thread / 32u], 1u << (thread % 32u));
    }
    workgroupBarrier();
    var at = 0u;
    if (digit < DIGITS) {
        at = wg_next[digit];
        for (var word = 0u; word < thread / 32u; word += 1u) {
            at += countOneBits(atomicLoad(&wg_holders[digit * 8u + word]));
        }
        let before = (1u << (thread % 32u)) - 1u;
        at += countOneBits(atomicLoad(&wg_holders[digit * 8u + thread / 32u]) & before);
    }
    workgroupBarrier();
    if (thread < DIGITS) {
        var held = 0u;
        for (var word = 0u; word < 8u; word += 1u) {
            held += countOneBits(atomicLoad(&wg_holders[thread * 8u + word]));
        }
        wg_next[thread] += held;
    }
    workgroupBarrier();
    return at;
}

@compute @workgroup_size(256)
fn move_source(
    @builtin(workgroup_id) wid: vec3<u32>,
    @builtin(num_workgroups) nw: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let block = zero_group(wid, nw);
    begin_move(block, thread);
    for (var k = 0u; k < 4u; k += 1u) {
        let i = block * BLOCK + k * 256u + thread;
        var digit = NO_DIGIT;
        if (i < zero_live()) {
            digit = digit_to_move(keys[i]);
        }
        let at = next_place(thread, digit);
        if (digit != NO_DIGIT) {
            spare_keys[at] = keys[i];
            spare_values[at] = values[i];
        }
    }
}

@compute @workgroup_size(256)
fn move_spare(
    @builtin(workgroup_id) wid: vec3<u32>,
    @builtin(num_workgroups) nw: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let block = zero_group(wid, nw);
    begin_move(block, thread);
    for (var k = 0u; k < 4u; k += 1u) {
        let i = block * BLOCK + k * 256u + thread;
        var digit = NO_DIGIT;
        if (i < zero_live()) {
            digit = digit_to_move(spare_keys[i]);
        }
        let at = next_place(thread, digit);
        if (digit != NO_DIGIT) {
            sorted_keys[at] = spare_keys[i];
            sorted_values[at] = spare_values[i];
        } else if (i < zero_n()) {
            sorted_keys[i] = T(0);
            sorted_values[i] = -1;
        }
    }
}

@compute @workgroup_size(256)
fn move_sorted(
    @builtin(workgroup_id) wid: vec3<u32>,
    @builtin(num_workgroups) nw: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let block = zero_group(wid, nw);
    begin_move(block, thread);
    for (var k = 0u; k < 4u; k += 1u) {
        let i = block * BLOCK + k * 256u + thread;
        var digit = NO_DIGIT;
        if (i < zero_live()) {
            digit = digit_to_move(sorted_keys[i]);
        }
        let at = next_place(thread, digit);
        if (digit != NO_DIGIT) {
            spare_keys[at] = sorted_keys[i];
            spare_values[at] = sorted_values[i];
        }
    }
}
