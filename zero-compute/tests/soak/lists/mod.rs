//! Random command lists, each run on two devices and compared bit for bit.

pub(crate) mod families;
mod parts;
pub(crate) mod runs;
pub(crate) mod tallies;
mod world;

use std::collections::BTreeMap;

use zero_compute::{Column, CommandList, Device, DeviceClass, Element, Fusion, Result, Slot, Word};

pub(crate) use families::FAMILIES;
use world::{Random, Vary, World};

/// The most elements of a column, in the soak.
pub(crate) const MOST: u32 = 2_000_000;

/// What was recorded, by family.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) families: BTreeMap<String, Row>,
    pub(crate) submissions: u64,
    pub(crate) words: u64,
    /// Lists of which a side, or both, ran fused.
    pub(crate) fused: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Row {
    /// Times that the family was recorded.
    pub(crate) uses: u64,
    /// Elements that it was given, all uses together.
    pub(crate) elements: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, other: &Tally) {
        for (name, row) in &other.families {
            let sum = self.families.entry(name.clone()).or_default();
            sum.uses += row.uses;
            sum.elements += row.elements;
        }
        self.submissions += other.submissions;
        self.words += other.words;
        self.fused += other.fused;
    }
}

/// The devices of a soak: a list runs on one form of the CPU, which its number chooses, and on the GPU.
#[derive(Clone, Debug)]
pub(crate) struct Devices {
    pub(crate) cpus: Vec<Device>,
    pub(crate) gpu: Device,
}

/// A list on one device.
struct Recorded {
    list: CommandList,
    /// Those that stand after a run.
    columns: Vec<Option<Column>>,
    slots: Vec<(Slot, Vary)>,
    random: Random,
    is_fused: bool,
    /// The families in the order of recording, with their elements and the columns that stood when they were done.
    used: Vec<(&'static str, u64, usize)>,
}

/// Bytes that a pool may hold between two lists.
const POOLED_BYTES: u64 = 32 << 20;

/// Runs the list of this number on both devices, as often as it says, and adds it to the tally. The message of an error
/// says what differs.
pub(crate) fn run(devices: &Devices, number: u64, most: u32, tally: &mut Tally) -> std::result::Result<(), String> {
    let form = number.checked_rem(devices.cpus.len() as u64).unwrap_or(0) as usize;
    let cpu = devices.cpus.get(form).ok_or("there is no CPU device")?;
    let devices = [cpu, &devices.gpu];
    let before = devices.map(|device| device.stats().live_bytes);
    run_list(devices, number, most, tally)?;
    for (device, before) in devices.into_iter().zip(before) {
        device.poll();
        let after = device.stats().live_bytes;
        if after != before {
            let name = &device.info().name;
            return Err(format!(
                "{name} holds {after} bytes after the list and held {before} before it"
            ));
        }
        device.trim(POOLED_BYTES);
    }
    Ok(())
}

fn run_list([cpu, gpu]: [&Device; 2], number: u64, most: u32, tally: &mut Tally) -> std::result::Result<(), String> {
    let record = |device: &Device| {
        record(device, number, most).map_err(|error| format!("recording on {}: {error}", device.info().name))
    };
    let (cpu, gpu) = (record(cpu)?, record(gpu)?);
    let mut random = cpu.random.clone();
    let submissions = 1 + random.below(3);
    for submission in 0..submissions {
        if submission > 0 {
            vary(&cpu, &gpu, &mut random).map_err(|error| format!("setting a slot: {error}"))?;
        }
        for side in [&gpu, &cpu] {
            side.list.submit().map_err(|error| format!("submitting: {error}"))?;
        }
        tally.words += compare(&cpu, &gpu, submission)?;
        compare_guards(&cpu, &gpu, submission)?;
        tally.submissions += 1;
    }
    for (family, elements, _) in &cpu.used {
        let row = tally.families.entry((*family).to_owned()).or_default();
        row.uses += 1;
        row.elements += elements;
    }
    tally.fused += u64::from(cpu.is_fused || gpu.is_fused);
    Ok(())
}

fn record(device: &Device, number: u64, most: u32) -> Result<Recorded> {
    let mut world = World::new(device, number, most);
    let mut used = Vec::new();
    // The first family goes round with the number, so that as many lists as there are families draw all of them.
    let first = number.checked_rem(FAMILIES.len() as u64).unwrap_or(0) as usize;
    for at in 0..1 + world.random.below(6) {
        let family = match at {
            0 => FAMILIES.get(first).copied(),
            _ => world.random.of(FAMILIES),
        };
        let Some(family) = family else { break };
        world.elements = 0;
        (family.record)(&mut world)?;
        used.push((family.name, world.elements, world.columns().len()));
    }
    let (columns, is_fused) = fuse(&mut world)?;
    let (slots, random) = (world.slots, world.random);
    Ok(Recorded {
        list: world.rec.finish()?,
        columns,
        slots,
        random,
        is_fused,
        used,
    })
}

/// Fuses the list on one side, on both or on none, and answers the columns that stand on either side; those that do not
/// are left out in their place. What is drawn is the same on both sides.
fn fuse(world: &mut World<'_>) -> Result<(Vec<Option<Column>>, bool)> {
    let columns = world.columns();
    let keeps: Vec<bool> = columns.iter().map(|_| world.random.below(3) > 0).collect();
    let kinds = [Fusion::Off, Fusion::Chains, Fusion::Stages];
    let fusion = world.random.of(&kinds).unwrap_or_default();
    let (on_cpu, on_gpu) = match world.random.below(6) {
        0..=2 => return Ok((columns.into_iter().map(Some).collect(), false)),
        3 => (true, false),
        4 => (false, true),
        _ => (true, true),
    };
    let is_fused = match world.device.class() {
        DeviceClass::Cpu => on_cpu,
        DeviceClass::Gpu { .. } => on_gpu,
    };
    if is_fused {
        let kept: Vec<&Column> = columns
            .iter()
            .zip(&keeps)
            .filter(|(_, keep)| **keep)
            .map(|(column, _)| column)
            .collect();
        world.rec.fuse(fusion, &kept)?;
    }
    // A live count that the list makes does not stand by itself where its column does.
    let was_uploaded = |column: &Column| {
        world.was_uploaded(column) && column.live_count().is_none_or(|count| world.was_uploaded(&count))
    };
    let stands = |(column, keep): (Column, bool)| (keep || was_uploaded(&column)).then_some(column);
    Ok((columns.into_iter().zip(keeps).map(stands).collect(), is_fused))
}

/// Sets most slots anew, to the same on both sides.
fn vary(cpu: &Recorded, gpu: &Recorded, random: &mut Random) -> Result<()> {
    for ((on_cpu, vary), (on_gpu, _)) in cpu.slots.iter().zip(&gpu.slots) {
        let bits = match *vary {
            Vary::Count(n) => random.below(n.saturating_add(3)),
            Vary::Bits => random.word(),
            Vary::Tame => random.tame().to_bits(),
        };
        if random.below(4) > 0 {
            cpu.list.set_bits(*on_cpu, bits)?;
            gpu.list.set_bits(*on_gpu, bits)?;
        }
    }
    Ok(())
}

/// Compares what outgrew its room in the last run.
fn compare_guards(cpu: &Recorded, gpu: &Recorded, submission: u32) -> std::result::Result<(), String> {
    let found = |side: &Recorded| side.list.outgrown().and_then(zero_compute::GuardAnswer::wait);
    let failed = |error: zero_compute::Error| format!("run {submission}, guards: {error}");
    let (left, right) = (found(cpu).map_err(failed)?, found(gpu).map_err(failed)?);
    if left != right || cpu.list.guards() != gpu.list.guards() {
        return Err(format!(
            "run {submission}: {left:?} outgrew their rooms on the CPU, and {right:?} on the GPU"
        ));
    }
    Ok(())
}

/// Compares every column, its live count first; answers how many words were equal.
fn compare(cpu: &Recorded, gpu: &Recorded, submission: u32) -> std::result::Result<u64, String> {
    if cpu.columns.len() != gpu.columns.len() {
        let (a, b) = (cpu.columns.len(), gpu.columns.len());
        return Err(format!("the CPU has {a} columns and the GPU {b}"));
    }
    let mut words = 0;
    for (at, pair) in cpu.columns.iter().zip(&gpu.columns).enumerate() {
        let (Some(a), Some(b)) = pair else { continue };
        let place = || {
            let done = cpu.used.iter().position(|(_, _, columns)| at < *columns).unwrap_or(0);
            let names: Vec<_> = cpu.used.iter().map(|(name, ..)| *name).collect();
            let family = names.get(done).copied().unwrap_or("?");
            format!(
                "run {submission}, column {at} of `{family}` (the list: {})",
                names.join(", ")
            )
        };
        let failed = |error: zero_compute::Error| format!("{}: {error}", place());
        let counts =
            |column: &Column| -> Result<Vec<u32>> { column.live_count().map_or(Ok(Vec::new()), |count| bits(&count)) };
        let (left, right) = (counts(a).map_err(failed)?, counts(b).map_err(failed)?);
        if left != right {
            return Err(format!(
                "{}: live count {left:?} on the CPU, {right:?} on the GPU",
                place()
            ));
        }
        let (left, right) = (bits(a).map_err(failed)?, bits(b).map_err(failed)?);
        if left.len() != right.len() {
            return Err(format!(
                "{}: {} words on the CPU, {} on the GPU",
                place(),
                left.len(),
                right.len()
            ));
        }
        if let Some(word) = (0..left.len()).find(|word| left.get(*word) != right.get(*word)) {
            let lanes = a.lanes().max(1) as usize;
            return Err(format!(
                "{}: element {} lane {} of {} is {:#010x} on the CPU, {:#010x} on the GPU",
                place(),
                word / lanes,
                word % lanes,
                a.capacity(),
                left.get(word).copied().unwrap_or_default(),
                right.get(word).copied().unwrap_or_default(),
            ));
        }
        words += left.len() as u64;
    }
    Ok(words)
}

/// The words of a column's whole capacity.
fn bits(column: &Column) -> Result<Vec<u32>> {
    fn read<T: Word>(column: &Column) -> Result<Vec<u32>> {
        let words = column.read::<T>()?.wait()?;
        Ok(bytemuck::cast_vec(words))
    }
    let column = column.as_capacity();
    match column.element() {
        Element::F32 => read::<f32>(&column),
        Element::I32 => read::<i32>(&column),
        Element::U32 => read::<u32>(&column),
    }
}
