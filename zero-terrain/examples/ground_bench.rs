//! How long a landscape of about 6 km at 4 m a sample takes: `cargo run --example ground_bench [--software-gpu]`.
#![expect(clippy::print_stdout, reason = "a program's answer")]

use std::time::Instant;
use zero_compute::{CpuOptions, Device, Exec};
use zero_procgen::nodes::field;
use zero_procgen::{Clock, Graph, Inputs, Play, Present, Store, StoreOptions, inputs};
use zero_terrain::{Coverage, Heightfield, LayerInfo, TerrainData, nodes as terrain, upload_heights};

/// Cooks the output of a graph and says how long that took.
fn timed(
    device: &Device,
    what: &str,
    graph: impl Fn(&Graph) + Send + Sync + 'static,
    inputs: Inputs,
) -> Result<zero_procgen::Frame, Box<dyn std::error::Error>> {
    let graph = Graph::define(what, graph)?;
    let mut play = Play::new(&Store::new(device, StoreOptions::default()), &graph, inputs)?;
    let start = Instant::now();
    let frame = loop {
        match play.present(Clock::default(), &Exec::default())? {
            Present::Whole(frame) => break frame,
            Present::Pending => {
                device.poll();
            }
        }
    };
    // The work is done once a word of it is here.
    frame.raster("out")?.samples().read::<f32>()?.wait()?;
    println!("{what:>12}: {:8.1} ms", start.elapsed().as_secs_f64() * 1e3);
    Ok(frame)
}

#[cfg(feature = "gpu")]
fn device() -> Result<Device, Box<dyn std::error::Error>> {
    if std::env::args().any(|arg| arg == "--software-gpu") {
        let options = zero_compute::GpuOptions {
            software: true,
            limits: zero_compute::Limits::Adapter,
            ..Default::default()
        };
        return Ok(Device::gpu_blocking(options)?);
    }
    Ok(cpu())
}

#[cfg(not(feature = "gpu"))]
fn device() -> Result<Device, Box<dyn std::error::Error>> {
    Ok(cpu())
}

fn cpu() -> Device {
    Device::cpu(CpuOptions::default())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let device = device()?;
    let heights: Vec<f32> = (0..81 * 65)
        .map(|i| 500.0 + 200.0 * zero_noise::fbm2(7, (i % 81) as f32 / 20.0, (i / 81) as f32 / 16.0, 5))
        .collect();
    let dem = upload_heights(&device, 81, 65, [74.4, 92.7], [0.0, 0.0], &heights)?;
    let fine = timed(
        &device,
        "resample",
        |g| g.output("out", g.add(terrain::Resample::new(g.raster("dem")).spacing_m(4.0))),
        inputs! { dem: dem },
    )?;
    let raster = fine.raster("out")?.clone();
    println!(
        "{:>12}  {} x {} samples on {}",
        "",
        raster.width(),
        raster.height(),
        device.info().name
    );
    let raised = timed(
        &device,
        "add_height",
        |g| {
            let land = g.raster("dem");
            let detail = g.add(field::Fbm::new(g.position() / 80.0).octaves(6)) * 12.0;
            g.output("out", g.add(terrain::AddHeight::new(land).by(detail)));
        },
        inputs! { dem: raster },
    )?;
    let raster = raised.raster("out")?.clone();
    let relaxed = timed(
        &device,
        "thermal 60",
        |g| {
            g.output(
                "out",
                g.add(terrain::Thermal::new(g.raster("dem")).steps(60).talus_deg(24.0)),
            )
        },
        inputs! { dem: raster },
    )?;
    let raster = relaxed.raster("out")?.clone();
    let rock = timed(
        &device,
        "slope mask",
        |g| {
            let land = g.raster("dem");
            let steep = g.add(terrain::Slope::new(land)).smoothstep(20.0, 30.0);
            g.output("out", g.add(terrain::Mask::new(land, steep)));
        },
        inputs! { dem: raster.clone() },
    )?;
    let start = Instant::now();
    let ground = Heightfield::download(&raster)?;
    let weights = rock.raster("out")?.samples().read::<f32>()?.wait()?;
    let covers = |name: &str, weights: Vec<f32>| Coverage {
        info: LayerInfo::new(name),
        weights,
    };
    let grass = weights.iter().map(|rock| 1.0 - rock).collect();
    let data = TerrainData::new(ground).with_layers(vec![covers("grass", grass), covers("rock", weights)])?;
    let path = std::env::temp_dir().join("ground_bench.terrainData");
    data.write(&path)?;
    println!("{:>12}: {:8.1} ms", "write", start.elapsed().as_secs_f64() * 1e3);
    let start = Instant::now();
    let same = TerrainData::read(&path)?.value == data;
    println!(
        "{:>12}: {:8.1} ms, the same: {same}",
        "read",
        start.elapsed().as_secs_f64() * 1e3
    );
    std::fs::remove_dir_all(&path)?;
    Ok(())
}
