//! Without a window: frames of a camera that circles, the last one written as a picture.

use crate::error::{Error, Result};
use crate::options::Film;
use crate::orbit::Orbit;
use crate::world::World;
use std::path::Path;
use std::time::Instant;
use zero_compute::Device;
use zero_procgen::Clock;
use zero_render::{AdapterChoice, FrameParams, Headless, Picture};

/// Frames a second of the film's clock; how long one takes to draw is another matter.
const FPS: f64 = 30.0;
/// How far the camera turns in a frame, in radians.
const TURN_RAD: f32 = 0.01;

/// Draws the frames and writes the last one.
pub(crate) fn run(device: &Device, film: &Film, size: [u32; 2]) -> Result<()> {
    let headless = Headless::blocking(AdapterChoice::Any)?;
    println!("drawn on: {}", headless.adapter_info().name);
    let mut renderer = headless.renderer()?;
    let mut world = World::new(device, &renderer)?;
    let mut orbit = Orbit::default();
    let begun = Instant::now();
    let mut last = None;
    for frame in 0..film.frames {
        let clock = Clock::frame(frame.cast_signed(), FPS);
        world.finish(&renderer, clock)?;
        let mut params = FrameParams::new(size[0], size[1]);
        params.time_secs = clock.time_secs as f32;
        last = Some(headless.render(&mut renderer, &world.scene, &orbit.camera(), params)?);
        orbit.turn(TURN_RAD, 0.0);
    }
    println!("{} frames in {:.2} s", film.frames, begun.elapsed().as_secs_f64());
    match last {
        Some(picture) => write(&film.out, &picture),
        None => Ok(()),
    }
}

/// Writes beside its place first, so that a picture is never there in part.
fn write(path: &Path, picture: &Picture) -> Result<()> {
    let file = |source| Error::File {
        path: path.to_path_buf(),
        source,
    };
    let mut png = std::io::Cursor::new(Vec::new());
    image::write_buffer_with_format(
        &mut png,
        &picture.rgba8,
        picture.width,
        picture.height,
        image::ExtendedColorType::Rgba8,
        image::ImageFormat::Png,
    )
    .map_err(|source| Error::Picture {
        path: path.to_path_buf(),
        source,
    })?;
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(file)?;
    }
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".part");
    let part = path.with_file_name(name);
    std::fs::write(&part, png.into_inner())
        .and_then(|()| std::fs::rename(&part, path))
        .map_err(file)?;
    println!("{}", path.display());
    Ok(())
}
