//! The kernel families against plain sequential oracles, bit for bit, on every device: the CPU on both instruction
//! sets and 1, 2 and 16 threads, and the software adapter.
//!
//! `ZERO_TEST_SCALE` (`small` unless set; `full`, or a number) multiplies the random rounds, and from 4 on, which is
//! `full`, adds the large sizes to every family (`large.rs` says which).

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "the lints spare test functions alone, not what they call"
)]

#[path = "../common/mod.rs"]
mod common;

mod counts;
mod edges;
mod fourier;
mod held;
mod indexed;
mod inert;
mod joined;
mod jumps;
mod kinds;
mod large;
mod large_fields;
mod lattices;
mod lengths;
mod limits;
mod made;
mod near;
mod order;
mod probes;
mod proc_fields;
mod raster_samples;
mod rasters;
mod rays;
mod rings;
mod rounding;
mod runs;
mod shaders;
mod sums;
mod trees;
mod vectors;

use std::cell::Cell;
use std::sync::LazyLock;

use common::{named, parity};
use zero_compute::parity::{EDGE_SIZES, Parity, live_counts};
use zero_compute::{Column, Determinism, Device, Element, Recorder};

/// How much is tested: 1 for `small`, 4 for `full`, or a number.
fn scale() -> u32 {
    match std::env::var("ZERO_TEST_SCALE").as_deref() {
        Err(_) | Ok("small") => 1,
        Ok("full") => 4,
        Ok(number) => number
            .parse()
            .expect("ZERO_TEST_SCALE is small, full or a whole number"),
    }
}

/// Sizes at and around the edges of workgroups, blocks and slices.
fn sizes() -> Vec<u32> {
    let mut sizes = EDGE_SIZES.to_vec();
    if scale() >= 4 {
        sizes.extend([262_144, 262_145, 1_000_003]);
    }
    sizes
}

/// Random numbers of the tests: splitmix64.
struct Random(u64);

impl Random {
    fn word(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z >> 32) as u32
    }
    fn below(&mut self, n: u32) -> u32 {
        ((u64::from(self.word()) * u64::from(n)) >> 32) as u32
    }
    /// A float between -1000 and 1000.
    fn float(&mut self) -> f32 {
        (self.word() as i32 as f32) * (1000.0 / 2_147_483_648.0)
    }
    fn words(&mut self, n: u32) -> Vec<u32> {
        (0..n).map(|_| self.word()).collect()
    }
    fn ints(&mut self, n: u32) -> Vec<i32> {
        (0..n).map(|_| self.word() as i32).collect()
    }
    fn floats(&mut self, n: u32) -> Vec<f32> {
        (0..n).map(|_| self.float()).collect()
    }
    fn flags(&mut self, n: u32, one_in: u32) -> Vec<i32> {
        (0..n).map(|_| i32::from(self.below(one_in) == 0)).collect()
    }
}

/// The words of a column's whole capacity.
fn bits(column: &Column) -> Vec<u32> {
    let column = column.as_capacity();
    match column.element() {
        Element::F32 => column
            .read::<f32>()
            .unwrap()
            .wait()
            .unwrap()
            .iter()
            .map(|v| v.to_bits())
            .collect(),
        Element::I32 => column
            .read::<i32>()
            .unwrap()
            .wait()
            .unwrap()
            .iter()
            .map(|v| *v as u32)
            .collect(),
        Element::U32 => column.read::<u32>().unwrap().wait().unwrap(),
    }
}

/// Words of any kind as bits.
trait Bits {
    fn to_words(&self) -> Vec<u32>;
}
impl Bits for [f32] {
    fn to_words(&self) -> Vec<u32> {
        self.iter().map(|v| v.to_bits()).collect()
    }
}
impl Bits for [i32] {
    fn to_words(&self) -> Vec<u32> {
        self.iter().map(|v| *v as u32).collect()
    }
}
impl Bits for [u32] {
    fn to_words(&self) -> Vec<u32> {
        self.to_vec()
    }
}

/// Records `make` on every device, runs the list twice, and compares the words of what it answers with `expected`.
fn check_all(what: &str, expected: &[Vec<u32>], make: impl Fn(&Device, &mut Recorder) -> Vec<Column>) {
    check_runs(what, expected, 2, make);
}

/// As [`check_all`] for work that changes something in place: the list runs once.
fn check_once(what: &str, expected: &[Vec<u32>], make: impl Fn(&Device, &mut Recorder) -> Vec<Column>) {
    check_runs(what, expected, 1, make);
}

fn check_runs(what: &str, expected: &[Vec<u32>], runs: u32, make: impl Fn(&Device, &mut Recorder) -> Vec<Column>) {
    let check = all_devices().work(what, Determinism::Exact).sizes([0]).runs(runs);
    let check = check.oracle(|_| expected.to_vec());
    let report = check.check(|inputs, recorder| Ok(make(inputs.device(), recorder)));
    let report = report.unwrap_or_else(|error| panic!("{what}: {error}"));
    let words: usize = expected.iter().map(Vec::len).sum();
    let went = (report.devices, report.cases, report.words);
    assert_eq!(went, (all_devices().devices().len(), 1, words as u64), "{what}");
}

/// The devices, made once for all tests. A static is never dropped, and a wgpu device must not be where a thread's
/// storage is torn down.
fn all_devices() -> &'static Parity {
    static DEVICES: LazyLock<Parity> = LazyLock::new(parity);
    if IS_ALONE.get() { reference_alone() } else { &DEVICES }
}

thread_local! {
    /// Whether the tests of this thread run on the reference alone.
    static IS_ALONE: Cell<bool> = const { Cell::new(false) };
}

/// The CPU's baseline on one thread: what every other device is compared with.
fn reference_alone() -> &'static Parity {
    static REFERENCE: LazyLock<Parity> = LazyLock::new(|| Parity::of(Parity::cpu().devices().iter().take(1).cloned()));
    &REFERENCE
}

/// Runs tests on the reference alone.
fn with_reference_alone(run: impl FnOnce()) {
    IS_ALONE.set(true);
    run();
    IS_ALONE.set(false);
}

fn devices_once() -> &'static [(&'static str, Device)] {
    static DEVICES: LazyLock<Vec<(&'static str, Device)>> = LazyLock::new(|| named(all_devices()));
    static ALONE: LazyLock<Vec<(&'static str, Device)>> = LazyLock::new(|| named(reference_alone()));
    if IS_ALONE.get() { &ALONE } else { &DEVICES }
}

/// The column as the live front of `count` elements.
fn live(device: &Device, column: &Column, count: u32) -> Column {
    column.with_live(&device.upload(&[count], 1).unwrap()).unwrap()
}
