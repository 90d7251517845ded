//! What the report says of the steps.

use crate::common::{cpu, play, whole};
use zero_procgen::{Clock, Float, Graph, Inputs, Next, State, Step, Vec3};

#[test]
fn a_step_reports_the_nodes_it_cooked_by_operation_and_those_that_stand() {
    let graph = Graph::define("drift", |g| {
        let drift = g.step("drift", Step::every(0.1), State::new(8).vec3("P"), |now, step| {
            // Stands on nothing that moves: one column for all steps.
            let wind = g.column_of(8, g.rand("wind") * 2.0);
            // Follows the state.
            let behind = g.column_of(8, now.vec3("P").length());
            let pace = wind.read::<Float<'_>>() + behind.read::<Float<'_>>() * 0.01;
            Next::new().set("P", now.vec3("P") + Vec3::from([1.0, 0.0, 0.0]) * pace * step.dt())
        });
        g.output("drift", drift.points());
    })
    .unwrap();
    let device = cpu();
    let mut play = play(&device, &graph, Inputs::default(), true);
    for frame in 0..6 {
        whole(&mut play, &device, Clock::frame(frame, 10.0));
        let report = &play.report().steps[0];
        assert_eq!((report.steps, report.recorded), (frame as u64 + 1, 1));
        // The column of the wind and the draws that it is made of.
        assert_eq!(report.static_nodes, 2);
        let operations: Vec<(&str, u64)> = report
            .operations
            .iter()
            .map(|(name, count)| (name.as_str(), *count))
            .collect();
        assert_eq!(operations, [("construct.evaluate", 2), ("construct.expr", 3)]);
        assert_eq!(report.operations.values().sum::<u64>(), report.cooked);
    }
}
