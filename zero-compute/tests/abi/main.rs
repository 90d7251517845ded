//! The conformance kernels of the typed call layer: every rule of `zero_compute::call`, on the CPU in all its forms and
//! on the software adapter.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "the lints spare test functions alone, not what they call"
)]

#[path = "../common/mod.rs"]
mod common;

mod answers;
mod bindings;
mod casts;
mod domains;
mod families;
mod host;
mod kernels;
mod refusals;
mod shaders;
mod sweep;
mod tables;
mod transfers;

use std::sync::LazyLock;

use common::devices;
use zero_compute::call::transfer::{self, Arrived};
use zero_compute::call::{Call, Called, Record};
use zero_compute::{Column, Device, Element};

/// The devices, made once for all tests. A static is never dropped, and a wgpu device must not be where a thread's
/// storage is torn down.
fn devices_once() -> &'static [(&'static str, Device)] {
    static DEVICES: LazyLock<Vec<(&'static str, Device)>> = LazyLock::new(devices);
    &DEVICES
}

/// Runs a call on every device, with what `call` makes of it, and looks at the answer.
fn on_every_device(call: impl Fn(&Device) -> Call, look: impl Fn(&str, &Device, Called)) {
    for (name, device) in devices_once() {
        let called = call(device)
            .run(device)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        look(name, device, called);
    }
}

/// Runs a call on every device and compares the floats of one of its outputs, capacity and all.
fn check_floats(output: &str, expected: &[f32], call: impl Fn(&Device) -> Call) {
    on_every_device(call, |name, _, called| {
        assert_eq!(
            floats(&called.column(output).unwrap().as_capacity()),
            expected,
            "{name}"
        );
    });
}

/// Expects a call to be refused on every device, with these words.
fn check_refused(expected: &[&str], call: impl Fn(&Device) -> Call) {
    for (name, device) in devices_once() {
        let mut rec = device.record("refused");
        let error = call(device).record(&mut rec).unwrap_err().to_string();
        for words in expected {
            assert!(error.contains(words), "{name}: expected `{words}` in `{error}`");
        }
        assert_eq!(
            rec.finish().unwrap().dispatches(),
            0,
            "{name}: a refused call leaves nothing recorded"
        );
    }
}

fn floats(column: &Column) -> Vec<f32> {
    column.read().unwrap().wait().unwrap()
}

fn ints(column: &Column) -> Vec<i32> {
    column.read().unwrap().wait().unwrap()
}

fn words(column: &Column) -> Vec<u32> {
    column.read().unwrap().wait().unwrap()
}

fn read(device: &Device, values: impl Into<Record>) -> Arrived {
    transfer::readback(device, values).unwrap().wait().unwrap()
}

fn up(device: &Device, values: &[f32]) -> Column {
    device.upload(values, 1).unwrap()
}

/// The column as the live front of `count` elements.
fn live(device: &Device, column: &Column, count: u32) -> Column {
    let live = column.with_live(&device.upload(&[count], 1).unwrap()).unwrap();
    assert_eq!(live.element(), column.element());
    live
}

/// A column of each kind of word, of the same numbers.
fn kinds(device: &Device, numbers: &[u32]) -> Vec<(Element, Column)> {
    let floats: Vec<f32> = numbers.iter().map(|v| *v as f32).collect();
    let ints: Vec<i32> = numbers.iter().map(|v| *v as i32).collect();
    vec![
        (Element::F32, device.upload(&floats, 1).unwrap()),
        (Element::I32, device.upload(&ints, 1).unwrap()),
        (Element::U32, device.upload(numbers, 1).unwrap()),
    ]
}
