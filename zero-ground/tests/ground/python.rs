//! The second implementation of the steps, in Python, agrees to the bit.

use crate::case::{Case, Split, bare};
use crate::golden;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use zero_ground::glam::Vec2;
use zero_ground::{Band, Chunk, ChunkGrid, Clearing, Density, DensityShape, GroundFill, Texel};

/// What `steps.py` makes of a case, or `None` where there is no Python and this is not CI.
fn second_opinion(case: &str) -> Option<String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/steps.py");
    let mut python = Command::new("python3");
    let child = python.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) if std::env::var_os("CI").is_some() => panic!("CI needs python3 for the second opinion: {error}"),
        Err(error) => {
            // Not eprintln!, which a passing test keeps to itself.
            let said = format!("SKIPPED: no python3 ({error}); the second implementation was not asked\n");
            std::io::stderr().write_all(said.as_bytes()).unwrap();
            return None;
        }
    };
    let mut input = child.stdin.take().unwrap();
    let case = case.to_owned();
    // From a thread of its own: the script answers while it reads, and a full pipe would hold both up.
    let feeding = std::thread::spawn(move || input.write_all(case.as_bytes()));
    let output = child.wait_with_output().unwrap();
    feeding.join().unwrap().unwrap();
    assert!(output.status.success(), "steps.py failed: {}", output.status);
    Some(String::from_utf8(output.stdout).unwrap())
}

fn check(case: &str) {
    let questions: String = case
        .lines()
        .filter(|line| !line.starts_with('='))
        .fold(String::new(), |all, line| all + line + "\n");
    let Some(answer) = second_opinion(&questions) else {
        return;
    };
    let (ours, theirs) = (bare(case), bare(&answer));
    for (line, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
        assert_eq!(
            ours, theirs,
            "line {line} that is no remark (left the crate, right steps.py)"
        );
    }
    assert_eq!(ours.len(), theirs.len());
}

#[test]
fn python_answers_the_golden_file() {
    check(golden::held());
}

/// Rows, grids, maps and clearings of every kind, drawn from a fixed seed.
#[test]
fn python_agrees_on_two_hundred_random_cases() {
    let mut things = 0;
    let mut all = String::new();
    for number in 0..200 {
        let (text, found) = random_case(number);
        things += found;
        all.push_str("untrampled\n");
        all.push_str(&text);
    }
    assert!(things > 5000, "{things} things are no test");
    check(&all);
}

fn random_case(number: u32) -> (String, usize) {
    let mut at = 0;
    let mut draw = |low: f32, high: f32| {
        at += 1;
        low + (high - low) * zero_noise::Scope::new(number).uint(at).unit()
    };
    let chunk_m = draw(8.0, 40.0);
    let corner_m = Vec2::new(draw(-300.0, 300.0), draw(-300.0, 300.0));
    let shape = DensityShape::new(draw(1.0, 12.0) as u32, draw(1.0, 12.0) as u32)
        .with_texel_m(draw(0.5, 6.0))
        .at(corner_m + Vec2::new(draw(-20.0, 20.0), draw(-20.0, 20.0)));
    let density = Density::from_fn(shape, |_| {
        let scale = draw(-0.1, 2.0).max(0.0);
        Texel::new(draw(-0.3, 1.3).clamp(0.0, 1.0), scale)
    });
    let (scale, wind) = (draw(0.01, 3.0), draw(0.0, 2.0));
    let step_m = chunk_m / draw(1.0, 20.0);
    let far_m = (step_m * draw(1.0, 3.0)).min(chunk_m);
    let fill = GroundFill {
        bands: vec![Band::new(step_m), Band::grown(far_m, draw(0.5, 3.0))],
        solid: draw(0.0, 1.0) < 0.5,
        trample: draw(0.0, 1.0) < 0.7,
        jitter: draw(-0.2, 1.2).clamp(0.0, 1.0),
        chance: draw(0.5, 1.2).min(1.0),
        scale_min: scale,
        scale_max: scale + draw(0.0, 2.0),
        wind_min: wind,
        wind_max: wind + draw(0.0, 2.0),
    };
    let solid = fill.solid;
    let mut case = Case::new(
        ChunkGrid { corner_m, chunk_m },
        density.unwrap(),
        draw(0.0, 64.0) as u32,
        fill,
    );
    for _ in 0..draw(0.0, 4.0) as u32 {
        let (x, z) = (corner_m.x + draw(-30.0, 50.0), corner_m.y + draw(-30.0, 50.0));
        let inner = draw(-2.0, 8.0).max(0.0);
        let outer = inner + draw(-1.0, 9.0).max(0.0);
        case.clearing(Clearing::new(x, z, inner, outer).with_floor(draw(-0.5, 1.0).max(0.0)));
    }
    if draw(0.0, 1.0) < 0.4 {
        case.callback(Split {
            edge_m: corner_m.x + draw(0.0, 10.0),
            left: draw(0.0, 1.0),
            right: draw(0.0, 2.0),
        });
    }
    // What decides whether a thing stands shows in few of the things, so it is asked for by itself.
    for _ in 0..6 {
        case.sample(corner_m + Vec2::new(draw(-25.0, 60.0), draw(-25.0, 60.0)));
        case.factor(corner_m + Vec2::new(draw(-35.0, 55.0), draw(-35.0, 55.0)));
        // Steps within 30 roundings of an nth of the chunk: there a cell more or less is decided.
        let nth = chunk_m / draw(1.0, 64.0).floor();
        case.cells(chunk_m, f32::from_bits(nth.to_bits() - 30 + draw(0.0, 60.0) as u32));
    }
    let mut found = 0;
    for chunk in [Chunk::new(0, 0), Chunk::new(-1, 0), Chunk::new(0, -1)] {
        found += case.chunk(chunk, 0) + case.chunk(chunk, 1);
        found += if solid { case.solids(chunk) } else { 0 };
    }
    (case.text, found)
}
