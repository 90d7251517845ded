//! Promises of the engine that take two graphs, several presents or a store under pressure to measure.

use super::{Row, digest, play};
use crate::graphs::particles;
use crate::{Result, whole};
use std::collections::BTreeSet;
use zero_compute::{Device, Exec, ManualClock};
use zero_procgen::nodes::{field, geometry, mesh, points};
use zero_procgen::{
    Class, Clock, Float, Geo, Graph, GraphDef, Inputs, Next, Play, PlayOptions, Present, State, Step, Store,
    StoreOptions, Tier, inputs, vec3,
};

pub(super) fn rows(device: &Device) -> Result<Vec<Row>> {
    Ok(vec![
        shared(device)?,
        as_cold(device)?,
        planned(device)?,
        six_sets(device)?,
        failing(device)?,
        budget(device)?,
        pressed(device)?,
        tiers(device)?,
        draws(device)?,
    ])
}

const COOKED: PlayOptions = PlayOptions {
    recorded: false,
    profiled: false,
};

fn hill<'g>(g: &'g Graph, height: Float<'g>) -> Geo<'g> {
    let sheet = g.add(mesh::Grid::new().size([20.0, 1.0, 20.0]).cells_x(32).cells_z(32));
    let noise = g.add(field::Fbm::new(g.position() / 5.0).octaves(4)) * height;
    g.add(geometry::SetPosition::new(sheet, g.position() + vec3(0.0, noise, 0.0)))
}

/// A hill, and so many transforms over it, the last of them by `last`.
fn hills(steps: usize, last: f32) -> Result<GraphDef> {
    Ok(Graph::define("hills", move |g| {
        let mut hill = hill(g, g.float("height", 2.0));
        for step in 0..steps {
            let lift = if step + 1 == steps { last } else { 0.25 };
            hill = g.add(geometry::Transform::new(hill).translate(vec3(0.0, lift, 0.0)));
        }
        g.output("hills", hill);
    })?)
}

fn shared(device: &Device) -> Result<Row> {
    let store = Store::new(device, StoreOptions::default());
    let (bare, lifted) = (hills(0, 0.0)?, hills(1, 0.5)?);
    let mut first = Play::with_options(&store, &bare, inputs! {}, COOKED)?;
    whole(&mut first, Clock::default())?;
    let mut second = Play::with_options(&store, &lifted, inputs! {}, COOKED)?;
    whole(&mut second, Clock::default())?;
    let cooked = &second.report().cooked;
    let of_both = cooked.iter().filter(|node| node.node != "geometry.transform").count();
    let own = if of_both < cooked.len() {
        "its own cooked"
    } else {
        "nothing cooked"
    };
    Ok(Row::new(
        "what two graphs have in common is cooked once",
        device,
        "0 of both cooked again, its own cooked",
        format!("{of_both} of both cooked again, {own}"),
    ))
}

/// An edit, a moved input and an eviction, one after the other, each held to a cold play.
fn as_cold(device: &Device) -> Result<Row> {
    let store = Store::new(device, StoreOptions::default());
    let mut warm = Play::new(&store, &hills(8, 0.5)?, inputs! {})?;
    whole(&mut warm, Clock::default())?;
    let (mut equal, mut cooked) = (0, 0);
    for turn in 0..6 {
        let (graph, given) = (hills(8, turn as f32), inputs! { height: 2.0 + (turn / 2) as f32 });
        let graph = graph?;
        match turn % 3 {
            0 => warm.set_graph(&graph)?,
            1 => {
                warm.set_graph(&graph)?;
                store.let_go(Tier::Recordings);
            }
            _ => warm.set_graph(&graph)?,
        }
        warm.set_inputs(given.clone())?;
        let found = digest(&whole(&mut warm, Clock::default())?)?;
        cooked += warm.report().cooked.len();
        let cold = digest(&whole(&mut play(device, &graph, given, false)?, Clock::default())?)?;
        equal += u32::from(found == cold);
    }
    let less = cooked < 6 * hills(8, 0.0)?.plan()?.len();
    Ok(Row::new(
        "edits, inputs and evictions leave what a cold play shows",
        device,
        "6 of 6 equal, less cooked: true",
        format!("{equal} of 6 equal, less cooked: {less}"),
    ))
}

fn planned(device: &Device) -> Result<Row> {
    let mut play = play(device, &particles()?, inputs! {}, true)?;
    let mut exact = 0;
    for frame in 0..10 {
        let counting = device.counting();
        drop(whole(&mut play, Clock::frame(frame, 60.0))?);
        let (planned, delta) = (play.report().planned_dispatches, counting.delta());
        exact += u32::from(frame >= 2 && planned > 0 && delta.dispatches == planned && delta.allocations == 0);
    }
    Ok(Row::new(
        "a step that replays dispatches exactly what was planned",
        device,
        "8 of 8 frames",
        format!("{exact} of 8 frames"),
    ))
}

fn six_sets(device: &Device) -> Result<Row> {
    let graph = Graph::define("deciding", |g| {
        let turns = g.int("turns", 1);
        let swirl = g.step("swirl", Step::every(1.0 / 60.0), State::new(16).vec3("P"), |now, _| {
            let next = g.fold(turns, now.vec3("P"), |_, place| place * 0.5 + vec3(1.0, 2.0, 3.0));
            Next::new().set("P", next)
        });
        g.output("swirl", swirl.points());
    })?;
    let mut play = play(device, &graph, inputs! {}, true)?;
    let mut lists = Vec::new();
    for turns in [1, 2, 3, 4, 5, 6, 1, 3, 6, 7] {
        play.set_inputs(inputs! { turns: turns })?;
        whole(&mut play, Clock::frame(2, 60.0))?;
        let step = play.report().steps.first().cloned().unwrap_or_default();
        lists.push((step.recorded, step.reason.is_some()));
    }
    let silent = lists.iter().take(9).all(|(_, reason)| !reason);
    let said = lists.last().is_some_and(|(recorded, reason)| *recorded > 6 && *reason);
    Ok(Row::new(
        "six sets of step values replay, a seventh cooks and says why",
        device,
        "6 lists, silent: true, the seventh says why: true",
        format!("{} lists, silent: {silent}, the seventh says why: {said}", lists[8].0),
    ))
}

fn failing(device: &Device) -> Result<Row> {
    let graph = Graph::define("two", |g| {
        g.output(
            "ring",
            g.add(points::Disc::new().count(12).radius(g.float("radius", 1.0))),
        );
        g.output("many", g.add(points::Disc::new().count(g.int("count", 8))));
    })?;
    let store = Store::new(device, StoreOptions::default());
    let mut two = Play::new(&store, &graph, inputs! {})?;
    let stood = digest(&whole(&mut two, Clock::default())?)?;
    let filed = store.stats().filed;
    two.set_inputs(inputs! { radius: 5.0, count: i32::MAX })?;
    let refused = two.present(Clock::default(), &Exec::default()).is_err();
    let stands = match two.shown() {
        Some(frame) => digest(frame)? == stood,
        None => false,
    };
    let filed = store.stats().filed - filed;
    Ok(Row::new(
        "an output that fails leaves everything standing",
        device,
        "refused: true, stands: true, 0 filed",
        format!("refused: {refused}, stands: {stands}, {filed} filed"),
    ))
}

/// A clock that moves on by a millisecond each time it is read.
struct Ticking(ManualClock);

impl zero_compute::Clock for Ticking {
    fn now_ms(&self) -> f64 {
        self.0.advance_ms(1.0);
        self.0.now_ms()
    }
}

fn budget(device: &Device) -> Result<Row> {
    let graph = Graph::define("many", |g| {
        for place in 0..40 {
            let ring = g.add(points::Disc::new().count(8).radius(1.0 + place as f32));
            g.output(&format!("o{place}"), ring);
        }
    })?;
    let mut slow = play(device, &graph, inputs! {}, true)?;
    let clock = Ticking(ManualClock::default());
    let exec = Exec {
        budget_ms: Some(5.0),
        clock: &clock,
        ..Exec::default()
    };
    let (mut before, mut most) = (0, 0);
    for _ in 0..1000 {
        let answer = slow.present(Clock::default(), &exec)?;
        let cooked = slow.report().cooked.len();
        most = most.max(cooked - before);
        before = cooked;
        if let Present::Whole(_) = answer {
            break;
        }
        device.poll();
    }
    // A look at the clock before each node takes a millisecond of the five, and one node goes before the first look.
    let kept = if most <= 6 { "kept" } else { "passed" };
    let places: BTreeSet<Option<usize>> = slow.report().cooked.iter().map(|node| node.place).collect();
    let again = before - places.len();
    Ok(Row::new(
        "a budget is kept within a node, and nothing is cooked twice",
        device,
        "kept, 0 cooked twice",
        format!("{kept}, {again} cooked twice"),
    ))
}

fn discs() -> Result<GraphDef> {
    Ok(Graph::define("discs", |g| {
        let ring = g.add(points::Disc::new().count(1000).radius(g.float("radius", 1.0)));
        g.output("disc", ring.point().set("far", g.position().length()));
    })?)
}

fn pressed(device: &Device) -> Result<Row> {
    let budget = 200 * 1024;
    let store = Store::new(device, StoreOptions { budget_bytes: budget });
    let mut discs = Play::with_options(&store, &discs()?, inputs! {}, COOKED)?;
    let (mut trims, mut kept) = (0, 0);
    for step in 0..30 {
        discs.set_inputs(inputs! { radius: 1.0 + step as f32 })?;
        whole(&mut discs, Clock::default())?;
        let (memory, stats) = (store.memory(), store.stats());
        if stats.trims > trims {
            let stands = memory.bytes() == memory.tier(Tier::Stands);
            kept += u64::from(memory.bytes() <= budget / 5 * 4 || stands);
            trims = stats.trims;
        }
    }
    let some = trims > 2;
    Ok(Row::new(
        "past its budget a store ends a commit at 80 % or with what stands",
        device,
        format!("{trims} of {trims} commits, pressed: true"),
        format!("{kept} of {trims} commits, pressed: {some}"),
    ))
}

fn tiers(device: &Device) -> Result<Row> {
    let (graph, given) = (hills(4, 1.0)?, |height: f32| inputs! { height: height });
    let store = Store::new(device, StoreOptions::default());
    let mut held = Play::new(&store, &graph, inputs! {})?;
    let mut equal = 0;
    for (turn, tier) in Tier::ALL.into_iter().enumerate() {
        for step in 0..4 {
            held.set_inputs(given(3.0 + (turn + step) as f32))?;
            whole(&mut held, Clock::default())?;
        }
        store.let_go(tier);
        held.set_inputs(given(1.5 + turn as f32))?;
        let found = digest(&whole(&mut held, Clock::default())?)?;
        let inputs: Inputs = given(1.5 + turn as f32);
        equal += u32::from(found == digest(&whole(&mut play(device, &graph, inputs, false)?, Clock::default())?)?);
    }
    Ok(Row::new(
        "a later present shows the same bytes after each tier is let go of",
        device,
        "4 of 4 tiers",
        format!("{equal} of 4 tiers"),
    ))
}

fn draws(device: &Device) -> Result<Row> {
    let drawn = |count: i32, also: bool| -> Result<Vec<f32>> {
        let graph = Graph::define("drawn", move |g| {
            if also {
                let other = g.add(points::Disc::new().count(7).fill(points::Fill::Random));
                g.output("other", other.point().set("size", g.rand("size")));
            }
            let cloud = g.add(points::Disc::new().count(count).fill(points::Fill::Random).seed(3));
            g.output("cloud", cloud.point().set("size", g.rand("size")));
        })?;
        let frame = whole(&mut play(device, &graph, inputs! {}, true)?, Clock::default())?;
        let cloud = frame.geometry("cloud")?.download()?;
        let places = cloud.vec3s(Class::Point, "P")?.iter().take(50).flatten().copied();
        Ok(places
            .chain(cloud.floats(Class::Point, "size")?.iter().take(50).copied())
            .collect())
    };
    let plain = drawn(50, false)?;
    let differing = |other: &[f32]| {
        plain
            .iter()
            .zip(other)
            .filter(|(a, b)| a.to_bits() != b.to_bits())
            .count()
    };
    let (nodes, elements) = (drawn(50, true)?, drawn(80, false)?);
    Ok(Row::new(
        "a node more or an element more moves no draw",
        device,
        "0 and 0 of 200 moved",
        format!(
            "{} and {} of {} moved",
            differing(&nodes),
            differing(&elements),
            plain.len()
        ),
    ))
}
