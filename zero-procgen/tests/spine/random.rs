//! A changed input cooks what is downstream of it and nothing else, in graphs that nobody wrote.

use crate::common::{bits, cpu, play, still, whole};
use proptest::prelude::*;
use std::collections::BTreeSet;
use zero_procgen::nodes::{geometry, mesh, points};
use zero_procgen::{Float, Geo, Graph, GraphDef, Inputs, Plan, inputs, vec3};

const INPUTS: usize = 12;

/// What one node of a random graph does and what it picks its operands by.
type Pick = (u8, u32, u32, u8);

fn build(g: &Graph, picks: &[Pick]) {
    let numbers: Vec<Float<'_>> = (0..INPUTS)
        .map(|index| g.float(&format!("n{index}"), 1.0 + index as f32))
        .collect();
    let mut made: Vec<Geo<'_>> = vec![g.add(mesh::Box::new()), g.add(points::Grid::new())];
    for (kind, left, right, number) in picks {
        let at = |place: u32| made[place as usize % made.len()];
        let number = numbers[*number as usize % INPUTS];
        let node = match kind % 4 {
            0 => g.add(geometry::Transform::new(at(*left)).translate(vec3(number, 0.5, number * 0.1))),
            1 => at(*left).point().set("heat", g.position().x() * number + 1.0),
            2 => g.add(mesh::Box::new().size(vec3(number, 1.0, number + 2.0))),
            // Two small ones, so that sums of sums don't grow without end.
            _ => {
                let few = made.len().min(8);
                g.add(geometry::Merge::new([
                    made[*left as usize % few],
                    made[*right as usize % few],
                ]))
            }
        };
        made.push(node);
    }
    for (place, geometry) in made.iter().enumerate().skip(made.len() * 3 / 4) {
        g.output(&format!("o{place}"), *geometry);
    }
}

/// The places of a plan that stand on an input, worked out from what the plan says of itself.
fn downstream(plan: &Plan, input: &str) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for (place, node) in plan.nodes().enumerate() {
        if node.inputs.iter().any(|name| name == input) || node.reads.iter().any(|from| found.contains(from)) {
            found.insert(place);
        }
    }
    found
}

fn check(picks: Vec<Pick>, moved: usize) {
    let graph: GraphDef = Graph::define("random", move |g| build(g, &picks)).unwrap();
    let device = cpu();
    let mut changed = play(&device, &graph, inputs! {}, false);
    whole(&mut changed, &device, still());
    let name = format!("n{moved}");
    let expected = downstream(changed.plan(), &name);
    let mut inputs = Inputs::default();
    inputs.set(&name, 0.25);
    changed.set_inputs(inputs.clone()).unwrap();
    let frame = whole(&mut changed, &device, still());
    let cooked: BTreeSet<usize> = changed.report().cooked.iter().filter_map(|node| node.place).collect();
    // Equal nodes are cooked once, so a place may be answered by another with the same key.
    let cooked_keys = changed.report().cooked.len();
    assert!(
        cooked.is_subset(&expected),
        "cooked {:?} beside what is downstream",
        &cooked - &expected
    );
    let twins: BTreeSet<usize> = &expected - &cooked;
    for twin in &twins {
        let answered = cooked.iter().any(|other| changed.plan().same_work(*twin, *other));
        assert!(answered, "place {twin} is downstream of {name} and was not cooked");
    }
    assert!(cooked_keys <= expected.len());
    let mut cold = play(&device, &graph, inputs, false);
    let expected = whole(&mut cold, &device, still());
    for ((name, found), (_, expected)) in frame.outputs().zip(expected.outputs()) {
        assert_eq!(
            bits(found.geometry().unwrap()),
            bits(expected.geometry().unwrap()),
            "{name}"
        );
    }
}

fn picks(count: usize) -> impl Strategy<Value = Vec<Pick>> {
    prop::collection::vec((any::<u8>(), any::<u32>(), any::<u32>(), any::<u8>()), count)
}

/// Graphs drawn: 6, or 60 where `ZERO_TEST_SCALE` is `full`.
fn graphs() -> u32 {
    let full = std::env::var_os("ZERO_TEST_SCALE").is_some_and(|scale| scale == "full");
    if full { 60 } else { 6 }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: graphs(), failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn a_changed_input_cooks_what_is_downstream_of_it(picks in picks(1000), moved in 0..INPUTS) {
        check(picks, moved);
    }
}
