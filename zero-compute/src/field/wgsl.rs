//! A program as the WGSL of a map kernel: one function, one thread an element.

use std::fmt::Write;

use super::kind::Kind;
use super::op::{Binary, Unary};
use super::prelude::Function;
use super::program::{Mode, Program};
use super::shared::Shared;
use super::tape::{Args, Line, Node, Reg};
use crate::column::Element;

/// Leaves that a map reads from their own buffers: the eight storage buffers of WebGPU's default limits, less the
/// packed table, the output and the live count.
pub const DIRECT_LEAVES: usize = 5;

pub(crate) const OPERATORS: &str = include_str!("ops.wgsl");

/// Where a leaf of a program is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The storage buffer of that binding number holds the leaf alone.
    Direct(u32),
    /// A part of the packed table; [`MapParam::Offset`] says from which word.
    Packed,
}

/// A word of a map's uniform block, after `zero_n`, `zero_zero` and `zero_groups`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapParam {
    /// The number at that place of [`Program::numbers`].
    Number(usize),
    /// Elements of the leaf at that place of [`Program::leaves`].
    Elements(usize),
    /// Lanes of that leaf.
    Lanes(usize),
    /// The word of the packed table at which that leaf starts.
    Offset(usize),
}

/// What a dispatch of a map binds, all in group 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Where each of [`Program::leaves`] is bound.
    pub leaves: Vec<Place>,
    /// The binding of the packed table (`array<u32>`, read), where a leaf is packed.
    pub packed: Option<u32>,
    /// The binding of the output (read and write), which is called `dst`.
    pub output: u32,
    /// The binding of the live count (`array<u32>`, read). Only a map over a live domain has it.
    pub live_count: u32,
    /// The binding of the uniform block.
    pub params: u32,
    /// The words of the uniform block after the first three.
    pub words: Vec<MapParam>,
}

/// Whether the elements of a map are counted on the host or on the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MapDomain {
    /// As many as the dispatch covers.
    Known,
    /// `min(live count, capacity)`; the slots past those are written 0.
    Live,
}

impl Program {
    /// What a dispatch of this program binds: the first [`DIRECT_LEAVES`] leaves from their own buffers, the others
    /// from one table into which they are copied.
    pub fn layout(&self) -> Layout {
        self.layout_within(DIRECT_LEAVES)
    }

    /// As [`layout`](Self::layout), with that many leaves of their own buffers.
    pub(super) fn layout_within(&self, most: usize) -> Layout {
        let leaves: Vec<_> = (0..self.leaves().len())
            .map(|k| {
                if k < most {
                    Place::Direct(k as u32)
                } else {
                    Place::Packed
                }
            })
            .collect();
        let direct = leaves.len().min(most) as u32;
        let packed = (leaves.len() > most).then_some(direct);
        let output = direct + u32::from(packed.is_some());
        let mut words: Vec<_> = (0..self.numbers().len()).map(MapParam::Number).collect();
        for (k, place) in leaves.iter().enumerate() {
            words.extend([MapParam::Elements(k), MapParam::Lanes(k)]);
            if *place == Place::Packed {
                words.push(MapParam::Offset(k));
            }
        }
        Layout {
            leaves,
            packed,
            output,
            live_count: output + 1,
            params: output + 2,
            words,
        }
    }

    /// The whole module of a map over this program, with its bindings as [`Program::layout`] numbers them. The entry
    /// point is `main`, 256 threads a workgroup, one an element of the domain; a dispatch of more workgroups than a
    /// dimension holds goes on in the second. It depends on the program alone, so it may be cached by
    /// [`Program::key`] and `domain`.
    pub fn wgsl(&self, domain: MapDomain) -> String {
        let mut text = String::new();
        self.write_module(&mut text, domain)
            .map_or_else(|_| String::new(), |()| text)
    }

    fn write_module(&self, w: &mut String, domain: MapDomain) -> std::fmt::Result {
        let layout = self.layout();
        self.write_inputs(w, &layout)?;
        let element = self.element();
        writeln!(
            w,
            "@group(0) @binding({}) var<storage, read_write> dst: array<{element}>;",
            layout.output
        )?;
        if domain == MapDomain::Live {
            writeln!(
                w,
                "@group(0) @binding({}) var<storage, read> domain_count: array<u32>;",
                layout.live_count
            )?;
        }
        self.write_params(w, &layout, "", layout.params)?;
        self.write_helpers(w, &layout)?;
        let lanes = self.lanes();
        writeln!(
            w,
            "@compute @workgroup_size(256)\n\
             fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {{\n\
             let i = gid.x + gid.y * (nw.x * 256u);\n\
             if (i >= params.zero_n) {{ return; }}"
        )?;
        if domain == MapDomain::Live {
            writeln!(w, "if (i >= domain_count[0]) {{")?;
            for lane in 0..lanes {
                writeln!(w, "dst[i * {lanes}u + {lane}u] = {}(0);", self.element())?;
            }
            writeln!(w, "return;\n}}")?;
        }
        self.write_lines(w)?;
        for (lane, &root) in self.roots().iter().enumerate() {
            writeln!(w, "dst[i * {lanes}u + {lane}u] = {};", self.result(root))?;
        }
        writeln!(w, "}}")
    }

    /// The functions of this program in a shader with others: `body(i)` writes the lanes of an element to the array
    /// `value`. A leaf whose lanes `handed` names is read from the array `leafN`, whatever its element; the others from
    /// the buffer `leafN`. The operators, and what noise needs, are to stand in front.
    #[cfg(feature = "gpu")]
    pub(crate) fn member_wgsl(&self, handed: &[Option<u32>]) -> String {
        let mut text = String::new();
        self.write_member(&mut text, handed)
            .map_or_else(|_| String::new(), |()| text)
    }

    #[cfg(feature = "gpu")]
    fn write_member(&self, w: &mut String, handed: &[Option<u32>]) -> std::fmt::Result {
        for (k, leaf) in self.leaves().iter().enumerate() {
            match handed.get(k).copied().flatten() {
                None => self.write_leaf(w, k, leaf.element, &Place::Direct(0))?,
                Some(lanes) => writeln!(
                    w,
                    "fn zf_leaf{k}(at: u32, lane: u32) -> {element} {{\n\
                     if (lane >= {lanes}u) {{ return {element}(0); }}\n\
                     return leaf{k}[lane];\n}}",
                    element = leaf.element
                )?,
            }
        }
        writeln!(w, "fn body(i: u32) {{")?;
        self.write_lines(w)?;
        for (lane, &root) in self.roots().iter().enumerate() {
            let result = self.result(root);
            let result = if root.kind == Kind::F32 {
                crate::fusion::keep(&result)
            } else {
                result
            };
            writeln!(w, "value[{lane}] = {result};")?;
        }
        writeln!(w, "}}")
    }

    /// A root as it is written.
    fn result(&self, root: Reg) -> String {
        let value = self.operand(root);
        match root.kind {
            Kind::Bool => format!("select(0u, 1u, {value})"),
            Kind::F32 => format!("bitcast<f32>(zf_bits_f32({value}))"),
            Kind::I32 | Kind::U32 => value,
        }
    }

    /// Whether its shader needs zero-noise's functions.
    pub(crate) fn calls_noise(&self) -> bool {
        self.lines().iter().any(|line| is_noise(&line.node))
    }

    /// Whether the leaf at that place of [`Program::leaves`] is read at computed elements.
    pub(crate) fn gathers_from(&self, leaf: usize) -> bool {
        self.lines()
            .iter()
            .any(|line| matches!(line.node, Node::Gather { slot, .. } if slot as usize == leaf))
    }

    /// Every line as a value of its own, in the order of the program.
    pub(super) fn write_lines(&self, w: &mut String) -> std::fmt::Result {
        self.write_lines_where(w, &Shared::of(self.lines()), |_| true)
    }

    /// Those lines that some values need.
    pub(super) fn write_lines_of(&self, w: &mut String, wanted: &[Reg]) -> std::fmt::Result {
        let shared = Shared::of(self.lines());
        let mut is_wanted = vec![false; self.lines().len()];
        wanted.iter().for_each(|reg| is_wanted[reg.index as usize] = true);
        for (index, line) in self.lines().iter().enumerate().rev() {
            if is_wanted[index] {
                line.node.operands(|read| is_wanted[read.index as usize] = true);
                is_wanted[shared.first[index] as usize] = true;
            }
        }
        self.write_lines_where(w, &shared, |index| is_wanted[index])
    }

    fn write_lines_where(
        &self,
        w: &mut String,
        shared: &Shared,
        is_wanted: impl Fn(usize) -> bool,
    ) -> std::fmt::Result {
        let open = self.open_products();
        for (index, line) in self.lines().iter().enumerate().filter(|(index, _)| is_wanted(*index)) {
            if let Node::Call { prelude, args } = line.node
                && !prelude.function().results().is_empty()
            {
                let (first, function) = (shared.first[index], prelude.function());
                if first as usize == index {
                    writeln!(w, "let c{index} = {};", self.call(function, &args))?;
                }
                let result = function.results()[prelude.result()];
                writeln!(w, "let r{index} = c{first}.{result};")?;
                continue;
            }
            if !matches!(line.node, Node::Const { .. }) {
                writeln!(w, "let r{index} = {};", self.expression(index, line, &open))?;
            }
        }
        Ok(())
    }

    /// What the lines call.
    pub(super) fn write_helpers(&self, w: &mut String, layout: &Layout) -> std::fmt::Result {
        if self.calls_noise() {
            writeln!(w, "fn zn_zero() -> u32 {{ return params.zero_zero; }}")?;
            writeln!(w, "{}", zero_noise::WGSL)?;
        }
        writeln!(w, "{OPERATORS}")?;
        self.write_leaves(w, layout)
    }

    /// The bindings of the leaves.
    pub(super) fn write_inputs(&self, w: &mut String, layout: &Layout) -> std::fmt::Result {
        let mut storage = |number: u32, access: &str, name: &str, element: &str| {
            writeln!(
                w,
                "@group(0) @binding({number}) var<storage, {access}> {name}: array<{element}>;"
            )
        };
        for (k, (leaf, place)) in self.leaves().iter().zip(&layout.leaves).enumerate() {
            if let Place::Direct(number) = place {
                storage(*number, "read", &format!("leaf{k}"), &leaf.element.to_string())?;
            }
        }
        if let Some(number) = layout.packed {
            storage(number, "read", "packed", "u32")?;
        }
        Ok(())
    }

    /// The uniform block, at that binding, with `more` words in front of the layout's.
    pub(super) fn write_params(&self, w: &mut String, layout: &Layout, more: &str, number: u32) -> std::fmt::Result {
        writeln!(
            w,
            "struct Params {{\nzero_n: u32, zero_zero: u32, zero_groups: u32, {more}"
        )?;
        for word in &layout.words {
            match *word {
                MapParam::Number(k) => writeln!(w, "n{k}: {},", self.numbers()[k].kind.element())?,
                MapParam::Elements(k) => writeln!(w, "elements{k}: u32,")?,
                MapParam::Lanes(k) => writeln!(w, "lanes{k}: u32,")?,
                MapParam::Offset(k) => writeln!(w, "offset{k}: u32,")?,
            }
        }
        writeln!(w, "}}\n@group(0) @binding({number}) var<uniform> params: Params;")
    }

    /// A function for each leaf that reads a lane at an element, by the rules of a leaf.
    fn write_leaves(&self, w: &mut String, layout: &Layout) -> std::fmt::Result {
        for (k, (leaf, place)) in self.leaves().iter().zip(&layout.leaves).enumerate() {
            self.write_leaf(w, k, leaf.element, place)?;
        }
        Ok(())
    }

    fn write_leaf(&self, w: &mut String, k: usize, element: Element, place: &Place) -> std::fmt::Result {
        let word = format!("min(at, params.elements{k} - 1u) * params.lanes{k} + lane");
        let read = match place {
            Place::Direct(_) => format!("leaf{k}[{word}]"),
            Place::Packed => format!("bitcast<{element}>(packed[params.offset{k} + {word}])"),
        };
        writeln!(
            w,
            "fn zf_leaf{k}(at: u32, lane: u32) -> {element} {{\n\
             if (params.elements{k} == 0u || lane >= params.lanes{k}) {{ return {element}(0); }}\n\
             return {read};\n}}"
        )
    }

    /// A value as it stands in an expression: a constant as itself.
    pub(super) fn operand(&self, reg: Reg) -> String {
        match self.lines()[reg.index as usize].node {
            Node::Const { bits } => literal(reg.kind, bits),
            _ => format!("r{}", reg.index),
        }
    }

    /// The products that a device may fuse into a sum: in [`Mode::Pointwise`] those that nothing but sums reads. Every
    /// other float product, and every sum, is kept as it was rounded, or a driver would rewrite it.
    fn open_products(&self) -> Vec<bool> {
        let pointwise = self.mode() == Mode::Pointwise;
        let product = |node: &Node| matches!(node, Node::Binary { op: Binary::Mul, a, .. } if a.kind == Kind::F32);
        let mut open: Vec<bool> = self
            .lines()
            .iter()
            .map(|line| pointwise && product(&line.node))
            .collect();
        for line in self.lines() {
            if !matches!(
                line.node,
                Node::Binary {
                    op: Binary::Add | Binary::Sub,
                    ..
                }
            ) {
                line.node.operands(|read| open[read.index as usize] = false);
            }
        }
        open
    }

    fn expression(&self, index: usize, line: &Line, open: &[bool]) -> String {
        let of = |reg| self.operand(reg);
        let kind = line.kind;
        match line.node {
            Node::Const { bits } => literal(kind, bits),
            Node::Id => "i".to_owned(),
            Node::State { lane } => format!("s{lane}"),
            Node::Step => "k".to_owned(),
            Node::Number { slot } => format!("params.n{slot}"),
            Node::Leaf { slot, lane } => format!("zf_leaf{slot}(i, {lane}u)"),
            Node::Gather { slot, lane, index } if index.kind == Kind::I32 => {
                format!("zf_leaf{slot}(u32(max({}, 0)), {lane}u)", of(index))
            }
            Node::Gather { slot, lane, index } => format!("zf_leaf{slot}({}, {lane}u)", of(index)),
            Node::Unary { op, a } => unary(op, a.kind, self.mode(), &of(a)),
            Node::Binary {
                op: op @ (Binary::Add | Binary::Sub),
                a,
                b,
            } if kind == Kind::F32 => {
                let sign = if op == Binary::Add { '+' } else { '-' };
                // One of two products is fused, by any device that fuses; both left open, they would be factored.
                let both = open[a.index as usize] && open[b.index as usize];
                let right = if both { format!("zf_keep({})", of(b)) } else { of(b) };
                format!("zf_keep({} {sign} {right})", of(a))
            }
            Node::Binary { op: Binary::Mul, a, b } if kind == Kind::F32 && !open[index] => {
                format!("zf_keep({} * {})", of(a), of(b))
            }
            Node::Binary { op, a, b } => binary(op, a.kind, b.kind, &of(a), &of(b)),
            Node::Select { cond, a, b } => format!("select({}, {}, {})", of(b), of(a), of(cond)),
            Node::Call { prelude, args } => self.call(prelude.function(), &args),
        }
    }

    /// A call of zero-noise, which takes the periods of a tile as a vector.
    fn call(&self, function: Function, args: &Args) -> String {
        let args: Vec<_> = args
            .iter()
            .take(function.takes().len())
            .map(|&r| self.operand(r))
            .collect();
        let name = function.name();
        if !function.is_tiled() {
            return format!("zn_{name}({})", args.join(", "));
        }
        let axes = function.axes();
        let (args, periods) = args.split_at(args.len() - axes);
        format!("zn_{name}({}, vec{axes}<u32>({}))", args.join(", "), periods.join(", "))
    }
}

/// A constant. One that WGSL may not write, a NaN or an infinity, is put together where no compiler can see it.
fn literal(kind: Kind, bits: u32) -> String {
    match kind {
        Kind::F32 if f32::from_bits(bits).is_finite() => format!("{:?}f", f32::from_bits(bits)),
        Kind::F32 => format!("bitcast<f32>({bits:#x}u ^ params.zero_zero)"),
        Kind::I32 => format!("i32({})", bits.cast_signed()),
        Kind::U32 => format!("{bits}u"),
        Kind::Bool => (bits != 0).to_string(),
    }
}

fn is_noise(node: &Node) -> bool {
    match node {
        Node::Call { .. } => true,
        Node::Unary { op, .. } => {
            use Unary::{Cos, Exp2, Log2, Sin, Sqrt, Tanh};
            matches!(op, Sin | Cos | Exp2 | Log2 | Tanh | Sqrt)
        }
        Node::Binary {
            op: Binary::Div | Binary::Mod,
            a,
            ..
        } => a.kind == Kind::F32,
        Node::Binary { op, .. } => matches!(op, Binary::Pow | Binary::Atan2),
        _ => false,
    }
}

fn unary(op: Unary, kind: Kind, mode: Mode, a: &str) -> String {
    let exact = mode == Mode::Exact;
    match (op, kind) {
        (Unary::Neg, _) => format!("-({a})"),
        (Unary::Abs, Kind::F32) => format!("abs({a})"),
        (Unary::Abs, _) => format!("zf_abs_i32({a})"),
        (Unary::Sign, Kind::F32) => format!("zf_sign_f32({a})"),
        (Unary::Sign, _) => format!("sign({a})"),
        (Unary::Floor, _) => format!("floor({a})"),
        (Unary::Ceil, _) => format!("ceil({a})"),
        (Unary::Round, _) => format!("round({a})"),
        (Unary::Fract, _) => format!("zf_fract({a})"),
        (Unary::Sqrt, _) => format!("zn_sqrt({a})"),
        (Unary::Sin, _) => format!("zn_sin({a})"),
        (Unary::Cos, _) => format!("zn_cos({a})"),
        (Unary::Exp2, _) => format!("zn_exp2({a})"),
        (Unary::Log2, _) => format!("zn_log2({a})"),
        (Unary::Tanh, _) => format!("zn_tanh({a})"),
        (Unary::Not, Kind::Bool) => format!("!({a})"),
        (Unary::Not, _) => format!("~({a})"),
        (Unary::ToF32, Kind::I32 | Kind::U32) if exact => format!("zf_exact_f32_from_{}({a})", kind.name()),
        (Unary::ToF32, _) => format!("f32({a})"),
        (Unary::ToI32, Kind::F32) => format!("zf_i32_from_f32({a})"),
        (Unary::ToI32, _) => format!("i32({a})"),
        (Unary::ToU32, Kind::F32) => format!("zf_u32_from_f32({a})"),
        (Unary::ToU32, _) => format!("u32({a})"),
        (Unary::ToBool, Kind::Bool) => a.to_owned(),
        (Unary::ToBool, _) => format!("({a} != {}(0))", kind.name()),
        (Unary::BitsToF32, _) => format!("bitcast<f32>({a})"),
        (Unary::BitsToI32, Kind::F32) => format!("bitcast<i32>(zf_bits_f32({a}))"),
        (Unary::BitsToU32, Kind::F32) => format!("zf_bits_f32({a})"),
        (Unary::BitsToI32, _) => format!("bitcast<i32>({a})"),
        (Unary::BitsToU32, _) => format!("bitcast<u32>({a})"),
    }
}

fn binary(op: Binary, kind: Kind, right: Kind, a: &str, b: &str) -> String {
    let infix = |sign: &str| format!("({a} {sign} {b})");
    let shift = |sign: &str| match right {
        Kind::I32 => format!("({a} {sign} (bitcast<u32>({b}) & 31u))"),
        _ => format!("({a} {sign} ({b} & 31u))"),
    };
    match (op, kind) {
        (Binary::Add, _) => infix("+"),
        (Binary::Sub, _) => infix("-"),
        (Binary::Mul, _) => infix("*"),
        (Binary::Div, Kind::F32) => format!("zn_div({a}, {b})"),
        (Binary::Div, _) => format!("zf_div_{}({a}, {b})", kind.name()),
        (Binary::Mod, Kind::F32) => format!("zn_modulo({a}, {b})"),
        (Binary::Mod, _) => format!("zf_mod_{}({a}, {b})", kind.name()),
        (Binary::Min, Kind::F32) => format!("zf_min_f32({a}, {b})"),
        (Binary::Min, _) => format!("min({a}, {b})"),
        (Binary::Max, Kind::F32) => format!("zf_max_f32({a}, {b})"),
        (Binary::Max, _) => format!("max({a}, {b})"),
        (Binary::Pow, _) => format!("zn_pow({a}, {b})"),
        (Binary::Atan2, _) => format!("zn_atan2({a}, {b})"),
        (Binary::Lt, _) => infix("<"),
        (Binary::Le, _) => infix("<="),
        (Binary::Gt, _) => infix(">"),
        (Binary::Ge, _) => infix(">="),
        (Binary::Eq, _) => infix("=="),
        (Binary::Ne, _) => infix("!="),
        (Binary::And, Kind::Bool) => infix("&&"),
        (Binary::And, _) => infix("&"),
        (Binary::Or, Kind::Bool) => infix("||"),
        (Binary::Or, _) => infix("|"),
        (Binary::Xor, Kind::Bool) => infix("!="),
        (Binary::Xor, _) => infix("^"),
        (Binary::Shl, _) => shift("<<"),
        (Binary::Shr, _) => shift(">>"),
    }
}
