//! A stable hash of what a program computes, for content keys.
//!
//! Each line's digest is taken over its operator and its operands' digests, so that the order in which lines were
//! written does not enter. The function is 128-bit FNV-1a (Fowler, Noll, Vo; offset basis and prime as published),
//! over little-endian words.

use super::kind::Kind;
use super::op::{Binary, Unary};
use super::prelude::Prelude;
use super::tape::{Line, Node, Reg};

const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

/// Raised whenever an operator changes a bit of what it answers, so that no cache keeps the old one.
const VERSION: u32 = 1;

#[derive(Clone, Copy)]
struct Fnv(u128);

impl Fnv {
    fn new(tag: u32) -> Fnv {
        Fnv(BASIS).word(tag)
    }

    fn word(self, word: u32) -> Fnv {
        Fnv(word
            .to_le_bytes()
            .iter()
            .fold(self.0, |h, &byte| (h ^ u128::from(byte)).wrapping_mul(PRIME)))
    }

    fn digest(self, digest: u128) -> Fnv {
        Fnv(digest
            .to_le_bytes()
            .iter()
            .fold(self.0, |h, &byte| (h ^ u128::from(byte)).wrapping_mul(PRIME)))
    }
}

/// The digests of lines whose operands' digests `of` knows already.
pub(super) fn line(line: &Line, of: impl Fn(Reg) -> u128) -> u128 {
    let kind = line.kind;
    let hash = match line.node {
        Node::Const { bits } => Fnv::new(1).word(bits),
        Node::Id => Fnv::new(2),
        Node::Number { slot } => Fnv::new(3).word(slot),
        Node::Leaf { slot, lane } => Fnv::new(4).word(slot).word(lane),
        Node::Gather { slot, lane, index } => Fnv::new(5).word(slot).word(lane).digest(of(index)),
        Node::Unary { op, a } => Fnv::new(6).word(unary(op)).digest(of(a)),
        Node::Binary { op, a, b } => {
            let (a, b) = (of(a), of(b));
            let (a, b) = if op.commutes() && b < a { (b, a) } else { (a, b) };
            Fnv::new(7).word(binary(op)).digest(a).digest(b)
        }
        Node::Select { cond, a, b } => Fnv::new(8).digest(of(cond)).digest(of(a)).digest(of(b)),
        Node::Call { prelude, args } => args
            .iter()
            .take(prelude.takes().len())
            .fold(Fnv::new(9).word(call(prelude)), |hash, &arg| hash.digest(of(arg))),
        Node::State { lane } => Fnv::new(11).word(lane),
        Node::Step => Fnv::new(12),
    };
    hash.word(kind.code()).0
}

/// The digest of a whole program: its roots in order, and whether it is exact.
pub(super) fn program(roots: impl Iterator<Item = (u128, Kind)>, exact: bool) -> u128 {
    let start = Fnv::new(10).word(VERSION).word(u32::from(exact));
    roots
        .fold(start, |hash, (digest, kind)| hash.digest(digest).word(kind.code()))
        .0
}

/// The digest of a walk: that of its program, the lanes of its state, and whether a walker may stop.
pub(super) fn walk(program: u128, width: u32, can_stop: bool) -> u128 {
    Fnv::new(13).digest(program).word(width).word(u32::from(can_stop)).0
}

// The codes are positions in the published lists, which only grow at their ends.
fn unary(op: Unary) -> u32 {
    op as u32
}

fn binary(op: Binary) -> u32 {
    op as u32
}

fn call(prelude: Prelude) -> u32 {
    prelude as u32
}
