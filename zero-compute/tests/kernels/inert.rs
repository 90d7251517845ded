//! What rows past a live count hold, kernel by kernel: of kernels that other tests meet only inside of what they are part
//! of. Every output stands over words of something else, and what is read past the live count is no index.

use zero_compute::kernels::{
    EDGES, EDGES_ENDS, EDGES_HEADS, EDGES_KINDS, EDGES_SLOTS, EDGES_TABLE, LOOPS, LOOPS_CLOSED, LOOPS_CUT,
    LOOPS_LENGTHS, LOOPS_ORDER, LOOPS_PLACE,
};
use zero_compute::{Args, Column, Device, Domain, Element, Kernel, Recorder};

use crate::{Bits, check_all, live_counts};

/// Stands where nothing may be read: far past every column.
const POISON: i32 = 0x7654_3210;
const SIZES: [u32; 5] = [1, 2, 255, 257, 1025];

/// `of` the live rows, and past them what no kernel may read.
fn rows(n: u32, live: u32, of: impl Fn(i32) -> i32) -> Vec<i32> {
    (0..n as i32)
        .map(|i| if (i as u32) < live { of(i) } else { POISON })
        .collect()
}

/// `of` the live rows, and past them the inert value.
fn answers(n: u32, live: u32, of: impl Fn(i32) -> i32, inert: impl Fn(i32) -> i32) -> Vec<u32> {
    let row = |i: i32| if (i as u32) < live { of(i) } else { inert(i) };
    (0..n as i32).map(row).collect::<Vec<i32>>().to_words()
}

/// A column in which something else stood.
fn stale(device: &Device, rec: &mut Recorder, element: Element, n: u32) -> Column {
    let column = device.column(element, 1, n).unwrap();
    rec.fill(&column, 0x5a5a_5a5a).unwrap();
    column
}

/// One kernel over a live domain: what it reads, the names of what it writes with what that is to be.
fn check(
    kernel: &'static Kernel,
    (n, count): (u32, u32),
    reads: &[(&'static str, Vec<i32>)],
    writes: &[(&'static str, Vec<u32>)],
    more: impl Fn(&Device, &mut Recorder, Args) -> Args,
) {
    let expected: Vec<Vec<u32>> = writes.iter().map(|(_, words)| words.clone()).collect();
    check_all(
        &format!("{}: {count} of {n}", kernel.name()),
        &expected,
        |device, rec| {
            let mut args = Args::new();
            for (name, words) in reads {
                let binding = kernel.bindings().find(|binding| binding.name == *name).unwrap();
                let column = match binding.element {
                    Element::U32 => device.upload(&words.to_words(), 1).unwrap(),
                    _ => device.upload(words, 1).unwrap(),
                };
                args = args.with(*name, column);
            }
            for (name, words) in writes {
                let binding = kernel.bindings().find(|binding| binding.name == *name).unwrap();
                let column = stale(device, rec, binding.element, words.len() as u32);
                args = args.with(*name, column);
            }
            let args = more(device, rec, args);
            let count = device.upload(&[count], 1).unwrap();
            let done = rec.dispatch(kernel, args, Domain::live(&count, n)).unwrap();
            writes.iter().map(|(name, _)| done.column(name).unwrap()).collect()
        },
    );
}

fn no_more(_: &Device, _: &mut Recorder, args: Args) -> Args {
    args
}

/// Sizes with the live counts none, one, half, all and more than there is room for.
fn cases() -> impl Iterator<Item = (u32, u32, u32)> {
    let of = |n: u32| live_counts(n).into_iter().map(move |count| (n, count, count.min(n)));
    SIZES.into_iter().flat_map(of)
}

/// A chain: edge `i` runs from point `i` to point `i + 1`.
#[test]
fn loops_link_the_live_edges_alone() {
    for (n, count, live) in cases() {
        let last = live as i32 - 1;
        // The edges past the live count go on with the chain, so that following one of them would show.
        let all = |of: fn(i32) -> i32| (0..n as i32).map(of).collect::<Vec<i32>>();
        let reads = [
            ("to_points", all(|i| i + 1)),
            ("to_edges", all(|i| i)),
            ("from_points", all(|i| i)),
            ("from_edges", all(|i| i)),
        ];
        let writes = [
            ("next", answers(n, live, |i| (i + 1).min(last), |i| i)),
            ("head", answers(n, live, |i| i32::from(i == 0), |_| 0)),
        ];
        check(&LOOPS, (n, count), &reads, &writes, no_more);
    }
}

/// A ring of the live edges, which is cut before its smallest.
#[test]
fn rings_are_cut_among_the_live_edges_alone() {
    for (n, count, live) in cases() {
        let last = live as i32 - 1;
        let reads = [
            ("next", rows(n, live, |i| if i == last { 0 } else { i + 1 })),
            ("root", rows(n, live, |_| last)),
            ("smallest", rows(n, live, |_| 0)),
            ("chain_head", rows(n, live, |_| 0)),
        ];
        // A ring of one follows itself, as the end of a chain does: whether it is a head is what the link says.
        let head = |i: i32| i32::from(i == 0 && live > 1);
        let writes = [
            ("cut", answers(n, live, |i| (i + 1).min(last), |i| i)),
            ("head", answers(n, live, head, |_| 0)),
        ];
        check(&LOOPS_CUT, (n, count), &reads, &writes, no_more);
    }
}

/// Lists of ten edges, one behind the other.
#[test]
fn lengths_are_those_of_the_live_lists_alone() {
    for (n, count, live) in cases() {
        let all = |of: fn(i32) -> i32| (0..10 * n as i32).map(of).collect::<Vec<i32>>();
        let reads = [
            ("heads", rows(n, live, |i| 10 * i)),
            ("root", all(|edge| edge / 10 * 10 + 9)),
            ("rank", all(|edge| 9 - edge % 10)),
        ];
        let ends: Vec<i32> = (0..10 * n as i32)
            .map(|edge| {
                if edge % 10 == 9 && ((edge / 10) as u32) < live {
                    edge / 10
                } else {
                    0x5a5a_5a5a
                }
            })
            .collect();
        let writes = [
            ("length", answers(n, live, |_| 10, |_| 0)),
            ("ring_of_end", ends.to_words()),
        ];
        check(&LOOPS_LENGTHS, (n, count), &reads, &writes, no_more);
    }
}

/// One chain of the live edges.
#[test]
fn edges_past_the_live_count_have_no_place() {
    for (n, count, live) in cases() {
        let last = live as i32 - 1;
        let reads = [
            ("root", rows(n, live, |_| last)),
            ("rank", rows(n, live, |i| last - i)),
            (
                "ring_of_end",
                (0..n as i32).map(|i| if i == last { 0 } else { POISON }).collect(),
            ),
            (
                "length",
                (0..n as i32)
                    .map(|i| if i == 0 { live as i32 } else { POISON })
                    .collect(),
            ),
        ];
        let writes = [
            ("ring", answers(n, live, |_| 0, |_| -1)),
            ("pos", answers(n, live, |i| i, |_| 0)),
        ];
        check(&LOOPS_PLACE, (n, count), &reads, &writes, no_more);
    }
}

/// One list that runs through the live edges backwards.
#[test]
fn the_order_past_the_live_count_names_no_edge() {
    for (n, count, live) in cases() {
        let last = live as i32 - 1;
        let reads = [
            ("ring", rows(n, live, |_| 0)),
            ("pos", rows(n, live, |i| last - i)),
            (
                "starts",
                (0..n as i32).map(|i| if i == 0 { 0 } else { POISON }).collect(),
            ),
        ];
        let writes = [("order", answers(n, live, |i| last - i, |_| -1))];
        check(&LOOPS_ORDER, (n, count), &reads, &writes, no_more);
    }
}

/// Every list is one edge, from a point to itself where its number is even.
#[test]
fn lists_past_the_live_count_are_not_closed() {
    for (n, count, live) in cases() {
        let all = |of: fn(i32) -> i32| (0..n as i32).map(of).collect::<Vec<i32>>();
        let reads = [
            ("heads", rows(n, live, |i| i)),
            ("root", all(|i| i)),
            ("from_points", all(|i| i)),
            ("to_points", all(|i| i + i % 2)),
        ];
        let writes = [("closed", answers(n, live, |i| 1 - i % 2, |_| 0))];
        check(&LOOPS_CLOSED, (n, count), &reads, &writes, no_more);
    }
}

/// Two sides along every edge, and the order backwards.
#[test]
fn runs_of_sides_begin_among_the_live_ones_alone() {
    for (n, count, live) in cases() {
        let last = n as i32 - 1;
        let all = |of: &dyn Fn(i32) -> i32| (0..n as i32).map(of).collect::<Vec<i32>>();
        let reads = [
            ("order", rows(n, live, |i| last - i)),
            ("low", all(&|side| (last - side) / 2)),
            ("high", all(&|side| (last - side) / 2 + 1)),
        ];
        let writes = [("flag", answers(n, live, |i| 1 - i % 2, |_| 0))];
        check(&EDGES_HEADS, (n, count), &reads, &writes, no_more);
    }
}

/// The edges of the sides above.
#[test]
fn edges_past_the_live_count_join_no_points() {
    for (n, count, live) in cases() {
        let sides = 2 * n as i32;
        let reads = [
            ("heads", rows(n, live, |i| 2 * i)),
            (
                "order",
                (0..sides)
                    .map(|place| if (place as u32) < 2 * live { place } else { -1 })
                    .collect(),
            ),
            ("low", (0..sides).map(|side| side / 2).collect()),
            ("high", (0..sides).map(|side| side / 2 + 1).collect()),
        ];
        let writes = [
            ("a", answers(n, live, |i| i, |_| -1)),
            ("b", answers(n, live, |i| i + 1, |_| -1)),
            ("fcount", answers(n, live, |_| 2, |_| 0)),
        ];
        check(&EDGES_TABLE, (n, count), &reads, &writes, no_more);
        let reads = [("fcount", rows(n, live, |i| 1 + i % 3))];
        let writes = [
            ("open", answers(n, live, |i| i32::from(i % 3 == 0), |_| 0)),
            ("manifold", answers(n, live, |i| i32::from(i % 3 < 2), |_| 0)),
        ];
        check(&EDGES_KINDS, (n, count), &reads, &writes, no_more);
        let all = |of: fn(i32) -> i32| (0..n as i32).map(of).collect::<Vec<i32>>();
        let reads = [
            ("source", rows(n, live, |i| i)),
            ("a", all(|edge| edge)),
            ("b", all(|edge| edge + 1)),
            ("starts", all(|edge| edge)),
            ("reversed", all(|place| place % 2)),
        ];
        let writes = [
            ("source_from", answers(n, live, |i| i + i % 2, |_| -1)),
            ("source_to", answers(n, live, |i| i + 1 - i % 2, |_| -1)),
        ];
        check(&EDGES_ENDS, (n, count), &reads, &writes, |_, _, args| {
            args.with("capacity", n)
        });
    }
}

/// Segments of two vertex slots each, of which the live ones are sides.
#[test]
fn vertex_slots_past_the_live_count_have_no_side() {
    for (n, count, live) in cases() {
        let primitives = n as i32 / 2 + 1;
        let reads = [
            ("starts", (0..primitives).map(|p| 2 * p).collect::<Vec<i32>>()),
            ("counts", vec![2; primitives as usize]),
            ("closed", vec![0; primitives as usize]),
            ("primitives", vec![primitives]),
        ];
        let next = |i: i32| if i % 2 == 0 && i + 1 < live as i32 { i + 1 } else { -1 };
        let owner = |i: i32| i / 2;
        let writes = [
            ("owner", answers(n, live, owner, |_| -1)),
            ("next", answers(n, live, next, |_| -1)),
        ];
        check(&EDGES_SLOTS, (n, count), &reads, &writes, |_, _, args| {
            args.with("always", 0u32).with("capacity", primitives as u32)
        });
        // Points of which every second is the lower.
        let reads = [
            ("next", rows(n, live, |i| if i + 1 < live as i32 { i + 1 } else { -1 })),
            ("points", rows(n, live, |i| 10 - i % 2)),
        ];
        let is_side = |i: i32| i + 1 < live as i32;
        let point = |i: i32, at: i32| if is_side(i) { at } else { -1 };
        let writes = [
            ("low", answers(n, live, |i| point(i, 9), |_| -1)),
            ("high", answers(n, live, |i| point(i, 10), |_| -1)),
            (
                "reversed",
                answers(n, live, |i| i32::from(is_side(i) && i % 2 == 0), |_| 0),
            ),
            ("side", answers(n, live, |i| i32::from(is_side(i)), |_| 0)),
        ];
        check(&EDGES, (n, count), &reads, &writes, no_more);
    }
}
