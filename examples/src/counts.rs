//! What a play promises, each promise measured on counts: the same on every machine.

mod engine;

use crate::graphs::{particles, tower};
use crate::{Result, whole};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use zero_compute::{CancelToken, CpuOptions, Device, Exec, Isa, Stats};
use zero_procgen::nodes::{field, geometry, mesh, points};
use zero_procgen::{
    Class, Clock, Float, Frame, Geo, Graph, GraphDef, Inputs, Plan, Play, PlayOptions, Store, StoreOptions, inputs,
    vec3,
};

/// One promise on one device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What is promised.
    pub promise: &'static str,
    /// Where it was measured.
    pub device: String,
    /// What the counts must be.
    pub expected: String,
    /// What they are.
    pub found: String,
}

impl Row {
    /// Whether the promise holds.
    pub fn holds(&self) -> bool {
        self.expected == self.found
    }

    fn new(promise: &'static str, device: &Device, expected: impl fmt::Display, found: impl fmt::Display) -> Row {
        let device = device.info().name.clone();
        Row {
            promise,
            device,
            expected: expected.to_string(),
            found: found.to_string(),
        }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.holds() { "holds" } else { "FAILS" };
        let device: String = self.device.chars().take(24).collect();
        write!(f, "{verdict}  {:<66} {device:<24}  {}", self.promise, self.found)?;
        if self.holds() {
            Ok(())
        } else {
            write!(f, "  (expected {})", self.expected)
        }
    }
}

/// Measures every promise on a device.
///
/// # Errors
/// Those of a cook; a promise that is broken is a row that does not hold, not an error.
pub fn measure(device: &Device) -> Result<Vec<Row>> {
    let mut rows = vec![
        chain(device)?,
        unchanged(device)?,
        downstream_only(device)?,
        moved_number(device)?,
        steps(device)?,
        cancelled(device)?,
    ];
    rows.extend(engine::rows(device)?);
    Ok(rows)
}

/// Holds the bytes of every device to those of the first. It is promised of CPUs and software adapters; hardware is
/// held to a stated bound, so it is left out.
///
/// # Errors
/// Those of a cook.
pub fn same_bytes(devices: &[Device]) -> Result<Vec<Row>> {
    let graphs = [(tower()?, 0), (particles()?, 30), (hills()?, 0)];
    let mut rows = Vec::new();
    let mut first: Option<Vec<u64>> = None;
    let promised =
        |device: &&Device| device.info().software || matches!(device.class(), zero_compute::DeviceClass::Cpu);
    for device in devices.iter().filter(promised) {
        let mut digests = Vec::new();
        for (graph, frame) in &graphs {
            let mut play = play(device, graph, inputs! {}, true)?;
            digests.push(digest(&whole(&mut play, Clock::frame(*frame, 60.0))?)?);
        }
        let text = |digests: &[u64]| {
            digests
                .iter()
                .map(|digest| format!("{digest:016x}"))
                .collect::<Vec<_>>()
                .join(" ")
        };
        let expected = first.get_or_insert_with(|| digests.clone());
        rows.push(Row::new(
            "the same bytes, whatever runs them",
            device,
            text(expected),
            text(&digests),
        ));
    }
    Ok(rows)
}

/// CPU devices of every kind: 1, 2 and 16 threads, with the processor's instructions and with the baseline.
///
/// # Errors
/// [`crate::Error::Threads`] where the system gives no threads.
pub fn cpu_devices() -> Result<Vec<Device>> {
    let mut devices = Vec::new();
    for threads in [1, 2, 16] {
        for isa in [Isa::Auto, Isa::Baseline] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
            devices.push(Device::cpu(CpuOptions {
                pool: Some(Arc::new(pool)),
                isa,
            }));
        }
    }
    Ok(devices)
}

fn play(device: &Device, graph: &GraphDef, inputs: Inputs, recorded: bool) -> Result<Play> {
    let store = Store::new(device, StoreOptions::default());
    Ok(Play::with_options(
        &store,
        graph,
        inputs,
        PlayOptions {
            recorded,
            ..PlayOptions::default()
        },
    )?)
}

fn chain(device: &Device) -> Result<Row> {
    let graph = Graph::define("chain", |g| {
        let points = g.add(points::Grid::new().count_x(64).count_z(64));
        let mut value: Float<'_> = g.position().x();
        for step in 0..50 {
            value = value * 1.01 + step as f32;
        }
        let (plain, chained) = (points, points.point().set("value", value));
        g.output("plain", plain);
        g.output("chained", chained);
    })?;
    let without = Graph::define("without", |g| {
        g.output("plain", g.add(points::Grid::new().count_x(64).count_z(64)))
    })?;
    let dispatches = |graph: &GraphDef| -> Result<u64> {
        let counting = device.counting();
        whole(&mut play(device, graph, inputs! {}, false)?, Clock::default())?;
        Ok(counting.delta().dispatches)
    };
    let found = dispatches(&graph)? - dispatches(&without)?;
    Ok(Row::new(
        "a chain of 100 operators is 1 dispatch",
        device,
        "1 dispatch",
        format!("{found} dispatch"),
    ))
}

fn unchanged(device: &Device) -> Result<Row> {
    let mut play = play(device, &tower()?, inputs! {}, true)?;
    whole(&mut play, Clock::default())?;
    let counting = device.counting();
    whole(&mut play, Clock::default())?;
    let Stats {
        dispatches,
        allocations,
        uploads,
        submissions,
        ..
    } = counting.delta();
    let found = format!(
        "{} cooked, {} counted",
        play.report().cooked.len(),
        dispatches + allocations + uploads + submissions
    );
    Ok(Row::new(
        "an unchanged present does nothing",
        device,
        "0 cooked, 0 counted",
        found,
    ))
}

/// A graph of a thousand nodes that nobody wrote, from a generator whose state is all there is to it.
fn random_graph() -> Result<GraphDef> {
    Ok(Graph::define("random", |g| {
        let numbers: Vec<Float<'_>> = (0..12).map(|n| g.float(&format!("n{n}"), 1.0 + n as f32)).collect();
        let mut made: Vec<Geo<'_>> = vec![g.add(mesh::Box::new()), g.add(points::Grid::new())];
        for node in 0..1000u32 {
            let draw = |channel: u32, bound: usize| {
                let hash = zero_noise::Scope::new(channel).uint(node).hash();
                hash as usize % bound
            };
            let (number, at) = (numbers[draw(1, numbers.len())], made[draw(2, made.len())]);
            made.push(match draw(3, 4) {
                0 => g.add(geometry::Transform::new(at).translate(vec3(number, 0.5, number * 0.1))),
                1 => at.point().set("heat", g.position().x() * number + 1.0),
                2 => g.add(mesh::Box::new().size(vec3(number, 1.0, number + 2.0))),
                // Of the first few alone, so that sums of sums don't grow without end.
                _ => g.add(geometry::Merge::new([
                    made[draw(4, 8.min(made.len()))],
                    made[draw(5, 8.min(made.len()))],
                ])),
            });
        }
        // Each is asked for, so that none is dropped from the plan.
        for (place, geometry) in made.iter().enumerate() {
            g.output(&format!("o{place}"), *geometry);
        }
    })?)
}

/// The places of a plan that stand on an input, by what the plan says of itself.
fn downstream(plan: &Plan, input: &str) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for (place, node) in plan.nodes().enumerate() {
        if node.inputs.iter().any(|name| name == input) || node.reads.iter().any(|from| found.contains(from)) {
            found.insert(place);
        }
    }
    found
}

fn downstream_only(device: &Device) -> Result<Row> {
    let graph = random_graph()?;
    let mut play = play(device, &graph, inputs! {}, false)?;
    whole(&mut play, Clock::default())?;
    let expected = downstream(play.plan(), "n3");
    play.set_inputs(inputs! { n3: 0.25 })?;
    whole(&mut play, Clock::default())?;
    let cooked: BTreeSet<usize> = play.report().cooked.iter().filter_map(|node| node.place).collect();
    // Places that ask one question share one cook.
    let answered = |place: &&usize| cooked.iter().any(|other| play.plan().same_work(**place, *other));
    let missing = expected.difference(&cooked).filter(|place| !answered(place)).count();
    let beside = cooked.difference(&expected).count();
    let all = play.plan().nodes().count();
    // A change that nothing stands on, or a small plan, would prove nothing.
    let enough = |expected: bool| if expected { "enough" } else { "too few" };
    let found = format!(
        "{beside} beside, {missing} missing of {} in {all}: {}",
        expected.len(),
        enough(all >= 1000 && (20..all / 2).contains(&expected.len()))
    );
    let expected = format!("0 beside, 0 missing of {} in {all}: {}", expected.len(), enough(true));
    Ok(Row::new(
        "a changed input of 1 000 nodes cooks what is downstream alone",
        device,
        expected,
        found,
    ))
}

fn moved_number(device: &Device) -> Result<Row> {
    let mut play = play(device, &tower()?, inputs! {}, true)?;
    whole(&mut play, Clock::default())?;
    for width in [7.0, 6.0, 5.5] {
        play.set_inputs(inputs! { width: width })?;
        whole(&mut play, Clock::default())?;
    }
    let counting = device.counting();
    play.set_inputs(inputs! { width: 5.0 })?;
    whole(&mut play, Clock::default())?;
    let delta = counting.delta();
    let ran = if delta.dispatches > 0 { "replayed" } else { "not run" };
    let found = format!(
        "{ran}, {} cooked, {} allocations",
        play.report().cooked.len(),
        delta.allocations
    );
    Ok(Row::new(
        "a moved number replays a recorded list",
        device,
        "replayed, 0 cooked, 0 allocations",
        found,
    ))
}

fn steps(device: &Device) -> Result<Row> {
    let mut play = play(device, &particles()?, inputs! {}, true)?;
    let (mut cooked, mut allocated, mut ran) = (0, 0, 0);
    for frame in 0..10 {
        let counting = device.counting();
        drop(whole(&mut play, Clock::frame(frame, 60.0))?);
        if frame >= 2 {
            let delta = counting.delta();
            cooked += play.report().cooked.len();
            allocated += delta.allocations;
            ran += u32::from(delta.dispatches > 0);
        }
    }
    let steps: u64 = play.report().steps.iter().map(|step| step.steps).sum();
    let found = format!("{steps} steps, {ran} of 8 frames ran work, {cooked} cooked, {allocated} allocations");
    Ok(Row::new(
        "a step cooks and allocates nothing from the third on",
        device,
        "10 steps, 8 of 8 frames ran work, 0 cooked, 0 allocations",
        found,
    ))
}

/// A clock that cancels when it is read for the fifth time, and counts on: a device reads it once a slice.
struct Cancelling {
    reads: AtomicU32,
    token: CancelToken,
}

/// The read that cancels: amid the slices, after the reads that the budget takes while the nodes are recorded.
const CANCEL_AT: u32 = 12;

impl zero_compute::Clock for Cancelling {
    fn now_ms(&self) -> f64 {
        if self.reads.fetch_add(1, Ordering::Relaxed) + 1 == CANCEL_AT {
            self.token.cancel();
        }
        0.0
    }
}

fn cancelled(device: &Device) -> Result<Row> {
    let graph = Graph::define("heavy", |g| {
        let points = g.add(points::Grid::new().count_x(1024).count_z(1024));
        let noise = g.add(field::Fbm::new(g.position() * 0.01).octaves(6));
        g.output("points", points.point().set("noise", noise));
    })?;
    let mut play = play(device, &graph, inputs! {}, true)?;
    let token = CancelToken::new();
    let cpu = matches!(device.class(), zero_compute::DeviceClass::Cpu);
    if !cpu {
        // A GPU is handed whole submissions: what can be counted is that none follows the cancellation.
        token.cancel();
    }
    let clock = Cancelling {
        reads: AtomicU32::new(0),
        token: token.clone(),
    };
    let exec = Exec {
        budget_ms: Some(1e9),
        cancel: &token,
        clock: &clock,
        ..Exec::default()
    };
    let counting = device.counting();
    let stopped = play
        .present(Clock::default(), &exec)
        .is_err_and(|error| error.is_cancelled());
    let row = if cpu {
        let after = clock.reads.load(Ordering::Relaxed).saturating_sub(CANCEL_AT);
        let slices = if after <= 1 { "at most 1" } else { "more" };
        Row::new(
            "a cancel returns within a slice",
            device,
            "stopped: true, slices after: at most 1",
            format!("stopped: {stopped}, slices after: {slices}"),
        )
    } else {
        Row::new(
            "a cancelled present hands the GPU nothing",
            device,
            "stopped: true, submissions: 0",
            format!("stopped: {stopped}, submissions: {}", counting.delta().submissions),
        )
    };
    whole(&mut play, Clock::default())?;
    Ok(row)
}

fn hills() -> Result<GraphDef> {
    Ok(Graph::define("hills", |g| {
        let sheet = g.add(mesh::Grid::new().size([40.0, 1.0, 40.0]).cells_x(96).cells_z(64));
        let height = g.add(field::Fbm::new(g.position() / 7.0).octaves(5)) * 3.0;
        let lifted = g.add(geometry::SetPosition::new(sheet, g.position() + vec3(0.0, height, 0.0)));
        g.output("hills", g.add(geometry::RecalculateNormals::new(lifted)));
        let cloud = g.add(
            points::Disc::new()
                .count(70_000)
                .radius(20.0)
                .fill(points::Fill::Random),
        );
        let density = g.add(field::Noise::new(g.position() * 0.3)) + 0.5;
        g.output("kept", g.add(points::Filter::new(cloud, density)));
    })?)
}

/// A 64-bit FNV-1a hash over every word that a frame shows.
fn digest(frame: &Frame) -> Result<u64> {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut take = |bytes: &[u8]| {
        for byte in bytes {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for (name, value) in frame.outputs() {
        take(name.as_bytes());
        let geometry = value.geometry()?.download()?;
        for class in Class::ALL {
            for name in geometry.names(class) {
                take(name.as_bytes());
                if let Ok(values) = geometry.floats(class, name) {
                    values.iter().for_each(|value| take(&value.to_le_bytes()));
                } else if let Ok(values) = geometry.ints(class, name) {
                    values.iter().for_each(|value| take(&value.to_le_bytes()));
                } else if let Ok(values) = geometry.vec3s(class, name) {
                    values.iter().flatten().for_each(|value| take(&value.to_le_bytes()));
                }
            }
        }
    }
    Ok(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_promise_holds_on_the_cpu() {
        let rows = measure(&Device::cpu(CpuOptions::default())).unwrap();
        let broken: Vec<String> = rows.iter().filter(|row| !row.holds()).map(Row::to_string).collect();
        assert!(broken.is_empty(), "{broken:#?}");
        assert_eq!(rows.len(), 15);
    }

    #[test]
    fn a_broken_promise_is_said() {
        let row = Row::new("two is three", &Device::cpu(CpuOptions::default()), 3, 2);
        assert!(!row.holds() && row.to_string().contains("FAILS") && row.to_string().contains("expected 3"));
    }
}
