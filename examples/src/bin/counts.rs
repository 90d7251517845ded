//! Prints what a play promises, measured on both backends, as a table; fails where a promise is broken.

use std::process::ExitCode;
use zero_compute::{CpuOptions, Device};
use zero_examples::DeviceChoice;
use zero_examples::counts::{Row, cpu_devices, measure, same_bytes};

fn main() -> ExitCode {
    match run() {
        Ok(rows) if rows.iter().all(Row::holds) => ExitCode::SUCCESS,
        Ok(rows) => {
            eprintln!("{} promises are broken", rows.iter().filter(|row| !row.holds()).count());
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> zero_examples::Result<Vec<Row>> {
    let mut devices = vec![Device::cpu(CpuOptions::default())];
    match DeviceChoice::Gpu.open() {
        Ok(device) => devices.push(device),
        Err(error) if std::env::var_os("CI").is_some() => return Err(error),
        Err(error) => eprintln!("measured on the CPU alone: {error}"),
    }
    let mut rows = Vec::new();
    for device in &devices {
        rows.extend(print(measure(device)?));
    }
    devices.extend(cpu_devices()?);
    rows.extend(print(same_bytes(&devices)?));
    Ok(rows)
}

fn print(rows: Vec<Row>) -> Vec<Row> {
    rows.iter().for_each(|row| println!("{row}"));
    rows
}
