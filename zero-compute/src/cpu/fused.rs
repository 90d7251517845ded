//! Running a fused dispatch on the CPU: all members over a block of elements, then the next block, so that what passes
//! between them stays in the first-level cache.

use std::ops::Range;

use rayon::prelude::*;

use crate::cpu::bindings::{Bound, CpuBindings, CpuExec, CpuParams, Words};
use crate::cpu::run::share;
use crate::cpu::twin;
use crate::device::Inner;
use crate::error::{Error, Result};
use crate::field::{Inputs, LeafView, Program, Scratch};
use crate::fusion::{Fused, Member, Wire};
use crate::kernel::{Access, Cpu, HEAD_WORDS};
use crate::list::{Code, Held};
use crate::queue::lock;

/// Elements of a block: 8 KiB a lane, so that a few values fit the first-level cache, and what a call costs is spread
/// over enough of them.
const BLOCK: usize = 2048;

/// What stays the same over the elements.
pub(super) struct Run<'a> {
    pub(super) device: &'a Inner,
    pub(super) fused: &'a Fused,
    pub(super) params: &'a [u32],
    pub(super) n: u32,
    pub(super) live: u32,
    pub(super) exec: &'a CpuExec<'a>,
}

/// The outputs of a range that are written, in the order of the members that write them.
type Stored<'a> = Vec<&'a mut [u32]>;

impl Run<'_> {
    /// Computes the elements of a range into the columns that are written; the others of `held` are read.
    pub(super) fn slice(&self, held: &[Held], range: Range<usize>) -> Result<()> {
        let reads = held.iter().filter(|held| held.access == Access::Read);
        let guards: Vec<_> = reads.map(|held| (held, held.buffer.cpu_read())).collect();
        let inputs: Vec<&[u32]> = guards
            .iter()
            .map(|(held, guard)| {
                let all = guard.as_deref().map_or(&[][..], Vec::as_slice);
                all.get(..held.words() as usize).unwrap_or_default()
            })
            .collect();
        let writes = held.iter().filter(|held| held.access != Access::Read);
        let mut guards: Vec<_> = writes.map(|held| (held, held.buffer.cpu_write())).collect();
        let stored: Stored<'_> = guards
            .iter_mut()
            .map(|(held, guard)| {
                let lanes = held.lanes as usize;
                let all = guard.as_deref_mut().map_or(&mut [][..], Vec::as_mut_slice);
                all.get_mut(range.start * lanes..range.end * lanes).unwrap_or_default()
            })
            .collect();
        let Some((elements, pool)) = share(range.len(), self.exec) else {
            return self.piece(&inputs, range, stored);
        };
        let pieces = self.pieces(stored, range, elements);
        // All results are gathered, so that the error that is returned does not depend on which thread was first.
        let results: Vec<Result<()>> = pool.install(|| {
            pieces
                .into_par_iter()
                .map(|(range, stored)| self.piece(&inputs, range, stored))
                .collect()
        });
        results.into_iter().collect()
    }

    /// The parts of what is written that belong to each of the ranges of `elements`.
    fn pieces<'a>(
        &self,
        mut stored: Stored<'a>,
        range: Range<usize>,
        elements: usize,
    ) -> Vec<(Range<usize>, Stored<'a>)> {
        let mut pieces = Vec::with_capacity(range.len().div_ceil(elements.max(1)));
        let mut start = range.start;
        while start < range.end {
            let end = (start + elements).min(range.end);
            pieces.push((start..end, self.front(&mut stored, end - start)));
            start = end;
        }
        pieces
    }

    /// Takes the first elements of everything that is written.
    fn front<'a>(&self, stored: &mut Stored<'a>, elements: usize) -> Stored<'a> {
        let lanes = self.fused.members.iter().filter(|member| member.stored.is_some());
        stored
            .iter_mut()
            .zip(lanes)
            .map(|(all, member)| {
                let words = (elements * member.lanes() as usize).min(all.len());
                let (front, rest) = std::mem::take(all).split_at_mut(words);
                *all = rest;
                front
            })
            .collect()
    }

    /// Computes a range block by block on this thread.
    fn piece(&self, inputs: &[&[u32]], range: Range<usize>, mut stored: Stored<'_>) -> Result<()> {
        let members = &self.fused.members;
        let mut handed: Vec<Vec<u32>> = members
            .iter()
            .map(|member| match member.stored {
                Some(_) => Vec::new(),
                None => vec![0; BLOCK.min(range.len()) * member.lanes() as usize],
            })
            .collect();
        let mut scratch = lock(&self.device.scratch).pop().unwrap_or_default();
        let mut start = range.start;
        let mut result = Ok(());
        while start < range.end && result.is_ok() {
            let end = (start + BLOCK).min(range.end);
            let mut written = self.front(&mut stored, end - start).into_iter();
            let mut values: Vec<&mut [u32]> = Vec::with_capacity(members.len());
            for (member, handed) in members.iter().zip(&mut handed) {
                let words = (end - start) * member.lanes() as usize;
                values.push(match member.stored {
                    Some(_) => written.next().unwrap_or_default(),
                    None => handed.get_mut(..words).unwrap_or_default(),
                });
            }
            result = self.block(inputs, start..end, &mut values, &mut scratch);
            start = end;
        }
        lock(&self.device.scratch).push(scratch);
        result
    }

    /// Computes a block, member after member, each from what those before it computed.
    fn block(
        &self,
        inputs: &[&[u32]],
        range: Range<usize>,
        values: &mut [&mut [u32]],
        scratch: &mut Scratch,
    ) -> Result<()> {
        for (at, member) in self.fused.members.iter().enumerate() {
            let Some((before, [own, ..])) = values.split_at_mut_checked(at) else {
                return Ok(());
            };
            let params = self.params.get(member.words.clone()).unwrap_or_default();
            let sources = Sources {
                inputs,
                before,
                first: range.start,
            };
            match &member.code {
                Code::Map(program) => self.map(program, member, &sources, params, range.clone(), own, scratch)?,
                _ => self.kernel(member, &sources, params, range.clone(), own)?,
            }
        }
        Ok(())
    }

    fn kernel(
        &self,
        member: &Member,
        sources: &Sources<'_>,
        params: &[u32],
        range: Range<usize>,
        own: &mut [u32],
    ) -> Result<()> {
        let Code::Kernel { kernel, options } = &member.code else {
            return Ok(());
        };
        let Some(Cpu::Ranges(run)) = kernel.twin() else {
            return Err(Error::BadKernel {
                kernel: kernel.name().to_owned(),
                message: "it has no CPU function over ranges".to_owned(),
            });
        };
        let mut own = Some(own);
        let bound = member.ports.iter().map(|port| Bound {
            name: port.name,
            element: port.element,
            lanes: port.lanes,
            words: match port.wire {
                Wire::Own => Words::Write(own.take()),
                Wire::Held(k) => Words::Read(sources.input(k)),
                Wire::Member(k) => Words::Block(range.start, sources.member(k)),
            },
        });
        let mut bindings = CpuBindings {
            kernel: kernel.name(),
            bound: bound.collect(),
        };
        let params = CpuParams {
            kernel,
            words: params,
            options,
            n: self.n,
            live: self.live,
        };
        twin::call(kernel.name(), || run(range, &mut bindings, &params, self.exec))
    }

    #[expect(clippy::too_many_arguments, reason = "what a block is computed from and into")]
    fn map(
        &self,
        program: &Program,
        member: &Member,
        sources: &Sources<'_>,
        params: &[u32],
        range: Range<usize>,
        own: &mut [u32],
        scratch: &mut Scratch,
    ) -> Result<()> {
        let leaves = member.ports.iter().filter(|port| port.wire != Wire::Own);
        let (mut views, mut starts) = (Vec::with_capacity(8), Vec::with_capacity(8));
        for port in leaves {
            let (words, start) = match port.wire {
                Wire::Member(k) => (sources.member(k), sources.first),
                Wire::Held(k) => (sources.input(k), 0),
                Wire::Own => (&[][..], 0),
            };
            views.push(LeafView {
                words,
                lanes: port.lanes,
            });
            starts.push(start);
        }
        let numbers = params.get(HEAD_WORDS..HEAD_WORDS + program.numbers().len());
        let inputs = Inputs {
            leaves: &views,
            numbers: numbers.unwrap_or_default(),
        };
        let lanes = program.lanes() as usize;
        let living = range.len().min((self.live as usize).saturating_sub(range.start));
        let Some((front, inert)) = own.split_at_mut_checked(living * lanes) else {
            return Ok(());
        };
        inert.fill(0);
        program.run_over(&inputs, &starts, range.start as u32, front, self.exec.isa, scratch)
    }
}

/// What a member may read of a block.
struct Sources<'a> {
    inputs: &'a [&'a [u32]],
    before: &'a [&'a mut [u32]],
    first: usize,
}

impl<'a> Sources<'a> {
    fn input(&self, k: usize) -> &'a [u32] {
        self.inputs.get(k).copied().unwrap_or_default()
    }

    fn member(&self, k: usize) -> &'a [u32] {
        self.before.get(k).map_or(&[], |words| words)
    }
}
