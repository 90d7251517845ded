//! What drawing and writing cost. Throughput is pixels of the canvas, or of the line, a second.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use zero_pixel::{Canvas, Cursor, GifExport, Import, Palette, Rect, Result};

const SIDE: u32 = 1024;

fn canvas(side: u32) -> Result<Canvas> {
    Canvas::new(side, side, Palette::default())
}

/// A pillar on every other pixel of every other row: a run of one pixel each on half the rows, the hard case of a
/// flood fill.
fn pillars(side: u32) -> Result<Canvas> {
    Canvas::from_fn(side, side, Palette::default(), |x, y| {
        u8::from(x % 2 == 1 && y % 2 == 1)
    })
}

/// 16 frames of 64 x 64 in which a ball goes round, over a checkered ground.
fn animation() -> Result<Canvas> {
    let mut canvas = Canvas::from_fn(64, 64, Palette::default(), |x, y| {
        2 + u8::from((x / 4 + y / 4) % 2 == 0)
    })?;
    for at in 1..16 {
        canvas.duplicate_frame(at - 1)?;
    }
    let steps = [
        (32, 8),
        (41, 10),
        (49, 15),
        (54, 23),
        (56, 32),
        (54, 41),
        (49, 49),
        (41, 54),
    ];
    for (at, (x, y)) in steps
        .into_iter()
        .chain(steps.map(|(x, y)| (64 - x, 64 - y)))
        .enumerate()
    {
        canvas.activate(at)?.fill_circle((x, y), 6, 7)?.circle((x, y), 6, 1)?;
    }
    Ok(canvas)
}

fn drawing(c: &mut Criterion) -> Result<()> {
    let mut group = c.benchmark_group("draw, 1024 x 1024");
    let pixels = u64::from(SIDE) * u64::from(SIDE);
    // Two inks in turn, so that every pixel of every pass changes.
    let mut sheet = canvas(SIDE)?;
    let mut ink = 0;
    let mut next = move || {
        ink = ink % 2 + 1;
        ink
    };
    group.throughput(Throughput::Elements(pixels));
    group.bench_function("fill", |b| b.iter(|| sheet.fill(next()).map(|_| ())));
    group.bench_function("fill_rectangle", |b| {
        b.iter(|| {
            sheet
                .fill_rectangle(Rect::new(-5, -5, SIDE + 10, SIDE + 10), next())
                .map(|_| ())
        });
    });
    group.throughput(Throughput::Elements(823_000));
    group.bench_function("fill_circle, radius 512", |b| {
        b.iter(|| sheet.fill_circle((512, 512), 512, next()).map(|_| ()));
    });
    group.throughput(Throughput::Elements(64 * u64::from(SIDE)));
    group.bench_function("64 lines across", |b| {
        b.iter(|| {
            let ink = next();
            (0..64).try_for_each(|at| sheet.line((0, at * 16), (1023, 1023 - at * 16), ink).map(|_| ()))
        });
    });
    group.throughput(Throughput::Elements(pixels));
    group.bench_function("flood_fill, empty", |b| {
        let mut sheet = sheet.clone();
        sheet.clear();
        b.iter(|| sheet.flood_fill((512, 512), next()).map(|_| ()));
    });
    let pillars = pillars(SIDE)?;
    group.bench_function("flood_fill, pillars", |b| {
        b.iter_batched_ref(
            || pillars.clone(),
            |sheet| sheet.flood_fill((0, 0), 5).map(|_| ()),
            BatchSize::LargeInput,
        );
    });
    group.finish();
    Ok(())
}

fn feed(c: &mut Criterion) -> Result<()> {
    let mut group = c.benchmark_group("changes, 1024 x 1024");
    let mut sheet = canvas(SIDE)?;
    let mut cursor = Cursor::default();
    sheet.changes(&mut cursor);
    group.bench_function("none", |b| b.iter(|| black_box(sheet.changes(&mut cursor))));
    let mut ink = 0;
    group.bench_function("one pixel", |b| {
        b.iter(|| {
            ink = (ink + 1) % 16;
            sheet
                .set_pixel((700, 300), ink)
                .map(|sheet| black_box(sheet.changes(&mut cursor)))
        });
    });
    group.finish();
    Ok(())
}

fn files(c: &mut Criterion) -> Result<()> {
    let mut group = c.benchmark_group("files, 16 frames of 64 x 64");
    let animation = animation()?;
    group.throughput(Throughput::Elements(16 * 64 * 64));
    group.bench_function("to_gif", |b| b.iter(|| animation.to_gif(&GifExport::default())));
    let gif = animation.to_gif(&GifExport::default())?;
    group.bench_function("from_gif", |b| {
        b.iter(|| Canvas::from_gif(black_box(&gif), &Import::default()))
    });
    group.bench_function("to_sheet_png", |b| {
        b.iter(|| animation.to_sheet_png(&Default::default()))
    });
    group.bench_function("to_pixbin", |b| b.iter(|| animation.to_pixbin()));
    let payload = animation.to_pixbin();
    group.bench_function("from_pixbin", |b| b.iter(|| Canvas::from_pixbin(black_box(&payload))));
    group.finish();
    Ok(())
}

/// A group that cannot be set up is an error of this program, told on the way out.
fn all(c: &mut Criterion) {
    for group in [drawing, feed, files] {
        if let Err(error) = group(c) {
            eprintln!("{error}");
            std::process::exit(1);
        }
    }
}

criterion_group!(benches, all);
criterion_main!(benches);
