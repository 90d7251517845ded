//! zero-noise's goldens computed on an adapter: the hashes that its own tests pin on the processor. The table of them, with
//! inputs, seeds and octaves, is zero-noise's.
#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

mod common;
#[path = "../../zero-noise/tests/promises/inputs.rs"]
mod inputs;
#[path = "../../zero-noise/tests/promises/pinned.rs"]
mod pinned;

use zero_compute::{Determinism, Device, Domain, Element, Kernel, Param, Rule, args};
use zero_noise::Scope;

/// A kernel of this text over points, which answers four words each.
fn kernel(wgsl: String) -> &'static Kernel {
    let kernel = Kernel::declare("golden")
        .read("points", Element::U32)
        .write("dst", Element::U32, Rule::Lanes(4))
        .param("seed", Param::U32(0))
        .param("octaves", Param::U32(0))
        .param("strength", Param::F32(0.0))
        .param("metric", Param::U32(0))
        .determinism(Determinism::Exact)
        .wgsl(wgsl.leak());
    Box::leak(Box::new(kernel))
}

fn text(call: &str) -> String {
    let ([px2, py2], [px3, py3, pz3]) = (pinned::PERIODS2, pinned::PERIODS3);
    format!(
        "// @use zero_noise
{words}
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {{
    let i = zero_index(gid, nw);
    if i >= zero_n() {{
        return;
    }}
    let x = bitcast<f32>(points[3u * i]);
    let y = bitcast<f32>(points[3u * i + 1u]);
    let z = bitcast<f32>(points[3u * i + 2u]);
    let s = params.seed;
    let o = params.octaves;
    let w = params.strength;
    let m = params.metric;
    let p2 = vec2<u32>({px2}u, {py2}u);
    let p3 = vec3<u32>({px3}u, {py3}u, {pz3}u);
    let found = {call};
    dst[4u * i] = found.x;
    dst[4u * i + 1u] = found.y;
    dst[4u * i + 2u] = found.z;
    dst[4u * i + 3u] = found.w;
}}",
        words = pinned::WORDS
    )
}

#[test]
fn an_adapter_has_the_pinned_bits() {
    let Some(device) = common::gpu() else { return };
    let points = pinned::points();
    let words: Vec<u32> = points.iter().flatten().map(|x| x.to_bits()).collect();
    let column = device.upload(&words, 3).unwrap();
    let (adapter, mut wrong) = (device.info().name.clone(), Vec::new());
    let mut computed = String::from(pinned::HEAD);
    for (title, _, bytes) in pinned::scopes() {
        computed.push_str(&pinned::line(title, folded(&device, &bytes)));
    }
    let mut made: Vec<(&str, &'static Kernel)> = Vec::new();
    for case in pinned::cases() {
        let known = made
            .iter()
            .find(|(call, _)| *call == case.wgsl)
            .map(|(_, kernel)| *kernel);
        let kernel = known.unwrap_or_else(|| {
            let kernel = kernel(text(case.wgsl));
            made.push((case.wgsl, kernel));
            kernel
        });
        let count = pinned::count(&case, &points);
        let mut rec = device.record("golden");
        let args = args! {
            points: &column,
            seed: pinned::state(&case),
            octaves: case.settings.octaves,
            strength: case.settings.strength,
            metric: case.settings.metric as u32,
        };
        let dst = rec.dispatch(kernel, args, Domain::count(count as u32)).unwrap();
        let dst = dst.column("dst").unwrap();
        rec.finish().unwrap().submit().unwrap();
        let found = dst.read::<u32>().unwrap().wait().unwrap();
        let hash = pinned::digest(found.chunks(4).flat_map(|found| found[..case.words].to_vec()));
        let line = pinned::line(&case.title(), hash);
        if !pinned::TEXT.contains(&line) {
            wrong.push(format!("{adapter}: {}", first_difference(&case, &points, &found)));
        }
        computed.push_str(&line);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(computed, pinned::TEXT, "{adapter}");
}

/// Where an adapter's words are not those of Rust.
fn first_difference(case: &pinned::Case, points: &[[f32; 3]], found: &[u32]) -> String {
    let mut settings = case.settings;
    settings.seed = pinned::state(case);
    let differing = (0u32..).zip(points).zip(found.chunks(4)).find_map(|((i, &at), found)| {
        let wanted = (case.rust)(&settings, i, at);
        (wanted != found).then(|| format!("{} of {at:?} is {found:x?}, not {wanted:x?}", case.title()))
    });
    differing.unwrap_or_else(|| format!("{} has the words of Rust, which are not those pinned", case.title()))
}

/// What a scope of these bytes hashes to, on a device.
fn folded(device: &Device, bytes: &[u8]) -> u32 {
    let kernel = kernel(
        "// @use zero_noise
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    if zero_index(gid, nw) == 0u {
        var state = ZN_FNV_OFFSET;
        for (var k = 0u; k < params.octaves; k += 1u) {
            state = (state ^ points[k]) * ZN_FNV_PRIME;
        }
        dst[0] = zn_finish(state);
    }
}"
        .to_owned(),
    );
    let words: Vec<u32> = bytes.iter().map(|&byte| byte.into()).collect();
    let column = device.upload(&words, 1).unwrap();
    let mut rec = device.record("scope");
    let args = args! { points: &column, octaves: words.len() as u32 };
    let done = rec.dispatch(kernel, args, Domain::count(1)).unwrap();
    rec.finish().unwrap().submit().unwrap();
    done.column("dst").unwrap().read::<u32>().unwrap().wait().unwrap()[0]
}

/// The table that both crates read pins what the goldens' file holds, a line each, of several seeds and octaves.
#[test]
fn every_golden_is_in_the_table() {
    let titles: Vec<String> = pinned::scopes()
        .iter()
        .map(|(title, ..)| (*title).to_owned())
        .chain(pinned::cases().iter().map(pinned::Case::title))
        .collect();
    let lines = pinned::TEXT
        .lines()
        .skip(1)
        .map(|line| line.rsplit_once(": ").unwrap().0);
    assert!(lines.eq(titles.iter().map(String::as_str)));
    assert_eq!(pinned::digest(std::iter::once(5)), Scope::new(0).uint(5).hash());
}
