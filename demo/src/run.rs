//! A run, from the command line to the table.

use crate::content::Content;
use crate::cook::{Landscape, cook, mesh_spacing_m};
use crate::error::{Error, Result};
use crate::files::{self, Out};
use crate::options::Options;
use crate::picture;
use crate::stages::{Report, Stages};
use std::path::Path;
use zero_procgen::Class;
use zero_render::{AdapterChoice, Headless, RenderError};

/// The most stages that a run has.
const STAGES: u64 = 9;

/// Makes everything: reads the content, cooks the landscape, writes the files, draws the picture where an adapter is.
///
/// # Errors
/// Each names the thing. Files that were written before stand whole; the one that failed is as it was.
pub fn run(options: &Options) -> Result<Report> {
    let mut stages = Stages::new(STAGES);
    let device = stages.run("open the device", || options.device.open())?;
    let content = stages.run("read the content", || Content::load(options.content_from()))?;
    for told in &content.warnings {
        stages.say(&told.to_string());
    }
    let out = Out::open(&options.out)?;
    for told in &out.warnings {
        stages.say(told);
    }
    let counting = device.counting();
    let cooked = stages.run_told("cook the graph", |progress| cook(&device, &content, progress))?;
    let landscape = stages.run("read back", || cooked.download())?;
    stages.run(files::HILLSHADE, || {
        out.write(files::HILLSHADE, &files::hillshade_png(&device, &landscape.map)?)
    })?;
    let stats = counting.delta();
    stages.run(files::TERRAIN, || -> Result<()> {
        let data = files::terrain_data(&landscape, content.settings.water_m)?;
        Ok(data.write(options.out.join(files::TERRAIN))?)
    })?;
    stages.run(files::MESH, || -> Result<()> {
        Ok(files::glb(&landscape)?.write_to(options.out.join(files::MESH))?)
    })?;
    let mut notes = notes(&landscape, &content);
    notes.extend(stages.run("try the ground and the water", || {
        crate::trial::tell(&landscape, &content.settings)
    })?);
    let mut written = vec![files::HILLSHADE, files::TERRAIN, files::MESH];
    let adapter = match Headless::blocking(AdapterChoice::Any) {
        Ok(headless) => {
            stages.run(files::PICTURE, || {
                let picture = picture::draw(&headless, &landscape, &content.settings, options.picture_px)?;
                out.write(files::PICTURE, &files::picture_png(&picture)?)
            })?;
            written.push(files::PICTURE);
            Some(headless.adapter_info().name.clone())
        }
        // The rest stands: an adapter that is missing, or that gives no device, takes the picture alone.
        Err(error @ (RenderError::NoAdapter { .. } | RenderError::RequestDevice(_))) => {
            notes.push(format!("left out: {}, since {error}", files::PICTURE));
            if out.remove(files::PICTURE)? {
                notes.push(format!("removed: the {} of an earlier run", files::PICTURE));
            }
            None
        }
        Err(other) => return Err(other.into()),
    };
    let info = device.info();
    Ok(Report {
        folder: options.out.clone(),
        device: format!("{}{}", info.name, if info.software { " (software)" } else { "" }),
        adapter,
        files: sizes(&options.out, &written)?,
        stages: stages.finish(),
        stats,
        notes,
    })
}

/// The landscape in numbers.
fn notes(landscape: &Landscape, content: &Content) -> Vec<String> {
    let (grid, [low, high]) = (landscape.ground.grid(), landscape.ground.range_m());
    let settings = &content.settings;
    let mut notes = vec![format!(
        "ground: {} x {} samples of {} m, {low:.1} to {high:.1} m; water at {:.1} m",
        grid.width, grid.height, grid.spacing_m[0], settings.water_m
    )];
    let trees = landscape.scatters.iter();
    let counts: Vec<String> = trees
        .map(|trees| format!("{} {}", trees.instances().len(), trees.name()))
        .collect();
    notes.push(format!("trees: {}", counts.join(", ")));
    let (spacing, triangles) = (mesh_spacing_m(settings), landscape.land.count(Class::Primitive));
    let coarser = if spacing > settings.window.spacing_m {
        ", coarser than the ground so that viewers open it"
    } else {
        ""
    };
    notes.push(format!(
        "{}: {triangles} triangles, a sample each {spacing} m{coarser}",
        files::MESH
    ));
    notes
}

fn sizes(folder: &Path, names: &[&'static str]) -> Result<Vec<(&'static str, u64)>> {
    let size = |name: &&'static str| Ok((*name, bytes(&folder.join(name))?));
    names.iter().map(size).collect()
}

/// The bytes of a file, or of all files in a folder.
fn bytes(path: &Path) -> Result<u64> {
    let failed = |source| Error::File {
        path: path.to_owned(),
        source,
    };
    let found = std::fs::metadata(path).map_err(failed)?;
    if !found.is_dir() {
        return Ok(found.len());
    }
    let mut sum = 0;
    for entry in std::fs::read_dir(path).map_err(failed)? {
        sum += bytes(&entry.map_err(failed)?.path())?;
    }
    Ok(sum)
}
