//! The kernels that keep points apart, each exact.

use super::grid::{Grid, rank_of, spread};
use std::ops::Range;
use zero_compute::{Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Element, Kernel, Param, Result, Rule};

/// The most points that are asked of one bucket in one round.
const MOST_ASKED: u32 = 256;

/// Each point's bucket in the upper bits of its key, its rank in the lower ones, so that one sort puts the points of a
/// bucket together, the better ones first.
pub(super) static KEY: Kernel = Kernel::declare("thin_key")
    .read("places", Element::F32)
    .read("ids", Element::I32)
    .write("keys", Element::U32, Rule::Domain)
    .param("min_dist", Param::F32(0.0))
    .param("bits", Param::U32(1))
    .param("state", Param::U32(0))
    .determinism(Determinism::Exact)
    .wgsl(concat!(include_str!("grid.wgsl"), include_str!("key.wgsl")))
    .cpu(Cpu::Ranges(key));

fn key(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let (grid, bits, state) = (Grid::new(p.f32("min_dist")?), p.u32("bits")?, p.u32("state")?);
    let (places, ids) = (b.read::<f32>("places")?, b.read::<i32>("ids")?);
    let low = low_bits(bits);
    for (key, i) in b.write::<u32>("keys")?.iter_mut().zip(range) {
        let id = ids.get(i).filter(|_| i < p.live() as usize);
        *key = id.map_or(0, |id| {
            (spread(grid.cell_of(point_at(places, i))) & !low) | (rank_of(state, *id) >> bits)
        });
    }
    Ok(())
}

fn low_bits(bits: u32) -> u32 {
    (1 << (32 - bits)) - 1
}

fn point_at(places: &[f32], i: usize) -> [f32; 3] {
    match places.get(i * 3..i * 3 + 3) {
        Some(&[x, y, z]) => [x, y, z],
        _ => [0.0; 3],
    }
}

/// Where each bucket begins among the sorted keys, of which as many are points as `live` says; one more entry is where
/// the last bucket ends.
pub(super) static STARTS: Kernel = Kernel::declare("thin_starts")
    .read("keys", Element::U32)
    .read("live", Element::U32)
    .write("starts", Element::U32, Rule::Domain)
    .param("bits", Param::U32(1))
    .determinism(Determinism::Exact)
    .wgsl(include_str!("starts.wgsl"))
    .cpu(Cpu::Ranges(starts));

fn starts(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let live = b.read::<u32>("live")?.first().copied().unwrap_or(0) as usize;
    let keys = b.read::<u32>("keys")?;
    let keys = keys.get(..live).unwrap_or(keys);
    let shift = 32 - p.u32("bits")?;
    let end = p.n() as usize - 1;
    // The first start of a range is found by halving; from there on the keys are walked.
    let mut at = keys.partition_point(|key| *key < (range.start as u32) << shift);
    for (start, bucket) in b.write::<u32>("starts")?.iter_mut().zip(range) {
        if bucket == end {
            at = keys.len();
        }
        while keys.get(at).is_some_and(|key| key >> shift < bucket as u32) {
            at += 1;
        }
        *start = at as u32;
    }
    Ok(())
}

/// Not decided yet.
const UNDECIDED: u32 = 0;
/// Kept.
const STANDS: u32 = 1;
/// Let go.
const FALLEN: u32 = 2;

/// One round: a point that is undecided falls where a better one within the distance stands, waits where a better one
/// is undecided, and stands otherwise. Points lie in the order of their keys. Of two near points one is the better, so
/// they never stand both, whatever the rounds.
pub(super) static ROUND: Kernel = Kernel::declare("thin_round")
    .read("places", Element::F32)
    .read("ids", Element::I32)
    .read("keys", Element::U32)
    .read("starts", Element::U32)
    .read("before", Element::U32)
    .write("after", Element::U32, Rule::Domain)
    .param("min_dist", Param::F32(0.0))
    .param("bits", Param::U32(1))
    .param("state", Param::U32(0))
    .param("most", Param::U32(MOST_ASKED))
    .determinism(Determinism::Exact)
    .wgsl(concat!(include_str!("grid.wgsl"), include_str!("round.wgsl")))
    .cpu(Cpu::Ranges(round));

/// What a round reads.
struct Round<'a> {
    grid: Grid,
    bits: u32,
    state: u32,
    most: usize,
    places: &'a [f32],
    ids: &'a [i32],
    keys: &'a [u32],
    starts: &'a [u32],
    before: &'a [u32],
}

/// What a point learns from one bucket.
#[derive(PartialEq)]
enum Answer {
    Nobody,
    Wait,
    Fall,
}

fn round(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let round = Round {
        grid: Grid::new(p.f32("min_dist")?),
        bits: p.u32("bits")?,
        state: p.u32("state")?,
        most: p.u32("most")? as usize,
        places: b.read("places")?,
        ids: b.read("ids")?,
        keys: b.read("keys")?,
        starts: b.read("starts")?,
        before: b.read("before")?,
    };
    for (after, i) in b.write::<u32>("after")?.iter_mut().zip(range) {
        *after = if i < p.live() as usize { round.decide(i) } else { FALLEN };
    }
    Ok(())
}

impl Round<'_> {
    fn decide(&self, i: usize) -> u32 {
        match (self.before.get(i), self.ids.get(i)) {
            (Some(&UNDECIDED), Some(_)) if self.grid.is_off() => STANDS,
            (Some(&UNDECIDED), Some(&id)) => self.ask_around(i, id),
            (Some(&decided), _) => decided,
            (None, _) => FALLEN,
        }
    }

    fn ask_around(&self, i: usize, id: i32) -> u32 {
        let at = point_at(self.places, i);
        let cell = self.grid.cell_of(at);
        let own = (rank_of(self.state, id), id);
        let mut waits = false;
        for n in 0..27 {
            let around = [cell[0] + n % 3 - 1, cell[1] + n / 3 % 3 - 1, cell[2] + n / 9 - 1];
            match self.ask((spread(around) >> (32 - self.bits)) as usize, i, at, own) {
                Answer::Fall => return FALLEN,
                answer => waits |= answer == Answer::Wait,
            }
        }
        if waits { UNDECIDED } else { STANDS }
    }

    fn ask(&self, bucket: usize, i: usize, at: [f32; 3], own: (u32, i32)) -> Answer {
        let low = low_bits(self.bits);
        let (Some(&start), Some(&end)) = (self.starts.get(bucket), self.starts.get(bucket + 1)) else {
            return Answer::Nobody;
        };
        let (start, end) = (start as usize, end as usize);
        let last = end.min(start + self.most);
        let Some((keys, before)) = self.keys.get(start..last).zip(self.before.get(start..last)) else {
            return Answer::Nobody;
        };
        for (j, (key, state)) in (start..).zip(keys.iter().zip(before)) {
            if key & low > own.0 >> self.bits {
                return Answer::Nobody;
            }
            if *state == FALLEN || j == i || !self.grid.is_near(at, point_at(self.places, j)) {
                continue;
            }
            let other = self.ids.get(j).map(|id| (rank_of(self.state, *id), *id));
            if other.is_some_and(|other| other < own) {
                return if *state == STANDS { Answer::Fall } else { Answer::Wait };
            }
        }
        // What lies past the most that are asked is not known, so the point does not stand on it.
        if last < end { Answer::Wait } else { Answer::Nobody }
    }
}

/// Back in the points' own order: whether each stands. What is undecided after the last round falls.
pub(super) static SETTLE: Kernel = Kernel::declare("thin_settle")
    .read("order", Element::I32)
    .read("state", Element::U32)
    .inout("stands", Element::I32)
    .determinism(Determinism::Exact)
    .wgsl(include_str!("settle.wgsl"))
    .cpu(Cpu::Whole(settle));

fn settle(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let (order, states) = (b.read::<i32>("order")?, b.read::<u32>("state")?);
    let stands = b.write::<i32>("stands")?;
    let live = order.iter().zip(states).take(p.live() as usize);
    for (i, (to, state)) in live.enumerate() {
        if i % zero_compute::SLICE as usize == 0 {
            x.checkpoint()?;
        }
        if let Some(stands) = usize::try_from(*to).ok().and_then(|to| stands.get_mut(to)) {
            *stands = i32::from(*state == STANDS);
        }
    }
    Ok(())
}
