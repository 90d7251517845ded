//! What the engine takes: to plan, to find what is cached, to replay, to cook again after an edit; how many reads a store
//! answers, what a node takes in memory. On the CPU backend; `cargo xtask bench engine` builds it and runs it.
//!
//! `ZERO_BPY_PYTHON` names a Python that has `bpy`: the edit of a long chain is then timed in Blender beside it.

use std::fmt;
use std::hint::black_box;
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};
use zero_compute::{CpuOptions, Device, Exec, Isa};
use zero_procgen::nodes::{field, geometry, points};
use zero_procgen::{
    Clock, Geo, Graph, GraphDef, Play, PlayOptions, Present, Result, Store, StoreOptions, inputs, vec3,
};

/// Strands of the wide graph, and transforms in each: about ten thousand nodes of a plan.
const STRANDS: usize = 100;
const LENGTH: usize = 20;

/// Nodes of the chain, and points along each side of what it moves.
const CHAIN: usize = 100;
const SIDE: i32 = 1000;

const ROUNDS: usize = 7;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("engine_bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    println!("machine: {}\n", machine());
    println!("| what | figure | aim |\n|---|---|---|");
    let store = wide()?;
    hits(&store);
    memory()?;
    chain()?;
    peer();
    Ok(())
}

fn row(what: &str, figure: impl fmt::Display, aim: impl fmt::Display) {
    println!("| {what} | {figure} | {aim} |");
}

/// The processor and how many threads run at once, as Linux names them.
fn machine() -> String {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    format!(
        "{}, {threads} threads",
        model.map_or(std::env::consts::ARCH, |(_, name)| name)
    )
}

fn device() -> Device {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    Device::cpu(CpuOptions {
        pool: pool.ok().map(Arc::new),
        isa: Isa::Auto,
    })
}

fn millis(work: impl FnOnce() -> Result<()>) -> Result<f64> {
    let begun = Instant::now();
    work()?;
    Ok(begun.elapsed().as_secs_f64() * 1e3)
}

/// The least of several times: what the work takes where nothing else ran meanwhile.
fn least(times: Vec<f64>) -> f64 {
    times.into_iter().fold(f64::INFINITY, f64::min)
}

fn show(play: &mut Play) -> Result<()> {
    while let Present::Pending = play.present(Clock::default(), &Exec::default())? {
        play.device().poll();
    }
    Ok(())
}

/// Strands of transforms over a few points; `last` is what the last node of the last strand is moved by.
fn strands(last: f32) -> Result<GraphDef> {
    Graph::define("wide", move |g| {
        let start = g.add(points::Grid::new());
        let lift = g.float("lift", 0.5);
        for strand in 0..STRANDS {
            let mut end = start;
            for node in 0..LENGTH {
                let is_last = (strand, node) == (STRANDS - 1, LENGTH - 1);
                let by = vec3(lift, node as f32 * 0.1, if is_last { last } else { strand as f32 });
                end = g.add(geometry::Transform::new(end).translate(by));
            }
            g.output(&format!("o{strand}"), end);
        }
    })
}

fn wide() -> Result<Store> {
    let store = Store::new(&device(), StoreOptions::default());
    let (mut build, mut plan) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let mut graph = None;
        build.push(millis(|| {
            graph = Some(strands(round as f32)?);
            Ok(())
        })?);
        if let Some(graph) = &graph {
            plan.push(millis(|| graph.plan().map(|plan| drop(black_box(plan))))?);
        }
    }
    let graph = strands(-1.0)?;
    let nodes = graph.plan()?.len();
    let (build, plan) = (least(build), least(plan));
    let a_node = |ms: f64| format!("{ms:.1} ms, {:.2} us a node", ms * 1e3 / nodes as f64);
    row(&format!("write a graph of {nodes} nodes"), a_node(build), "");
    row(&format!("plan {nodes} nodes"), a_node(plan), "below 100 ms");
    let cooked = PlayOptions {
        recorded: false,
        ..PlayOptions::default()
    };
    let mut play = Play::with_options(&store, &graph, inputs! {}, cooked)?;
    let cold = millis(|| show(&mut play))?;
    row(&format!("cook {nodes} nodes over 16 points"), a_node(cold), "");
    let mut found = Vec::new();
    for _ in 0..ROUNDS {
        let mut other = Play::with_options(&store, &graph, inputs! {}, cooked)?;
        found.push(millis(|| show(&mut other))?);
    }
    row(&format!("find {nodes} nodes cached"), a_node(least(found)), "");
    let edits: Vec<GraphDef> = (0..ROUNDS)
        .map(|round| strands(round as f32 + 0.5))
        .collect::<Result<_>>()?;
    let (mut planned, mut edited) = (Vec::new(), Vec::new());
    let mut counted = 0;
    for edit in &edits {
        let planning = millis(|| play.set_graph(edit))?;
        edited.push(planning + millis(|| show(&mut play))?);
        planned.push(planning);
        counted = play.report().cooked.len();
    }
    row(
        &format!("plan and cook an edit near the end of {nodes} nodes ({counted} cooked)"),
        format!("{:.2} ms, {:.2} of it to plan", least(edited), least(planned)),
        "below 5 ms",
    );
    let mut replays = Play::new(&store, &graph, inputs! {})?;
    let (mut times, mut replayed) = (Vec::new(), 0);
    for round in 0..ROUNDS + 3 {
        replays.set_inputs(inputs! { lift: round as f32 * 0.125 })?;
        let taken = millis(|| show(&mut replays))?;
        if round >= 3 {
            times.push(taken);
            replayed = replays.report().replayed;
        }
    }
    row(
        &format!("replay {replayed} nodes for a moved number"),
        a_node(least(times)),
        "",
    );
    Ok(store)
}

/// Reads that so many threads get answered in a second: all that are answered from when every thread is there until they
/// are told to end, over the time between.
fn reads(store: &Store, threads: usize) -> f64 {
    let (keys, ready, over) = (store.keys(), Barrier::new(threads + 1), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let reader = |thread: usize| {
            let (keys, ready, over) = (&keys, &ready, &over);
            move || {
                ready.wait();
                let mut count = 0usize;
                while !over.load(Ordering::Relaxed) {
                    for at in 0..100 {
                        let key = keys[(at * 17 + thread * 7919 + count) % keys.len()];
                        black_box(store.get(key));
                    }
                    count += 100;
                }
                count
            }
        };
        let threads: Vec<_> = (0..threads).map(|thread| scope.spawn(reader(thread))).collect();
        ready.wait();
        let begun = Instant::now();
        std::thread::sleep(Duration::from_millis(200));
        over.store(true, Ordering::Relaxed);
        let count: usize = threads.into_iter().map(|thread| thread.join().unwrap_or(0)).sum();
        count as f64 / begun.elapsed().as_secs_f64()
    })
}

/// The best of several rounds in which the numbers of threads take turns, so that other work on the machine meets all.
fn hits(store: &Store) {
    let mut best = [(1, 0.0f64), (2, 0.0), (16, 0.0)];
    for _ in 0..ROUNDS {
        best.iter_mut()
            .for_each(|(threads, rate)| *rate = rate.max(reads(store, *threads)));
    }
    for (threads, rate) in best {
        row(
            &format!(
                "reads that a store of {} values answers, {threads} threads",
                store.keys().len()
            ),
            format!("{:.1} million a second", rate / 1e6),
            if threads == 1 { "" } else { "no fewer than with 1" },
        );
    }
}

/// Bytes that the process holds, as Linux counts them.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim()
        .trim_end_matches(" kB")
        .parse::<u64>()
        .ok()
        .map(|kib| kib * 1024)
}

fn memory() -> Result<()> {
    let before = resident();
    let graphs: Vec<GraphDef> = (0..10).map(|last| strands(last as f32)).collect::<Result<_>>()?;
    let built = resident();
    let mut nodes = 0;
    for graph in &graphs {
        nodes += graph.plan()?.len();
    }
    let planned = resident();
    let figure = match (before, built, planned) {
        (Some(before), Some(built), Some(planned)) => format!(
            "{} bytes written, {} more planned",
            built.saturating_sub(before) / nodes as u64,
            planned.saturating_sub(built) / nodes as u64
        ),
        _ => "not told by this system".to_owned(),
    };
    row("memory a node", figure, "");
    black_box(graphs);
    Ok(())
}

fn long(last: f32) -> Result<GraphDef> {
    Graph::define("chain", move |g| {
        let mut chain: Geo<'_> = g.add(points::Grid::new().count_x(SIDE).count_z(SIDE));
        for node in 0..CHAIN {
            let by = vec3(0.01, 0.01 * node as f32, if node + 1 == CHAIN { last } else { 0.0 });
            let place = match node == CHAIN / 2 {
                true => g.position() + by * g.add(field::Fbm::new(g.position() * 0.01).octaves(6)),
                false => g.position() + by,
            };
            chain = g.add(geometry::SetPosition::new(chain, place));
        }
        g.output("chain", chain);
    })
}

fn chain() -> Result<()> {
    let device = device();
    let (mut cold, mut edit) = (Vec::new(), Vec::new());
    for round in 0..3 {
        let store = Store::new(&device, StoreOptions::default());
        let mut play = Play::new(&store, &long(round as f32)?, inputs! {})?;
        cold.push(millis(|| show(&mut play))?);
        for turn in 0..3 {
            let edited = long(10.0 + turn as f32)?;
            edit.push(millis(|| {
                play.set_graph(&edited)?;
                show(&mut play)
            })?);
        }
    }
    let (cold, edit) = (least(cold), least(edit));
    row(
        &format!("cook a chain of {CHAIN} nodes over 1 million points"),
        format!("{cold:.1} ms"),
        "",
    );
    row(
        "edit its last node",
        format!("{edit:.2} ms, {:.1} % of cold", edit / cold * 100.0),
        "at most 5 % of cold",
    );
    Ok(())
}

fn peer() {
    let Some(python) = std::env::var_os("ZERO_BPY_PYTHON") else {
        println!("\nBlender was not timed: ZERO_BPY_PYTHON names no Python that has bpy");
        return;
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/blender_chain.py");
    let told = match Command::new(&python).arg(script).output() {
        Ok(output) => output,
        Err(error) => {
            println!(
                "\nBlender was not timed: {} did not start: {error}",
                python.to_string_lossy()
            );
            return;
        }
    };
    let text = String::from_utf8_lossy(&told.stdout).into_owned();
    let words: Vec<&str> = text
        .lines()
        .find_map(|line| line.strip_prefix("PEER "))
        .map_or(Vec::new(), |line| line.split(' ').collect());
    let numbers: Vec<f64> = words.iter().skip(1).filter_map(|word| word.parse().ok()).collect();
    match (words.first(), numbers.as_slice()) {
        (Some(version), [cold, edit]) => row(
            &format!("the same edit in Blender {version}"),
            format!("{edit:.1} ms, {:.1} % of its cold {cold:.1} ms", edit / cold * 100.0),
            "",
        ),
        _ => println!(
            "\nBlender was not timed: {} answered {}",
            python.to_string_lossy(),
            String::from_utf8_lossy(&told.stderr)
                .lines()
                .last()
                .unwrap_or("nothing")
        ),
    }
}
