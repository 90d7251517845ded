//! The golden file: what the steps and two chunks have always been.

use crate::case::{Case, bare};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use zero_ground::glam::Vec2;
use zero_ground::steps::{Cell, Draw};
use zero_ground::{Band, Chunk, ChunkGrid, Clearing, Density, DensityShape, GroundFill, Texel};

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden.txt")
}

/// Eight by six texels from (-2, 1): tenths of chance, a digit each, and a scale that grows along z.
fn density() -> Density {
    let painted = ["00124566", "01248987", "13699aa8", "25899a97", "01366542", "00012100"];
    let texels = painted.iter().zip(0_u8..).flat_map(|(row, z)| {
        row.bytes().map(move |digit| {
            let tenths = if digit == b'a' { 10 } else { digit - b'0' };
            Texel::new(f32::from(tenths) / 10.0, 0.75 + f32::from(z) * 0.125)
        })
    });
    let shape = DensityShape::new(8, 6).at(Vec2::new(-2.0, 1.0));
    Density::from_texels(shape, texels.collect()).unwrap()
}

fn golden() -> String {
    let grid = ChunkGrid {
        corner_m: Vec2::new(0.5, -0.25),
        chunk_m: 16.0,
    };
    let grass = GroundFill {
        bands: vec![Band::new(1.0), Band::grown(1.5, 1.4)],
        trample: true,
        jitter: 0.9,
        wind_min: 0.25,
        ..GroundFill::default()
    };
    let rocks = GroundFill {
        bands: vec![Band::new(1.6), Band::new(4.0)],
        solid: true,
        scale_min: 0.5,
        scale_max: 2.5,
        wind_max: 0.0,
        ..GroundFill::default()
    };
    let mut case = Case::new(grid, density(), 7, grass);
    case.line("\n# The hash over (layer, cx, cz, band, i, j, draw), and the draw.");
    let cell = Cell {
        layer: 7,
        chunk: Chunk::new(-3, 12),
        band: 1,
        i: 5,
        j: 9,
    };
    Draw::ALL.into_iter().for_each(|draw| case.hash(cell, draw));
    case.hash(Cell::default(), Draw::AlongX);
    case.hash(
        Cell {
            layer: 63,
            chunk: Chunk::new(-128, 127),
            band: 0,
            i: 21,
            j: 21,
        },
        Draw::Far,
    );

    case.line("\n# a + (b - a) * t, where the other form of it, a (1 - t) + b t, would differ.");
    for (a, b, t) in [
        (0.8, 1.2, 0.3),
        (0.1, 0.7, 0.9),
        (-5.0, 0.3, 1.0),
        (3.0, 3.0, 0.77),
        (1e-3, 1e3, 0.123),
    ] {
        case.lerp(a, b, t);
    }
    case.line("\n# Draw and local (x, z) to yaw, cosine, sine and the turned (x, z).");
    for draw in [0.0, 0.1, 0.25, 0.375, 0.5, 0.625, 0.75, 0.9, 0.99999994] {
        case.yaw(draw, Vec2::new(1.0, 0.5));
    }
    case.line("\n# Side of a chunk and step to cells a side.");
    for (chunk_m, step_m) in [
        (32.0, 0.5),
        (32.0, 32.0 / 22.0),
        (32.0, 32.0 / 23.0),
        // A step that is an nth of the chunk but for its rounding, and one that is less than that.
        (32.0, 1.454_545_1),
        (32.0, 1.454_544_2),
        (16.0, 1.5),
        (32.0, 32.0),
    ] {
        case.cells(chunk_m, step_m);
    }
    case.line("\n# A chunk of cover in both bands, under a clearing.");
    case.clearing(Clearing::new(7.0, 6.0, 1.0, 3.5).with_floor(0.1));
    case.line("\n# What is painted, and what the clearing leaves, at (x, z).");
    for (x, z) in [(-1.0, 2.0), (3.3, 4.7), (13.9, 12.9), (14.0, 5.0), (-2.0, 1.0)] {
        case.sample(Vec2::new(x, z));
    }
    for (x, z) in [(7.0, 6.0), (8.0, 6.0), (8.3, 6.2), (7.0, 8.25), (9.9, 7.1), (10.5, 6.0)] {
        case.factor(Vec2::new(x, z));
    }
    case.line("\n# Things.");
    assert!(case.chunk(Chunk::new(0, 0), 0) > 20);
    assert!(case.chunk(Chunk::new(0, 0), 1) > 10);
    case.line("\n# A chunk of solid things in both bands, and by id.");
    case.layer(11, rocks);
    let near = case.chunk(Chunk::new(0, 0), 0);
    let far = case.chunk(Chunk::new(0, 0), 1);
    assert!(far > 0 && near > 2 * far, "{near} and {far}");
    assert_eq!(case.solids(Chunk::new(0, 0)), near);
    case.text
}

fn fresh() -> String {
    format!(
        "# What zero-ground answers. ZERO_BLESS=1 cargo test -p zero-ground --test ground golden writes it anew.\n\
         # Results are the bits of IEEE single precision; a remark behind them says what they are.\n\
         # A thing is its cell i and j, x, z, scale, yaw, seed and wind.\n\n{}",
        golden()
    )
}

/// The file's text, written anew before if that is asked for: once, whichever test comes first.
pub(crate) fn held() -> &'static str {
    static HELD: OnceLock<String> = OnceLock::new();
    HELD.get_or_init(|| {
        if std::env::var_os("ZERO_BLESS").is_some_and(|value| value == "1") {
            std::fs::write(path(), fresh()).unwrap();
        }
        std::fs::read_to_string(path()).unwrap()
    })
}

#[test]
fn the_golden_file_is_what_the_crate_answers() {
    let (held, fresh) = (held(), fresh());
    for (line, (held, fresh)) in bare(held).into_iter().zip(bare(&fresh)).enumerate() {
        assert_eq!(
            held, fresh,
            "line {line} that is no remark (left the file, right the crate)"
        );
    }
    assert_eq!(bare(held).len(), bare(&fresh).len());
}
