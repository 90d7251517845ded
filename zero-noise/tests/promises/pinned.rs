//! The goldens' table: every function under its name, in Rust and in WGSL, with the inputs that its bits are pinned over.
//!
//! Tests of other crates include this file, so that an adapter is held to the hashes that the processor is held to.

use crate::inputs::floats;
use zero_noise::*;

/// The pinned hashes, a line each.
pub(crate) const TEXT: &str = include_str!("../goldens.txt");

pub(crate) const HEAD: &str =
    "# A hash of each function's bits over fixed inputs. ZERO_BLESS=1 cargo test writes it anew.\n";

/// Points behind the edges of the inputs.
const COUNT: u32 = 20_000;

/// The first seed, whose goldens bear a function's name alone, and others.
const SEEDS: [u32; 3] = [7, 0, u32::MAX];

/// The periods of what is tiled.
pub(crate) const PERIODS2: [u32; 2] = [5, 0];
pub(crate) const PERIODS3: [u32; 3] = [5, 0, 65_536];

/// What a function is given besides its coordinates.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) seed: u32,
    pub(crate) octaves: u32,
    pub(crate) strength: f32,
    pub(crate) metric: Metric,
}

/// A function's name and forms. The WGSL is an expression of `vec4<u32>` over the names that the macro below reads.
#[derive(Clone, Copy)]
pub(crate) struct Case {
    name: &'static str,
    pub(crate) settings: Settings,
    /// How many of the words enter the hash.
    pub(crate) words: usize,
    pub(crate) rust: fn(&Settings, u32, [f32; 3]) -> [u32; 4],
    pub(crate) wgsl: &'static str,
    has_seed: bool,
}

impl Case {
    /// What its line begins with.
    pub(crate) fn title(&self) -> String {
        if self.settings.seed == SEEDS[0] {
            self.name.to_owned()
        } else {
            format!("{}, seed {}", self.name, self.settings.seed)
        }
    }
}

fn one(value: f32) -> [u32; 4] {
    [value.to_bits(), 0, 0, 0]
}

fn several<const N: usize>(values: [f32; N]) -> [u32; 4] {
    std::array::from_fn(|k| values.get(k).map_or(0, |value| value.to_bits()))
}

fn two(values: [f32; 2]) -> [u32; 4] {
    several(values)
}

fn three(values: [f32; 3]) -> [u32; 4] {
    several(values)
}

fn four(values: [f32; 4]) -> [u32; 4] {
    several(values)
}

fn cell(found: Cellular) -> [u32; 4] {
    [found.f1.to_bits(), found.f2.to_bits(), 0, found.id]
}

/// The WGSL twins of the functions above.
pub(crate) const WORDS: &str = "
fn one(value: f32) -> vec4<u32> { return vec4<u32>(bitcast<u32>(value), 0u, 0u, 0u); }
fn two(values: vec2<f32>) -> vec4<u32> { return vec4<u32>(bitcast<vec2<u32>>(values), 0u, 0u); }
fn three(values: vec3<f32>) -> vec4<u32> { return vec4<u32>(bitcast<vec3<u32>>(values), 0u); }
fn four(values: vec4<f32>) -> vec4<u32> { return bitcast<vec4<u32>>(values); }
fn cell(found: ZnCellular) -> vec4<u32> {
    return vec4<u32>(bitcast<u32>(found.f1), bitcast<u32>(found.f2), 0u, found.id);
}";

/// A call is written once: the same text is Rust and, behind `zn_`, WGSL. It reads the seed `s`, the point's number `i`
/// and coordinates `x`, `y`, `z`, the octaves `o`, the strength `w`, the metric `m` and the periods `p2` and `p3`.
macro_rules! cases {
    (($s:ident, $o:ident, $w:ident, $m:ident, $p2:ident, $p3:ident, $i:ident, $x:ident, $y:ident, $z:ident)
        $($name:literal [$octaves:literal, $strength:literal, $metric:ident]: $words:ident ($f:ident $args:tt);)*) => {
        [$(Case {
            name: $name,
            settings: Settings {
                seed: SEEDS[0],
                octaves: $octaves,
                strength: $strength,
                metric: Metric::$metric,
            },
            words: words(stringify!($words)),
            rust: |settings, i, at| {
                #[allow(unused_variables, reason = "each function reads a part of them")]
                let ($s, $o, $w, $m, $p2, $p3, $i, [$x, $y, $z]) = (
                    settings.seed, settings.octaves, settings.strength, settings.metric, PERIODS2, PERIODS3, i, at,
                );
                $words($f $args)
            },
            wgsl: concat!(stringify!($words), "(zn_", stringify!($f), stringify!($args), ")"),
            has_seed: reads_seed(stringify!($args)),
        }),*]
    };
}

const fn words(answer: &str) -> usize {
    match answer.as_bytes() {
        b"one" => 1,
        _ => 4,
    }
}

const fn reads_seed(args: &str) -> bool {
    matches!(args.as_bytes(), [b'(', b's', ..])
}

const CASES: &[Case] = &cases! {
    (s, o, w, m, p2, p3, i, x, y, z)
    "draw" [0, 0.0, Euclidean]: one(draw(s, i));
    "sin" [0, 0.0, Euclidean]: one(sin(x));
    "cos" [0, 0.0, Euclidean]: one(cos(x));
    "exp2" [0, 0.0, Euclidean]: one(exp2(x));
    "log2" [0, 0.0, Euclidean]: one(log2(x));
    "tanh" [0, 0.0, Euclidean]: one(tanh(x));
    "sqrt" [0, 0.0, Euclidean]: one(sqrt(x));
    "recip" [0, 0.0, Euclidean]: one(recip(x));
    "fract" [0, 0.0, Euclidean]: one(fract(x));
    "div" [0, 0.0, Euclidean]: one(div(x, y));
    "modulo" [0, 0.0, Euclidean]: one(modulo(x, y));
    "pow" [0, 0.0, Euclidean]: one(pow(x, y));
    "atan2" [0, 0.0, Euclidean]: one(atan2(x, y));
    "value2" [0, 0.0, Euclidean]: one(value2(s, x, y));
    "gradient2" [0, 0.0, Euclidean]: one(gradient2(s, x, y));
    "fbm2, 1 octave" [1, 0.0, Euclidean]: one(fbm2(s, x, y, o));
    "fbm2, 6 octaves" [6, 0.0, Euclidean]: one(fbm2(s, x, y, o));
    "simplex2" [0, 0.0, Euclidean]: one(simplex2(s, x, y));
    "value2_tiled" [0, 0.0, Euclidean]: one(value2_tiled(s, x, y, p2));
    "gradient2_tiled" [0, 0.0, Euclidean]: one(gradient2_tiled(s, x, y, p2));
    "fbm2_tiled" [6, 0.0, Euclidean]: one(fbm2_tiled(s, x, y, o, p2));
    "ridged2" [6, 0.0, Euclidean]: one(ridged2(s, x, y, o));
    "warped2" [3, 1.75, Euclidean]: one(warped2(s, x, y, o, w));
    "warped2, far" [2, 1e9, Euclidean]: one(warped2(s, x, y, o, w));
    "value3" [0, 0.0, Euclidean]: one(value3(s, x, y, z));
    "gradient3" [0, 0.0, Euclidean]: one(gradient3(s, x, y, z));
    "fbm3, 1 octave" [1, 0.0, Euclidean]: one(fbm3(s, x, y, z, o));
    "fbm3, 6 octaves" [6, 0.0, Euclidean]: one(fbm3(s, x, y, z, o));
    "simplex3" [0, 0.0, Euclidean]: one(simplex3(s, x, y, z));
    "value3_tiled" [0, 0.0, Euclidean]: one(value3_tiled(s, x, y, z, p3));
    "gradient3_tiled" [0, 0.0, Euclidean]: one(gradient3_tiled(s, x, y, z, p3));
    "fbm3_tiled" [6, 0.0, Euclidean]: one(fbm3_tiled(s, x, y, z, o, p3));
    "ridged3" [6, 0.0, Euclidean]: one(ridged3(s, x, y, z, o));
    "warped3" [3, 1.75, Euclidean]: one(warped3(s, x, y, z, o, w));
    "value2_slope" [0, 0.0, Euclidean]: three(value2_slope(s, x, y));
    "value3_slope" [0, 0.0, Euclidean]: four(value3_slope(s, x, y, z));
    "gradient2_slope" [0, 0.0, Euclidean]: three(gradient2_slope(s, x, y));
    "gradient3_slope" [0, 0.0, Euclidean]: four(gradient3_slope(s, x, y, z));
    "fbm2_slope" [6, 0.0, Euclidean]: three(fbm2_slope(s, x, y, o));
    "fbm3_slope" [6, 0.0, Euclidean]: four(fbm3_slope(s, x, y, z, o));
    "warp2" [3, 1.75, Euclidean]: two(warp2(s, x, y, o, w));
    "warp3" [3, 1.75, Euclidean]: three(warp3(s, x, y, z, o, w));
    "cellular2, Euclidean" [0, 0.0, Euclidean]: cell(cellular2(s, x, y, m));
    "cellular2, Manhattan" [0, 0.0, Manhattan]: cell(cellular2(s, x, y, m));
    "cellular2, Chebyshev" [0, 0.0, Chebyshev]: cell(cellular2(s, x, y, m));
    "cellular2_tiled" [0, 0.0, Euclidean]: cell(cellular2_tiled(s, x, y, m, p2));
    "cellular3, Euclidean" [0, 0.0, Euclidean]: cell(cellular3(s, x, y, z, m));
    "cellular3, Manhattan" [0, 0.0, Manhattan]: cell(cellular3(s, x, y, z, m));
    "cellular3, Chebyshev" [0, 0.0, Chebyshev]: cell(cellular3(s, x, y, z, m));
    "cellular3_tiled" [0, 0.0, Manhattan]: cell(cellular3_tiled(s, x, y, z, m, p3));
    "ridged2_tiled" [6, 0.0, Euclidean]: one(ridged2_tiled(s, x, y, o, p2));
    "ridged3_tiled" [6, 0.0, Euclidean]: one(ridged3_tiled(s, x, y, z, o, p3));
    "ridged2_slope" [6, 0.0, Euclidean]: three(ridged2_slope(s, x, y, o));
    "ridged3_slope" [6, 0.0, Euclidean]: four(ridged3_slope(s, x, y, z, o));
    "ridged2_slope, 16 octaves" [16, 0.0, Euclidean]: three(ridged2_slope(s, x, y, o));
    "warped2_tiled" [3, 1.75, Euclidean]: one(warped2_tiled(s, x, y, o, w, p2));
    "warped3_tiled" [3, 1.75, Euclidean]: one(warped3_tiled(s, x, y, z, o, w, p3));
    "warped2_slope" [3, 1.75, Euclidean]: three(warped2_slope(s, x, y, o, w));
    "warped3_slope" [3, 1.75, Euclidean]: four(warped3_slope(s, x, y, z, o, w));
    "warped2_slope, far" [2, 1e9, Euclidean]: three(warped2_slope(s, x, y, o, w));
    "clean" [0, 0.0, Euclidean]: one(clean(x));
    "fbm2, 16 octaves" [16, 0.0, Euclidean]: one(fbm2(s, x, y, o));
    "fbm3, 3 octaves" [3, 0.0, Euclidean]: one(fbm3(s, x, y, z, o));
    "fbm2_slope, 16 octaves" [16, 0.0, Euclidean]: three(fbm2_slope(s, x, y, o));
    "fbm3_slope, 2 octaves" [2, 0.0, Euclidean]: four(fbm3_slope(s, x, y, z, o));
    "fbm2_tiled, 16 octaves" [16, 0.0, Euclidean]: one(fbm2_tiled(s, x, y, o, p2));
    "ridged2, 16 octaves" [16, 0.0, Euclidean]: one(ridged2(s, x, y, o));
    "ridged3, 1 octave" [1, 0.0, Euclidean]: one(ridged3(s, x, y, z, o));
    "warped2, 8 octaves" [8, -0.5, Euclidean]: one(warped2(s, x, y, o, w));
    "warp3, no octaves" [0, 1.75, Euclidean]: three(warp3(s, x, y, z, o, w));
};

/// Every case of the first seed, then those of the others that read one.
pub(crate) fn cases() -> Vec<Case> {
    let others = SEEDS[1..].iter().flat_map(|&seed| {
        let seeded = CASES.iter().filter(|case| case.has_seed);
        seeded.map(move |case| Case {
            settings: Settings { seed, ..case.settings },
            ..*case
        })
    });
    CASES.iter().copied().chain(others).collect()
}

/// What the `draw`s are drawn in: the state of the scope of the seed, not the seed.
pub(crate) fn state(case: &Case) -> u32 {
    match case.name {
        "draw" => Scope::new(case.settings.seed).state(),
        _ => case.settings.seed,
    }
}

/// How many of the points a case is computed at.
pub(crate) fn count(case: &Case, points: &[[f32; 3]]) -> usize {
    match case.name {
        "draw" => COUNT as usize,
        _ => points.len(),
    }
}

/// The points, axis by axis: the edges against each other, then floats of all sizes.
pub(crate) fn axes() -> [Vec<f32>; 3] {
    let mut axes = ["golden a", "golden b", "golden c"].map(|name| floats(name, COUNT));
    axes[1].reverse();
    axes
}

pub(crate) fn points() -> Vec<[f32; 3]> {
    let [a, b, c] = axes();
    let plane = a.into_iter().zip(b);
    plane.zip(c).map(|((x, y), z)| [x, y, z]).collect()
}

/// A hash over all the words of a sequence.
pub(crate) fn digest(words: impl Iterator<Item = u32>) -> u32 {
    words.fold(Scope::new(0), Scope::uint).hash()
}

/// Scopes whose hashes are pinned, with the bytes that they hash.
pub(crate) fn scopes() -> [(&'static str, Scope, Vec<u8>); 3] {
    let seven = 7u32.to_le_bytes();
    [
        ("Scope::new(0)", Scope::new(0), vec![0; 4]),
        (
            "Scope::new(7).text(\"points\").int(-1)",
            Scope::new(7).text("points").int(-1),
            [&seven[..], b"points\0", &[0xff; 4]].concat(),
        ),
        (
            "Scope::new(7).text(\"Höhe\").text(\"\")",
            Scope::new(7).text("Höhe").text(""),
            [&seven[..], "Höhe\0".as_bytes(), b"\0"].concat(),
        ),
    ]
}

/// A line of the goldens.
pub(crate) fn line(title: &str, hash: u32) -> String {
    format!("{title}: {hash:08x}\n")
}
