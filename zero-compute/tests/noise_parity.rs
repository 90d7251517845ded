//! zero-noise's WGSL has the bits of its Rust, over random words and the edges of each function's cases.
#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]
#![cfg_attr(
    feature = "gpu",
    expect(clippy::expect_used, reason = "a helper of tests fails as a test does")
)]

mod common;

use zero_compute::{Determinism, Device, Domain, Element, Kernel, Rule, args};
use zero_noise::*;

const COUNT: u32 = 1 << 20;

static FUNCTION: Kernel = Kernel::declare("noise_parity")
    .read("a", Element::U32)
    .read("b", Element::U32)
    .read("c", Element::U32)
    .write("dst", Element::U32, Rule::Domain)
    .specialize(
        "F",
        &[
            "clean",
            "sin",
            "cos",
            "exp2",
            "log2",
            "tanh",
            "sqrt",
            "recip",
            "fract",
            "div",
            "modulo",
            "pow",
            "atan2",
            "draw",
            "value2",
            "value3",
            "gradient2",
            "gradient3",
            "fbm2",
            "fbm3",
            "simplex2",
            "simplex3",
            "ridged2",
            "ridged3",
            "warped2",
            "warped3",
            "value2_tiled",
            "value3_tiled",
            "gradient2_tiled",
            "gradient3_tiled",
            "fbm2_tiled",
            "fbm3_tiled",
            "warp2",
            "warp3",
            "value2_slope",
            "value3_slope",
            "gradient2_slope",
            "gradient3_slope",
            "fbm2_slope",
            "fbm3_slope",
            "cellular2",
            "cellular3",
            "cellular2_tiled",
            "cellular3_tiled",
        ],
    )
    .determinism(Determinism::Exact)
    .wgsl(include_str!("noise_parity.wgsl"));

/// The words of one element.
#[derive(Clone, Copy)]
struct Words([u32; 3]);

impl Words {
    /// Seeds: 0, the last, one that is small and any other.
    fn seed(self) -> u32 {
        let [a, b, c] = self.0;
        [0, 7, u32::MAX, b.wrapping_mul(0x9e37_79b9) ^ c][(a % 4) as usize]
    }

    /// Octaves: none up to more than there are.
    fn octaves(self) -> u32 {
        (self.0[1] >> 3) % 19
    }

    /// Octaves of a displacement, which costs a noise for each axis.
    fn few(self) -> u32 {
        (self.0[1] >> 3) % 5
    }
}

type Twin = fn(f32, f32, f32, Words) -> u32;

const TWINS: [(&str, Twin); 44] = [
    ("clean", |a, _, _, _| clean(a).to_bits()),
    ("sin", |a, _, _, _| sin(a).to_bits()),
    ("cos", |a, _, _, _| cos(a).to_bits()),
    ("exp2", |a, _, _, _| exp2(a).to_bits()),
    ("log2", |a, _, _, _| log2(a).to_bits()),
    ("tanh", |a, _, _, _| tanh(a).to_bits()),
    ("sqrt", |a, _, _, _| sqrt(a).to_bits()),
    ("recip", |a, _, _, _| recip(a).to_bits()),
    ("fract", |a, _, _, _| fract(a).to_bits()),
    ("div", |a, b, _, _| div(a, b).to_bits()),
    ("modulo", |a, b, _, _| modulo(a, b).to_bits()),
    ("pow", |a, b, _, _| pow(a, b).to_bits()),
    ("atan2", |a, b, _, _| atan2(a, b).to_bits()),
    ("draw", |a, b, _, _| draw(a.to_bits(), b.to_bits()).to_bits()),
    ("value2", |a, b, _, w| value2(w.seed(), a, b).to_bits()),
    ("value3", |a, b, c, w| value3(w.seed(), a, b, c).to_bits()),
    ("gradient2", |a, b, _, w| gradient2(w.seed(), a, b).to_bits()),
    ("gradient3", |a, b, c, w| gradient3(w.seed(), a, b, c).to_bits()),
    ("fbm2", |a, b, _, w| fbm2(w.seed(), a, b, w.octaves()).to_bits()),
    ("fbm3", |a, b, c, w| fbm3(w.seed(), a, b, c, w.octaves()).to_bits()),
    ("simplex2", |a, b, _, w| simplex2(w.seed(), a, b).to_bits()),
    ("simplex3", |a, b, c, w| simplex3(w.seed(), a, b, c).to_bits()),
    ("ridged2", |a, b, _, w| ridged2(w.seed(), a, b, w.octaves()).to_bits()),
    ("ridged3", |a, b, c, w| {
        ridged3(w.seed(), a, b, c, w.octaves()).to_bits()
    }),
    ("warped2", |a, b, c, w| warped2(w.seed(), a, b, w.few(), c).to_bits()),
    ("warped3", |a, b, c, w| warped3(w.seed(), a, b, c, w.few(), b).to_bits()),
    ("value2_tiled", |a, b, c, w| {
        value2_tiled(w.seed(), a, b, periods2(a, c)).to_bits()
    }),
    ("value3_tiled", |a, b, c, w| {
        value3_tiled(w.seed(), a, b, c, periods3(a, c)).to_bits()
    }),
    ("gradient2_tiled", |a, b, c, w| {
        gradient2_tiled(w.seed(), a, b, periods2(a, c)).to_bits()
    }),
    ("gradient3_tiled", |a, b, c, w| {
        gradient3_tiled(w.seed(), a, b, c, periods3(a, c)).to_bits()
    }),
    ("fbm2_tiled", |a, b, c, w| {
        fbm2_tiled(w.seed(), a, b, w.octaves(), periods2(a, c)).to_bits()
    }),
    ("fbm3_tiled", |a, b, c, w| {
        fbm3_tiled(w.seed(), a, b, c, w.octaves(), periods3(a, c)).to_bits()
    }),
    ("warp2", |a, b, c, w| digest(&warp2(w.seed(), a, b, w.few(), c))),
    ("warp3", |a, b, c, w| digest(&warp3(w.seed(), a, b, c, w.few(), b))),
    ("value2_slope", |a, b, _, w| digest(&value2_slope(w.seed(), a, b))),
    ("value3_slope", |a, b, c, w| digest(&value3_slope(w.seed(), a, b, c))),
    ("gradient2_slope", |a, b, _, w| digest(&gradient2_slope(w.seed(), a, b))),
    ("gradient3_slope", |a, b, c, w| {
        digest(&gradient3_slope(w.seed(), a, b, c))
    }),
    ("fbm2_slope", |a, b, _, w| {
        digest(&fbm2_slope(w.seed(), a, b, w.octaves()))
    }),
    ("fbm3_slope", |a, b, c, w| {
        digest(&fbm3_slope(w.seed(), a, b, c, w.octaves()))
    }),
    ("cellular2", |a, b, c, w| {
        digest_cell(cellular2(w.seed(), a, b, metric(c)))
    }),
    ("cellular3", |a, b, c, w| {
        digest_cell(cellular3(w.seed(), a, b, c, metric(a)))
    }),
    ("cellular2_tiled", |a, b, c, w| {
        digest_cell(cellular2_tiled(w.seed(), a, b, metric(c), periods2(a, c)))
    }),
    ("cellular3_tiled", |a, b, c, w| {
        digest_cell(cellular3_tiled(w.seed(), a, b, c, metric(a), periods3(a, c)))
    }),
];

/// Several results as one word.
fn digest(values: &[f32]) -> u32 {
    let words = [0, 1, 2, 3].map(|k| values.get(k).map_or(0, |value| value.to_bits()));
    words.into_iter().fold(0x811c_9dc5, fold_u32)
}

fn digest_cell(cell: Cellular) -> u32 {
    digest(&[cell.f1, cell.f2]) ^ cell.id
}

fn metric(word: f32) -> Metric {
    [Metric::Euclidean, Metric::Manhattan, Metric::Chebyshev][(word.to_bits() % 3) as usize]
}

/// Periods of all sizes, 0 among them.
fn periods3(a: f32, c: f32) -> [u32; 3] {
    [c.to_bits() % 9, (c.to_bits() >> 8) % 70_000, a.to_bits() % 5]
}

fn periods2(a: f32, c: f32) -> [u32; 2] {
    let [x, y, _] = periods3(a, c);
    [x, y]
}

/// Words of every kind: any bits, small and moderate numbers, small integers, powers of two and their neighbours, and
/// at last the special values.
fn words(stream: u32) -> Vec<u32> {
    (0..COUNT)
        .map(|i| {
            let hash = finish(fold_u32(stream, i));
            let signed = hash.cast_signed() as f32;
            match finish(hash) % 6 {
                0 => hash,
                1 => (signed * 2.0_f32.powi(-28)).to_bits(),
                2 => (signed * 2.0_f32.powi(-18)).to_bits(),
                3 => ((hash % 257) as f32 * 0.5 - 64.0).to_bits(),
                4 => (hash & 0xff80_0000).wrapping_add(hash & 3).wrapping_sub(1),
                _ => [
                    0,
                    1 << 31,
                    1,
                    0x7f80_0000,
                    0xff80_0000,
                    0x7fc0_0000,
                    0x7f7f_ffff,
                    0x0080_0000,
                ][(hash & 7) as usize],
            }
        })
        .collect()
}

/// A hardware adapter and the software adapter, of those that there are. `ZERO_TEST_ADAPTER` names one in place of both.
/// Without any the software adapter is asked for as every other test does, which fails in CI.
fn adapters() -> Vec<Device> {
    #[cfg(feature = "gpu")]
    {
        use zero_compute::GpuOptions;
        if let Ok(name) = std::env::var("ZERO_TEST_ADAPTER") {
            let options = GpuOptions {
                adapter_name: Some(name),
                ..GpuOptions::default()
            };
            return vec![Device::gpu_blocking(options).expect("the adapter that ZERO_TEST_ADAPTER names")];
        }
        if let Ok(hardware) = Device::gpu_blocking(GpuOptions::default()) {
            let software = GpuOptions {
                software: true,
                ..GpuOptions::default()
            };
            return std::iter::once(hardware)
                .chain(Device::gpu_blocking(software).ok())
                .collect();
        }
    }
    common::gpu().into_iter().collect()
}

#[test]
fn wgsl_has_the_bits_of_rust() {
    let devices = adapters();
    let [a, b, c] = [words(1), words(2), words(3)];
    let mut wrong = Vec::new();
    for (name, twin) in TWINS {
        let wanted: Vec<u32> = (0..COUNT as usize)
            .map(|i| {
                let words = [a[i], b[i], c[i]];
                let [a, b, c] = words.map(f32::from_bits);
                twin(a, b, c, Words(words))
            })
            .collect();
        for device in &devices {
            let adapter = &device.info().name;
            let got = on(device, name, [&a, &b, &c]);
            let differing: Vec<_> = (0..COUNT as usize)
                .filter(|&i| wanted[i] != got[i])
                .map(|i| {
                    let [a, b, c] = [a[i], b[i], c[i]].map(f32::from_bits);
                    let [got, want] = [got[i], wanted[i]];
                    let [got_float, want_float] = [got, want].map(f32::from_bits);
                    format!("{name}({a:e}, {b:e}, {c:e}) is {got:#x} ({got_float:e}), not {want:#x} ({want_float:e})")
                })
                .collect();
            println!("{adapter}: {name}, {} of {COUNT} differ", differing.len());
            if let Some(first) = differing.first() {
                wrong.push(format!("{adapter}: {} of {COUNT}: {first}", differing.len()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// One function over all words, on a device.
fn on(device: &Device, function: &'static str, words: [&[u32]; 3]) -> Vec<u32> {
    let [a, b, c] = words.map(|words| device.upload(words, 1).unwrap());
    let mut recorder = device.record(function);
    let args = args! { a: &a, b: &b, c: &c, F: function };
    let dst = recorder
        .dispatch(&FUNCTION, args, Domain::of(&a))
        .unwrap()
        .column("dst")
        .unwrap();
    recorder.finish().unwrap().submit().unwrap();
    dst.read::<u32>().unwrap().wait().unwrap()
}
