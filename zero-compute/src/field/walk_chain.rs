//! A walk as texts for a kernel that is not this crate's: the specializations of a walk kernel.

use std::fmt::Write;

use super::kind::Kind;
use super::tape::Reg;
use super::walk::Walk;
use super::wgsl::OPERATORS;

/// The step of a [`Walk`] as WGSL that another kernel calls: what its specializations `WALK_STEP`, `WALK_STEP_HI`,
/// `WALK_DONE` and `WALK_PRELUDE` are replaced with.
///
/// The kernel has the variables `s` (`vec4<f32>`, lanes 0 to 3 of the state), `s_hi` (lanes 4 to 7), `k` (`u32`, the number
/// of the step, from 0) and `id` (`u32`, the walker's number). It binds the walk's columns as a table `cols`
/// ([`LeafUse`](super::LeafUse) after leaf, in the order of [`Walk::leaves`]) and its numbers as `u` (`u32`, their bits, in
/// the order of [`Walk::numbers`]), has `u_get(k)` to read them, and asks for zero-noise. Lanes that the state does not
/// have are 0 in what the functions answer. Names that begin with `zf_` are the prelude's.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WalkChain {
    /// Lanes 0 to 3 of the next state, an expression.
    pub step: String,
    /// Lanes 4 to 7 of the next state; `s_hi` where there are none.
    pub step_hi: String,
    /// Whether the walker stops before step `k`; `false` for a walk that goes on to its end.
    pub done: String,
    /// The functions that those call, at module scope.
    pub prelude: String,
}

impl WalkChain {
    /// Each specialization with its text.
    pub fn specialize(&self) -> [(&'static str, &str); 4] {
        [
            ("WALK_STEP", &self.step),
            ("WALK_STEP_HI", &self.step_hi),
            ("WALK_DONE", &self.done),
            ("WALK_PRELUDE", &self.prelude),
        ]
    }
}

impl Walk {
    /// The texts of this walk for a kernel of files that walks: what [`Call::walk`](crate::call::Call::walk) gives it.
    pub fn chain(&self) -> WalkChain {
        let mut prelude = String::new();
        let written = self.write_prelude(&mut prelude);
        // Writing to a String cannot fail.
        debug_assert!(written.is_ok());
        let call = |name: &str| format!("zero_walk_chain_{name}(s, s_hi, k, id)");
        WalkChain {
            step: call("step"),
            step_hi: if self.width() > 4 {
                call("step_hi")
            } else {
                "s_hi".to_owned()
            },
            done: if self.can_stop() {
                call("done")
            } else {
                "false".to_owned()
            },
            prelude,
        }
    }

    fn write_prelude(&self, w: &mut String) -> std::fmt::Result {
        writeln!(w, "{OPERATORS}")?;
        writeln!(
            w,
            "fn zf_clean(a: f32) -> f32 {{ return bitcast<f32>(zf_bits_f32(a)); }}"
        )?;
        for (k, leaf) in self.leaves().iter().enumerate() {
            let element = leaf.element;
            writeln!(
                w,
                "fn zf_leaf{k}(at: u32, lane: u32) -> {element} {{ return cols_{element}({k}u, at, lane); }}"
            )?;
        }
        write!(w, "struct ZfNumbers {{ zero_zero: u32,")?;
        for (k, number) in self.numbers().iter().enumerate() {
            write!(w, " n{k}: {},", number.kind.element())?;
        }
        write!(w, " }}\nfn zf_numbers() -> ZfNumbers {{ return ZfNumbers(zn_zero()")?;
        for (k, number) in self.numbers().iter().enumerate() {
            write!(w, ", bitcast<{}>(u_get({k}u))", number.kind.element())?;
        }
        writeln!(w, "); }}")?;
        let roots = self.program().roots();
        let (state, done) = roots.split_at(roots.len().min(self.width() as usize));
        let (low, high) = state.split_at(state.len().min(4));
        self.write_function(w, "step", low, &lanes_of(self, low))?;
        if !high.is_empty() {
            self.write_function(w, "step_hi", high, &lanes_of(self, high))?;
        }
        if let Some(done) = done.first() {
            let value = self.program().operand(*done);
            let holds = match done.kind {
                Kind::Bool => value,
                _ => format!("zf_bits_f32({value}) != 0u"),
            };
            self.write_function(w, "done", &[*done], &holds)?;
        }
        Ok(())
    }

    /// A function of the state with the lines that `roots` need; inside it `params` are the walk's own numbers.
    fn write_function(&self, w: &mut String, name: &str, roots: &[Reg], answer: &str) -> std::fmt::Result {
        let kind = if name == "done" { "bool" } else { "vec4<f32>" };
        writeln!(
            w,
            "fn zero_walk_chain_{name}(s: vec4<f32>, s_hi: vec4<f32>, k: u32, i: u32) -> {kind} {{\n\
             let params = zf_numbers();"
        )?;
        for lane in 0..self.width() {
            let from = if lane < 4 { "s" } else { "s_hi" };
            writeln!(w, "let s{lane} = {from}[{}u];", lane % 4)?;
        }
        self.program().write_lines_of(w, roots)?;
        writeln!(w, "return {answer};\n}}")
    }
}

/// Four lanes of the state, 0 where it has none.
fn lanes_of(walk: &Walk, roots: &[Reg]) -> String {
    let clean = |root: &Reg| format!("zf_clean({})", walk.program().operand(*root));
    let mut lanes: Vec<String> = roots.iter().map(clean).collect();
    lanes.resize(4, "0.0".to_owned());
    format!("vec4<f32>({})", lanes.join(", "))
}
