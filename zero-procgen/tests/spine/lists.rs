//! Lists and the body that stands for every item: what is made, and how little of it when the list changes.

use crate::common::{bits, cpu, devices, floats, play, still, whole};
use zero_compute::Exec;
use zero_procgen::nodes::{geometry, mesh, points};
use zero_procgen::values::Value;
use zero_procgen::{Float, Frame, Geo, Graph, GraphDef, Int, List, Play, PlayOptions, Store, inputs, vec3};

/// A disc for every digit of a plain number, in their order, of as many points.
fn discs() -> GraphDef {
    Graph::define("discs", |g| {
        let digits: i32 = g.plain("digits", 345);
        let items: Vec<Int<'_>> = digits
            .to_string()
            .bytes()
            .map(|digit| Int::from(i32::from(digit - b'0')))
            .collect();
        let made = g.list(items).each(|count, _| {
            let disc = g.add(points::Disc::new().count(count));
            g.add(geometry::Transform::new(disc).scale(g.float("scale", 2.0)))
        });
        g.output("discs", made);
        g.output("last", g.item(made, made.count() - 1));
    })
    .unwrap()
}

fn counts(frame: &Frame) -> Vec<usize> {
    let list = frame.list("discs").unwrap();
    list.values()
        .map(|value| floats(value.geometry().unwrap(), "P").len() / 3)
        .collect()
}

fn of_the_body(play: &Play) -> usize {
    play.report().cooked.iter().filter(|node| node.place.is_none()).count()
}

#[test]
fn an_order_of_the_list_cooks_nothing_and_an_item_one_pass() {
    for device in devices() {
        let store = Store::new(&device, Default::default());
        let options = PlayOptions {
            recorded: false,
            ..PlayOptions::default()
        };
        let mut play = Play::with_options(&store, &discs(), inputs! {}, options).unwrap();
        assert_eq!(counts(&whole(&mut play, &device, still())), [3, 4, 5]);
        let passes = of_the_body(&play);
        play.set_inputs(inputs! { digits: 543 }).unwrap();
        let counting = device.counting();
        assert_eq!(counts(&whole(&mut play, &device, still())), [5, 4, 3]);
        assert_eq!(of_the_body(&play), 0, "{:?}", play.report().cooked);
        assert_eq!(counting.delta().dispatches, 0);
        // One more item, in the middle.
        play.set_inputs(inputs! { digits: 5643 }).unwrap();
        assert_eq!(counts(&whole(&mut play, &device, still())), [5, 6, 4, 3]);
        let one = of_the_body(&play);
        // What no item stands on is cooked with the first pass alone.
        assert!(one > 0 && 3 * one <= passes && passes < 4 * one, "{one} of {passes}");
        play.set_inputs(inputs! { digits: 56743 }).unwrap();
        assert_eq!(counts(&whole(&mut play, &device, still())), [5, 6, 7, 4, 3]);
        assert_eq!(of_the_body(&play), one);
        // One fewer, and two of a kind.
        play.set_inputs(inputs! { digits: 6363 }).unwrap();
        assert_eq!(counts(&whole(&mut play, &device, still())), [6, 3, 6, 3]);
        assert_eq!(of_the_body(&play), 0);
        // What the body reads from outside moves every pass, equal ones once.
        play.set_inputs(inputs! { scale: 3.0 }).unwrap();
        let frame = whole(&mut play, &device, still());
        assert!(
            of_the_body(&play) > 0 && of_the_body(&play) < 2 * one,
            "{:?}",
            play.report().cooked
        );
        let last = bits(frame.geometry("last").unwrap());
        assert_eq!(
            last,
            bits(
                frame
                    .list("discs")
                    .unwrap()
                    .item(3)
                    .unwrap()
                    .next()
                    .unwrap()
                    .geometry()
                    .unwrap()
            )
        );
    }
}

#[test]
fn what_stands_on_one_item_stands_wherever_it_moves() {
    let device = cpu();
    let graph = Graph::define("moved", |g| {
        let swapped: bool = g.plain("swapped", false);
        let (a, b) = (g.add(points::Disc::new().count(3)), g.add(points::Grid::new()));
        let list = g.list(if swapped { [b, a] } else { [a, b] });
        let place: i32 = if swapped { 1 } else { 0 };
        g.output("same", g.add(geometry::Transform::new(g.item(list, place)).scale(3.0)));
    })
    .unwrap();
    let mut play = play(&device, &graph, inputs! {}, false);
    whole(&mut play, &device, still());
    play.set_inputs(inputs! { swapped: true }).unwrap();
    whole(&mut play, &device, still());
    assert_eq!(play.report().cooked, []);
}

#[test]
fn passes_number_themselves_and_carry() {
    for device in devices() {
        let graph = Graph::define("carried", |g| {
            let heights: [Float<'_>; 3] = [2.0.into(), g.float("second", 3.0), 4.0.into()];
            // Each stands on those before it.
            let (tower, top) = g
                .list(heights)
                .each_carrying(Float::from(0.0), |height, number, ground| {
                    let block = g.add(mesh::Box::new().size(vec3(1.0, height, 1.0)));
                    let placed =
                        geometry::Transform::new(block).translate(vec3(number * 10.0, ground + height * 0.5, 0.0));
                    (g.add(placed), ground + height)
                });
            g.output("tower", tower.merge());
            g.output("top", top);
        })
        .unwrap();
        let mut play = play(&device, &graph, inputs! {}, true);
        for second in [3.0, 5.0, 6.0, 7.0f32] {
            play.set_inputs(inputs! { second: second }).unwrap();
            let frame = whole(&mut play, &device, still());
            assert_eq!(frame.number("top").unwrap(), [6.0 + second]);
            let places = floats(frame.geometry("tower").unwrap(), "P");
            let mut ground = 0.0;
            for (pass, height) in [2.0, second, 4.0].into_iter().enumerate() {
                let block = &places[pass * 72..pass * 72 + 72];
                let (low, high) = block
                    .chunks(3)
                    .fold((f32::MAX, f32::MIN), |(low, high), p| (low.min(p[1]), high.max(p[1])));
                assert!((low - ground).abs() < 1e-5 && (high - ground - height).abs() < 1e-5);
                let x = (pass + 1) as f32 * 10.0;
                assert!(block.chunks(3).all(|p| (p[0] - x).abs() < 0.51));
                ground += height;
            }
        }
        assert_eq!(play.report().cooked, [], "a moved number behind a list replays");
    }
}

#[test]
fn a_count_the_cook_knows_makes_as_many_passes() {
    let device = cpu();
    let graph = Graph::define("times", |g| {
        let rings = g.times(g.int("rings", 3), |number| {
            g.add(points::Disc::new().count(number + 1).radius(number.to_float()))
        });
        g.output("rings", rings.merge());
        g.output("count", rings.count());
        // A body in a body, over a list that another body made.
        let nested = rings.each(|ring, _| {
            let copies = g.times(2, |copy| {
                g.add(geometry::Transform::new(ring).translate(vec3(0.0, copy.to_float(), 0.0)))
            });
            copies.merge()
        });
        g.output("nested", nested.merge());
    })
    .unwrap();
    let mut play = play(&device, &graph, inputs! {}, true);
    for rings in [3usize, 5, 1] {
        play.set_inputs(inputs! { rings: rings as i32 }).unwrap();
        let frame = whole(&mut play, &device, still());
        let points: usize = (1..=rings).map(|ring| ring + 1).sum();
        assert_eq!(floats(frame.geometry("rings").unwrap(), "P").len(), 3 * points);
        assert_eq!(floats(frame.geometry("nested").unwrap(), "P").len(), 6 * points);
        assert_eq!(frame.number("count").unwrap(), [rings as f32]);
    }
    // Fewer passes than none make nothing, too many are refused.
    play.set_inputs(inputs! { rings: i32::MAX }).unwrap();
    let said = play.present(still(), &Exec::default()).unwrap_err().to_string();
    assert!(
        said.contains("failed: count: expected at most 65536 passes, got 2147483647"),
        "{said}"
    );
}

#[test]
fn records_are_items_too_and_a_fold_may_hold_a_list() {
    let device = cpu();
    let graph = Graph::define("records", |g| {
        let items: [(Geo<'_>, Float<'_>); 2] = [
            (g.add(points::Disc::new().count(2)), 3.0.into()),
            (g.add(points::Grid::new()), 5.0.into()),
        ];
        let sized: List<'_, (Geo<'_>, Float<'_>)> = g
            .list(items)
            .each(|(points, size), _| (points.point().set("size", size), size * 2.0));
        let folded = g.fold(3, sized, |_, held| {
            held.each(|(points, size), _| (points.point().set("size", size), size + 1.0))
        });
        g.output("folded", folded);
    })
    .unwrap();
    let frame = whole(&mut play(&device, &graph, inputs! {}, true), &device, still());
    let list = frame.list("folded").unwrap();
    assert_eq!(list.len(), 2);
    // 3 doubled, then one more twice: what the last pass wrote is what the one before left.
    for (place, expected) in [(0, 8.0), (1, 12.0)] {
        let fields: Vec<&Value> = list.item(place).unwrap().collect();
        assert!(
            floats(fields[0].geometry().unwrap(), "size")
                .iter()
                .all(|size| *size == expected)
        );
        assert_eq!(fields[1].number().unwrap().lanes(), [expected + 1.0]);
    }
    assert!(list.item(2).is_none());
}

#[test]
fn a_value_of_the_body_and_a_place_past_the_end_are_refused() {
    let refused = Graph::define("leak", |g| {
        let mut leaked = None;
        let made = g.list([g.add(points::Disc::new())]).each(|disc, _| {
            leaked = Some(disc);
            disc
        });
        g.output("made", made.merge());
        g.output("leaked", g.add(geometry::Transform::new(leaked.unwrap())));
    });
    let said = refused.unwrap_err().to_string();
    assert!(said.contains("a value of a body is read outside that body"), "{said}");
    let graph = Graph::define("past", |g| {
        let list = g.list([g.add(points::Disc::new()), g.add(points::Grid::new())]);
        g.output("at", g.item(list, g.int("place", 1)));
    })
    .unwrap();
    let line = line!() - 3;
    let mut play = play(&cpu(), &graph, inputs! {}, true);
    whole(&mut play, &cpu(), still());
    play.set_inputs(inputs! { place: 2 }).unwrap();
    let said = play.present(still(), &Exec::default()).unwrap_err().to_string();
    assert!(said.contains(&format!("lists.rs:{line}: ")), "{said}");
    assert!(
        said.contains("the item: expected a place from 0 and below 2, got 2"),
        "{said}"
    );
}
