//! A traveller by a fire: drawn with text art and raster operations, written as a GIF, as a sprite sheet and as a
//! template.
//!
//! `cargo run -p zero-pixel --example campfire -- OUT` writes `campfire.gif`, `campfire.png`, `sheet.png` and
//! `campfire.pixelTemplate` into the folder OUT.

use std::path::PathBuf;
use zero_pixel::{
    Canvas, Error, FolderStore, GifExport, Legend, Library, Metadata, Palette, Rect, Result, SheetLayout,
};

const WIDTH: u32 = 112;
const HEIGHT: u32 = 72;
const FRAMES: usize = 8;
/// Where the fire burns.
const FIRE: (i32, i32) = (62, 55);

const NOTHING: u8 = 0;
const SKY: [u8; 6] = [1, 2, 3, 4, 5, 6];
const STAR: u8 = 7;
const DIM: u8 = 8;
const FAR: u8 = 9;
const NEAR: u8 = 10;
const PINE: u8 = 11;
const PINE_LIT: u8 = 12;
const GROUND: [u8; 4] = [13, 14, 15, 16];
const STONE: [u8; 3] = [17, 18, 19];
const FLAME: [u8; 5] = [23, 24, 25, 26, 27];

const COLORS: [&str; 34] = [
    "#0000", // nothing
    "#0b0c1f", "#11142f", "#191d45", "#262759", "#3a3169", "#573b70", // sky, down to the horizon
    "#e8ecff", "#7d86b8", // star, dim star
    "#1c1b3a", "#131330", // far and near mountains
    "#0b1a1c", "#1d3a2a", // pine, its lit side
    "#0d1a18", "#183024", "#34482a", "#75682f", // ground, dark to lit
    "#2d2a3a", "#56506a", "#b08a72", // stone, its lit side
    "#2e1a14", "#633a20", "#c07a3a", // wood
    "#a81f1c", "#e2501b", "#f8952a", "#ffd257", "#fff6cf", // flame
    "#1f1626", "#5a2c48", "#9c4a4e", "#d98a52", // cloak, dark to lit
    "#e2a57c", "#ffd9a8", // skin
];

const TRAVELLER: [&str; 19] = [
    ".....dddd.......",
    "...ddmmmldd.....",
    "..dmmmmmmllL....",
    "..dmmmmmmmlL....",
    ".dmmmmmddddL....",
    ".dmmmmdssssS....",
    ".dmmmmdsdsdS....",
    ".dmmmmdssssS....",
    "..dmmmmdssS.....",
    ".ddmmmmmddlL....",
    ".dmmmmmmmmllL...",
    "ddmmmmmdmmmlL...",
    "dmmmmmmmdmmmlLS.",
    "dmmmmmmmmddmlsS.",
    "dmmmmmmmmmmddL..",
    "ddmmmmmmdmmmmlL.",
    ".ddmmmmmmddmmlL.",
    "..dddmmmmmmddwwo",
    ".....ddddddddwwo",
];

const LOGS: [&str; 5] = [
    "bw................ow",
    "bbwwo..........owwbb",
    "..bbwwwo....owwwbb..",
    "....bbbwwwwwwbbb....",
    "...owwwwbbbbwwwwo...",
];

fn main() -> Result<()> {
    let out = PathBuf::from(std::env::args_os().nth(1).unwrap_or_else(|| "campfire".into()));
    let scene = scene()?;
    let (sheet, grid) = scene.to_sheet_png(&SheetLayout::default().columns(4).padding(1))?;
    write(&out, "campfire.gif", &scene.to_gif(&GifExport::default().scale(5))?)?;
    write(&out, "campfire.png", &scene.to_png(5)?)?;
    write(&out, "sheet.png", &sheet)?;
    let mut library = Library::new(FolderStore::open(&out)?);
    match library.list()?.iter().any(|name| name == "campfire") {
        true => library.replace("campfire", &scene)?,
        false => library.save(
            "campfire",
            &scene,
            Metadata::new("A traveller by a fire.", ["fire", "night"]),
        )?,
    }
    println!(
        "{} frames in {} x {} cells at {}",
        grid.count,
        grid.columns,
        grid.rows,
        out.display()
    );
    Ok(())
}

fn write(folder: &std::path::Path, name: &str, bytes: &[u8]) -> Result<()> {
    let path = folder.join(name);
    let failed = |source| Error::File {
        path: path.display().to_string(),
        source,
    };
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&path, bytes))
        .map_err(failed)
}

/// The still part is drawn once and copied into every frame, where what moves is drawn over it.
fn scene() -> Result<Canvas> {
    let mut canvas = backdrop()?;
    for at in 1..FRAMES {
        canvas.duplicate_frame(at - 1)?;
    }
    let logs = sprite(&LOGS)?;
    let traveller = sprite(&TRAVELLER)?;
    for at in 0..FRAMES {
        canvas.activate(at)?;
        twinkle(&mut canvas, at)?;
        glow(&mut canvas, at)?;
        stones(&mut canvas)?;
        let breath = i32::from(at >= FRAMES / 2);
        flame(&mut canvas, at)?;
        canvas.stamp(&logs, (FIRE.0 - 10, FIRE.1))?;
        sparks(&mut canvas, at)?;
        canvas.stamp(&traveller, (FIRE.0 - 33, FIRE.1 - 16 + breath))?;
        // The ground hides what the breath moved below it.
        canvas.line((FIRE.0 - 33, FIRE.1 + 3), (FIRE.0 - 18, FIRE.1 + 3), GROUND[1])?;
    }
    canvas.activate(0)?.set_rate_fps(10.0)?;
    Ok(canvas)
}

fn palette() -> Result<Palette> {
    Palette::parse(COLORS)
}

fn sprite(rows: &[&str]) -> Result<Canvas> {
    let legend = Legend::new([
        ('.', NOTHING),
        ('d', 28),
        ('m', 29),
        ('l', 30),
        ('L', 31),
        ('s', 32),
        ('S', 33),
        ('b', 20),
        ('w', 21),
        ('o', 22),
    ])?;
    Canvas::from_art(rows, &legend, palette()?)
}

fn backdrop() -> Result<Canvas> {
    // Bands of sky, each blended into the next by a checkered row or two.
    let mut canvas = Canvas::from_fn(WIDTH, HEIGHT, palette()?, |x, y| {
        let band = (y / 8) as usize;
        let blend = match y % 8 {
            6 => (x + y) % 4 == 0,
            7 => (x + y) % 2 == 0,
            _ => false,
        };
        SKY.get(band + usize::from(blend)).copied().unwrap_or(SKY[5])
    })?;
    moon(&mut canvas)?;
    let far = [
        (0, 40),
        (14, 30),
        (22, 35),
        (36, 24),
        (50, 37),
        (61, 32),
        (78, 41),
        (92, 29),
        (111, 39),
    ];
    ridge(&mut canvas, &far, FAR)?;
    let near = [
        (0, 44),
        (18, 41),
        (30, 46),
        (47, 40),
        (66, 47),
        (84, 42),
        (100, 46),
        (111, 41),
    ];
    ridge(&mut canvas, &near, NEAR)?;
    for (x, height) in [(4, 24), (15, 18), (97, 26), (107, 20), (86, 16), (26, 14)] {
        pine(&mut canvas, x, 51, height)?;
    }
    canvas.fill_ellipse(Rect::new(-30, 46, 172, 60), GROUND[0])?;
    canvas.ellipse(Rect::new(-30, 46, 172, 60), GROUND[1])?;
    Ok(canvas)
}

fn moon(canvas: &mut Canvas) -> Result<()> {
    canvas.fill_circle((90, 12), 7, STAR)?;
    canvas
        .set_pixel((87, 10), DIM)?
        .set_pixel((92, 15), DIM)?
        .ellipse(Rect::new(91, 8, 3, 2), DIM)?
        .fill_rectangle(Rect::new(86, 14, 2, 2), DIM)?;
    canvas.circle((90, 12), 10, SKY[3])?;
    Ok(())
}

/// A skyline through points, filled down to the bottom. It is drawn on a sheet of its own, where flood fill meets
/// nothing else, and stamped on.
fn ridge(canvas: &mut Canvas, points: &[(i32, i32)], entry: u8) -> Result<()> {
    let mut sheet = Canvas::new(WIDTH, HEIGHT, palette()?)?;
    for (from, to) in points.iter().zip(points.iter().skip(1)) {
        sheet.line(*from, *to, entry)?;
    }
    sheet.flood_fill((0, HEIGHT as i32 - 1), entry)?;
    canvas.stamp(&sheet, (0, 0))?;
    Ok(())
}

/// A pine with its foot at `x`, `y`: tiers of boughs, each row a little wider than the one above.
fn pine(canvas: &mut Canvas, x: i32, y: i32, height: i32) -> Result<()> {
    for row in 0..height {
        let half = row / 5 + row % 5 / 2 + row / 7;
        let (top, lit) = (y - height + row, FIRE.0 > x);
        canvas.line((x - half, top), (x + half, top), PINE)?;
        if row % 5 == 4 {
            let edge = if lit { x + half } else { x - half };
            canvas.line((edge, top), (edge + if lit { -1 } else { 1 }, top), PINE_LIT)?;
        }
    }
    canvas.line((x, y), (x, y + 2), 20)?;
    Ok(())
}

fn twinkle(canvas: &mut Canvas, at: usize) -> Result<()> {
    for star in 0..26i32 {
        let (x, y) = (star * 47 % 111, star * star * 7 % 27 + 1);
        let in_moon = (x - 90).pow(2) + (y - 12).pow(2) < 170;
        if in_moon {
            continue;
        }
        let bright = (star as usize + at) % FRAMES > 1;
        canvas.set_pixel((x, y), if bright && star % 3 == 0 { STAR } else { DIM })?;
    }
    Ok(())
}

/// Light on the ground: rings that breathe, the outer ones checkered.
fn glow(canvas: &mut Canvas, at: usize) -> Result<()> {
    let swell = [0, 1, 2, 1, 0, 1, 3, 1][at % 8];
    let ground = canvas.clone();
    for (entry, width, height) in [(GROUND[1], 96, 28), (GROUND[2], 70, 20), (GROUND[3], 46, 13)] {
        let (width, height) = (width + 2 * swell, height + swell as i32 as u32);
        let ring = Rect::new(FIRE.0 - width as i32 / 2, FIRE.1 + 4 - height as i32 / 2, width, height);
        let core = Rect::new(ring.x + 3, ring.y + 1, ring.width - 6, ring.height - 2);
        let mut light = Canvas::new(WIDTH, HEIGHT, palette()?)?;
        light.fill_ellipse(ring, entry)?;
        let mut inner = Canvas::new(WIDTH, HEIGHT, palette()?)?;
        inner.fill_ellipse(core, entry)?;
        for y in ring.y.max(47)..(ring.y + ring.height as i32) {
            for x in ring.x..ring.x + ring.width as i32 {
                let lit = light.pixel((x, y)) == Some(entry) && ground.pixel((x, y)).is_some_and(is_ground);
                if lit && (inner.pixel((x, y)) == Some(entry) || (x + y) % 2 == 0) {
                    canvas.set_pixel((x, y), entry)?;
                }
            }
        }
    }
    for tuft in 0..30i32 {
        let (x, y) = (tuft * 37 % 112, 50 + tuft * tuft * 5 % 21);
        let near = (x - FIRE.0).pow(2) + 4 * (y - FIRE.1).pow(2);
        let entry = match near {
            0..400 => continue,
            400..1100 => GROUND[3],
            1100..2200 => GROUND[2],
            _ => GROUND[1],
        };
        canvas.line((x, y), (x, y - 1), entry)?.set_pixel((x + 1, y), entry)?;
    }
    Ok(())
}

fn is_ground(entry: u8) -> bool {
    GROUND.contains(&entry)
}

fn stones(canvas: &mut Canvas) -> Result<()> {
    let places = [(-13, 2), (-9, 5), (-3, 6), (3, 6), (9, 5), (13, 2)];
    for (x, y) in places {
        let stone = Rect::new(FIRE.0 + x - 2, FIRE.1 + y - 1, 5, 4);
        canvas.fill_ellipse(stone, STONE[1])?.ellipse(stone, STONE[0])?;
        let lit = if x < 0 { FIRE.0 + x + 1 } else { FIRE.0 + x - 1 };
        canvas.line((lit, FIRE.1 + y - 1), (lit, FIRE.1 + y), STONE[2])?;
    }
    Ok(())
}

/// Tongues of flame: for each colour from the outside in, discs that grow narrower and sway more the higher they are.
fn flame(canvas: &mut Canvas, at: usize) -> Result<()> {
    const SWAY: [i32; 8] = [0, 1, 2, 1, 0, -1, -2, -1];
    let tongues: [(i32, i32, usize); 3] = [(-4, 15, 0), (4, 16, 3), (0, 23, 5)];
    for (layer, entry) in FLAME.into_iter().enumerate() {
        let layer = layer as i32;
        for (x, height, phase) in tongues {
            let height = height - 4 * layer + SWAY[(at + phase) % 8];
            for up in 0..height.max(0) {
                let sway = SWAY[(at + phase + up as usize / 3) % 8] * up / (height + 6);
                let radius = (5 - layer) * (height - up) / height.max(1);
                let bow = if x == 0 { 0 } else { -x.signum() * up / 6 };
                canvas.fill_circle(
                    (FIRE.0 + x * (5 - layer) / 5 + sway + bow, FIRE.1 - up),
                    radius.max(0) as u32,
                    entry,
                )?;
            }
        }
    }
    Ok(())
}

/// Each spark rises through the frames of one round and comes back at the bottom.
fn sparks(canvas: &mut Canvas, at: usize) -> Result<()> {
    for spark in 0..7i32 {
        let age = (at as i32 + spark * 3) % FRAMES as i32;
        let drift = [0, 1, 1, 2, 1, 2, 3, 3][age as usize] * if spark % 2 == 0 { 1 } else { -1 };
        let (x, y) = (FIRE.0 + spark * 5 - 15 + drift, FIRE.1 - 16 - age * 4 - spark % 3);
        let entry = [
            FLAME[3], FLAME[3], FLAME[2], FLAME[2], FLAME[1], FLAME[1], FLAME[0], FLAME[0],
        ][age as usize];
        canvas.set_pixel((x, y), entry)?;
    }
    Ok(())
}
