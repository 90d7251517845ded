//! What stands around kernels: casts, tables, calls, authors' files, guards.

use std::sync::LazyLock;

use zero_compute::author::{AuthorKernel, Loader, SourceFile};
use zero_compute::call::{Call, Record};
use zero_compute::{Cpu, Domain, Element, Error, Result, args, kernels};

use super::super::parts::{BY_TABLE, TURN, terrace};
use super::super::world::{Vary, Want, World};

pub(super) fn cast(w: &mut World<'_>) -> Result<()> {
    let src = w.any(Want::anything())?;
    let to = w.element();
    let cast = w.rec.cast(&src, to)?;
    w.keep(&cast);
    Ok(())
}

/// Columns of any kinds and lanes in one buffer, of which a kernel reads the first lanes by name.
pub(super) fn pack(w: &mut World<'_>) -> Result<()> {
    let floats = w.any(Want::of(Element::F32).tame())?;
    let n = floats.capacity();
    let ints = w.any(Want::of(Element::I32).elements(n))?;
    let more = w.any(Want::anything())?;
    let table = w.rec.pack(&[("more", &more), ("ints", &ints), ("floats", &floats)])?;
    let domain = match w.random.one_in(2) {
        true => Domain::of(&floats),
        false => Domain::count(n),
    };
    let done = w.rec.dispatch(&BY_TABLE, args! { cols: &table }, domain)?;
    for name in ["float", "int"] {
        let column = done.column(name)?;
        w.keep(&column);
    }
    Ok(())
}

/// A call that reads a column of any kind by value, changes a copy of another in place, and has a number that a slot sets.
pub(super) fn call(w: &mut World<'_>) -> Result<()> {
    let src = w.any(Want::anything().lanes(1).tame())?;
    let n = src.capacity();
    let data = w.any(Want::anything().lanes(1).elements(n).tame())?;
    let bits = w.random.word();
    let call = match w.random.below(3) {
        0 => Call::new(&TURN, &src).bind("src", &src),
        1 => Call::new(&TURN, n).bind("src", &src),
        _ => Call::new(&TURN, &src).columns(Record::new().with("src", &src).with("unread", &data)),
    };
    let called = call.bind("data", &data).bind("bits", bits).record(&mut w.rec)?;
    w.slots.push((called.slot("bits")?, Vary::Bits));
    let column = called.column("data")?;
    w.keep(&column);
    Ok(())
}

/// Heights in terraces, as an author's files have it.
static TERRACES: LazyLock<Result<AuthorKernel>> = LazyLock::new(|| {
    let bindings = SourceFile::new(
        "soak_terraces/bindings.yaml",
        "version: 1
description: Lays heights in terraces.
determinism: exact
bindings:
- { name: heights, access: read, element: f32 }
- { name: terraced, access: write, element: f32, count: heights }
params:
- { name: rise, type: int, default: 1 }
specialize:
- { name: EDGE, options: [hard, soft] }
",
    );
    let wgsl = SourceFile::new(
        "soak_terraces/soak_terraces.wgsl",
        "// @use zero_noise
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) { return; }
    let lanes = params.heights_lanes;
    for (var lane = 0u; lane < lanes; lane = lane + 1u) {
        let at = i * lanes + lane;
        var step = 0.0;
        if (i < zero_live()) {
            step = floor(zn_div(heights[at], f32(params.rise)));
            // @when EDGE soft
            step = step + 0.5;
            // @end
        }
        terraced[at] = step;
    }
}
",
    );
    let loader = Loader::new().twin("soak_terraces", Cpu::Ranges(terrace));
    loader.load("soak_terraces", &bindings, &wgsl)
});

pub(super) fn author(w: &mut World<'_>) -> Result<()> {
    let kernel = TERRACES.as_ref().map_err(Error::clone)?;
    let heights = w.any(Want::of(Element::F32).tame())?;
    let edge = w.random.of(&["hard", "soft"]).unwrap_or("hard");
    let rise = 1 + w.random.below(9) as i32;
    let arguments = args! { heights: &heights, rise: rise, EDGE: edge };
    let done = w.rec.dispatch(kernel, arguments, Domain::of(&heights))?;
    let column = done.column("terraced")?;
    w.keep(&column);
    Ok(())
}

/// Rooms that fit and rooms that do not: what they outgrew is compared after every run.
pub(super) fn guard(w: &mut World<'_>) -> Result<()> {
    let counts = super::moved::run_counts(w)?;
    let n = counts.capacity();
    let room = w.random.of(&[n / 2, n, n.saturating_mul(4)]).unwrap_or(n);
    let slots = kernels::expand(&mut w.rec, &counts, room)?;
    w.keep(&slots.owner);
    w.rec.guard_room("slots", &slots.owner)?;
    let flags = w.any(Want::anything().lanes(1))?;
    let kept = kernels::compact(&mut w.rec, &flags)?.indices;
    w.keep(&kept);
    if let Some(count) = kept.live_count() {
        let room = w.live_count(kept.capacity());
        w.rec.guard("kept", &count, room)?;
    }
    Ok(())
}
