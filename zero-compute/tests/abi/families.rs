//! Families of several dispatches, called under their own names by the rules of any kernel.

use zero_compute::call::{Call, Called, transfer};
use zero_compute::{Column, Device, kernels, values};

use crate::kernels::LIVE;
use crate::{check_refused, devices_once, floats, ints, live, up, words};

/// Slots and all of them: what is live, and what is past it.
fn slots(called: &Called, name: &str) -> Vec<i32> {
    ints(&called.column(name).unwrap().as_capacity())
}

fn count(called: &Called, name: &str) -> u32 {
    words(called.live(name).unwrap().count())[0]
}

#[test]
fn expand_answers_the_sum_of_its_counts_as_a_count() {
    for (name, device) in devices_once() {
        let counts = device.upload(&[2, 0, 3, -1, 1], 1).unwrap();
        let called = Call::expand(&counts)
            .bind("counts", &counts)
            .bind("capacity", 8)
            .run(device)
            .unwrap();
        assert_eq!(slots(&called, "owner"), [0, 0, 2, 2, 2, 4, -1, -1], "{name}");
        assert_eq!(slots(&called, "local_index"), [0, 1, 0, 1, 2, 0, -1, -1], "{name}");
        assert_eq!(words(&called.column("offsets").unwrap()), [0, 2, 2, 5, 5], "{name}");
        for output in ["owner_count", "local_index_count"] {
            assert_eq!(count(&called, output), 6, "{name}");
            assert_eq!(called.live(output).unwrap().capacity(), 8, "{name}");
        }
        assert_eq!(called.info.kernel, "expand", "{name}");
        assert_eq!(called.info.elements, 5, "{name}");
        // The count is a domain, and crosses to the host when it is asked for.
        let src = up(device, &[1.0; 8]);
        let next = Call::new(&LIVE, called.live("owner_count").unwrap())
            .bind("src", &src)
            .run(device)
            .unwrap();
        let dst = next.column("dst").unwrap();
        assert_eq!(
            floats(&dst.as_capacity()),
            [2.0, 2.0, 2.0, 2.0, 2.0, 2.0, -1.0, -1.0],
            "{name}"
        );
        let arrived = transfer::readback(device, &called.columns).unwrap().wait().unwrap();
        assert_eq!(arrived.values.number("owner_count").unwrap(), 6.0, "{name}");
        assert_eq!(arrived.values.ints("owner").unwrap(), [0, 0, 2, 2, 2, 4], "{name}");
    }
}

#[test]
fn expand_holds_as_many_slots_as_elements_and_tells_what_did_not_fit() {
    for (name, device) in devices_once() {
        // Counts are read by value, from the columns of a geometry too.
        let counts = up(device, &[2.9, 0.0, 3.0, 1.0]);
        let called = Call::expand(4)
            .columns(values! { counts: &counts, other: &counts })
            .run(device)
            .unwrap();
        assert_eq!(slots(&called, "owner"), [0, 0, 2, 2], "{name}");
        assert_eq!(count(&called, "owner_count"), 6, "{name}: two did not fit");
    }
}

#[test]
fn a_family_runs_over_its_domain() {
    for (name, device) in devices_once() {
        let counts = device.upload(&[2, 1, 3, 1], 1).unwrap();
        let over = |domain: zero_compute::call::Value| {
            let call = Call::expand(domain).bind("counts", &counts).bind("capacity", 5);
            let called = call.run(device).unwrap();
            (slots(&called, "owner"), count(&called, "owner_count"))
        };
        assert_eq!(over(2.into()), (vec![0, 0, 1, -1, -1], 3), "{name}");
        assert_eq!(over(0.into()), (vec![-1; 5], 0), "{name}");
        let alive = live(device, &counts, 1);
        assert_eq!(over((&alive).into()), (vec![0, 0, -1, -1, -1], 2), "{name}");
        // A number takes every element of a live column.
        let called = Call::expand(2).bind("counts", &alive).bind("capacity", 5).run(device);
        assert_eq!(count(&called.unwrap(), "owner_count"), 3, "{name}");
    }
}

fn on_a_line(device: &Device) -> (Column, kernels::HashGrid) {
    let points = device
        .upload(
            &[
                0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 3.0, 0.0, 0.0, 4.0, 0.0, 0.0,
            ],
            3,
        )
        .unwrap();
    let mut rec = device.record("grid");
    let grid = kernels::hash_grid(&mut rec, &points, 1.0).unwrap();
    rec.finish().unwrap().submit().unwrap();
    (points, grid)
}

#[test]
fn hash_gather_answers_how_many_points_are_near_as_a_count() {
    for (name, device) in devices_once() {
        let (points, grid) = on_a_line(device);
        for (total, expected) in [
            (16, vec![0, 1, 0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4, 0, 0, 0]),
            (4, vec![0, 1, 0, 1]),
        ] {
            let called = Call::hash_gather(&grid, &points)
                .bind("places", &points)
                .bind("radius", 1.0)
                .bind("total", total)
                .run(device)
                .unwrap();
            assert_eq!(slots(&called, "items"), expected, "{name}");
            assert_eq!(count(&called, "items_count"), 13, "{name}: whatever the room");
            assert_eq!(called.live("items_count").unwrap().capacity(), total, "{name}");
            assert_eq!(words(&called.column("counts").unwrap()), [2, 3, 3, 3, 2], "{name}");
            assert_eq!(words(&called.column("offsets").unwrap()), [0, 2, 5, 8, 11], "{name}");
            assert_eq!(called.info.kernel, "hash_gather", "{name}");
        }
        let called = Call::hash_gather(&grid, live(device, &points, 2))
            .bind("places", &points)
            .bind("radius", 1)
            .bind("total", 6.0)
            .run(device)
            .unwrap();
        assert_eq!(slots(&called, "items"), [0, 1, 0, 1, 2, 0], "{name}");
        assert_eq!(called.info.variant, "hash_gather[live]", "{name}");
    }
}

#[test]
fn what_a_family_cannot_take_is_refused_and_leaves_nothing() {
    let counts = |device: &Device| device.upload(&[1, 2], 1).unwrap();
    check_refused(&["kernel `expand` needs a column for `counts`"], |_| Call::expand(2));
    check_refused(&["`expand`", "`counts`", "3 elements", "2 elements"], |device| {
        Call::expand(3).bind("counts", counts(device))
    });
    check_refused(&["`expand`", "`owner`", "counts, capacity"], |device| {
        Call::expand(2)
            .bind("counts", counts(device))
            .bind("owner", counts(device))
    });
    check_refused(&["`expand`", "`capacity`", "-1"], |device| {
        Call::expand(2).bind("counts", counts(device)).bind("capacity", -1)
    });
    check_refused(&["`expand`", "`OP`", "no specialization"], |device| {
        Call::expand(2).bind("counts", counts(device)).specialize("OP", "sum")
    });
    check_refused(&["`expand`", "`counts`", "twice"], |device| {
        Call::expand(2)
            .bind("counts", counts(device))
            .bind("counts", counts(device))
    });
    check_refused(&["`hash_gather`", "`total`", "a number", "nothing"], |device| {
        let (points, grid) = on_a_line(device);
        Call::hash_gather(&grid, &points)
            .bind("places", points)
            .bind("radius", 1.0)
    });
    check_refused(&["radius", "up to 4 cells", "9"], |device| {
        let (points, grid) = on_a_line(device);
        Call::hash_gather(&grid, &points)
            .bind("places", points)
            .bind("radius", 9.0)
            .bind("total", 1)
    });
}
