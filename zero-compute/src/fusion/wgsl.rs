//! The shader of a fused dispatch: the texts of its members under names of their own, and one entry point.
//!
//! What a member computes stands in a private array, as it was rounded: an xor with a zero that no compiler foresees
//! stands between two members where in memory a store and a load would.

use std::borrow::Cow;
use std::fmt::Write;

use super::rename::{declared, rename};
use super::{Fused, Member, Port, Wire};
use crate::column::Element;
use crate::error::{Error, Result};
use crate::field::{self, MapParam};
use crate::list::{Code, Held};

/// Everything of a module, with the columns numbered as they are held, the live count after them and the params last.
pub(crate) fn module(fused: &Fused, held: &[Held], live: bool) -> Result<String> {
    let mut text = String::new();
    let bad = |_| Error::BadKernel {
        kernel: fused.name(),
        message: "its fused shader could not be written".to_owned(),
    };
    let mut bodies = String::new();
    for (at, member) in fused.members.iter().enumerate() {
        bodies.push_str(&body(at, member)?);
    }
    header(&mut text, fused, held, live, &bodies).map_err(bad)?;
    text.push_str(&bodies);
    entry(&mut text, fused, live).map_err(bad)?;
    Ok(text)
}

fn header(w: &mut String, fused: &Fused, held: &[Held], live: bool, bodies: &str) -> std::fmt::Result {
    for (k, held) in held.iter().enumerate() {
        let access = if held.access == crate::kernel::Access::Read {
            "read"
        } else {
            "read_write"
        };
        let element = held.element;
        writeln!(
            w,
            "@group(0) @binding({k}) var<storage, {access}> zz_b{k}: array<{element}>;"
        )?;
    }
    if live {
        let number = held.len();
        writeln!(
            w,
            "@group(0) @binding({number}) var<storage, read> domain_count: array<u32>;"
        )?;
    }
    writeln!(w, "struct Params {{")?;
    for (at, member) in fused.members.iter().enumerate() {
        fields(w, at, member)?;
    }
    writeln!(
        w,
        "}}\n@group(0) @binding({}) var<uniform> params: Params;",
        held.len() + 1
    )?;
    let live_count = if live {
        "min(domain_count[0], params.zero_n)"
    } else {
        "params.zero_n"
    };
    writeln!(w, "fn zero_live() -> u32 {{ return {live_count}; }}")?;
    w.push_str(crate::shader::HELPERS);
    for (at, member) in fused.members.iter().enumerate() {
        let element = member.output().map_or(Element::U32, |port| port.element);
        writeln!(w, "var<private> zz_v{at}: array<{element}, {}>;", member.lanes())?;
    }
    if fused.members.iter().any(Member::uses_noise) {
        writeln!(w, "{}", zero_noise::WGSL)?;
    }
    if bodies.contains("zf_") {
        w.push_str(field::OPERATORS);
    }
    Ok(())
}

/// The words of a member in the uniform block. The first member's head is the dispatch's.
fn fields(w: &mut String, at: usize, member: &Member) -> std::fmt::Result {
    let own = prefix(at);
    let head = if at == 0 { String::new() } else { own.clone() };
    writeln!(w, "{head}zero_n: u32, {head}zero_zero: u32, {head}zero_groups: u32,")?;
    match &member.code {
        Code::Kernel { kernel, .. } => {
            for (name, param) in kernel.params() {
                writeln!(w, "{own}{name}: {},", param.element())?;
            }
            for port in &member.ports {
                writeln!(w, "{own}{}_lanes: u32,", port.name)?;
            }
        }
        Code::Map(program) => {
            for word in &program.layout().words {
                match *word {
                    MapParam::Number(k) => {
                        let element = program.numbers().get(k).map_or(Element::U32, |n| n.kind.element());
                        writeln!(w, "{own}n{k}: {element},")?;
                    }
                    MapParam::Elements(k) => writeln!(w, "{own}elements{k}: u32,")?,
                    MapParam::Lanes(k) => writeln!(w, "{own}lanes{k}: u32,")?,
                    MapParam::Offset(k) => writeln!(w, "{own}offset{k}: u32,")?,
                }
            }
        }
        Code::Fused(_) | Code::Walk(_) => {}
    }
    Ok(())
}

fn prefix(at: usize) -> String {
    format!("zz_m{at}_")
}

/// The text of a member, in which each of its names is its own.
fn body(at: usize, member: &Member) -> Result<String> {
    let own = prefix(at);
    match &member.code {
        Code::Kernel { kernel, options } => {
            let source = kernel.member_source(options)?;
            let names = declared(&source);
            let mut text = rename(&source, |name, is_param| {
                if is_param {
                    return (!is_head(name)).then(|| format!("{own}{name}").into());
                }
                if names.contains(name) || is_accessor(member, name) {
                    return Some(format!("{own}{name}").into());
                }
                let port = member.ports.iter().find(|port| port.name == name)?;
                // Only what is read anywhere is reached by its name; another name is a local one, if it is used.
                let is_raw = port.wire != Wire::Own && !kernel.per_element()?.own.contains(&name);
                Some(if is_raw {
                    column(at, port)
                } else {
                    format!("{own}{name}").into()
                })
            });
            for port in member.ports.iter().filter(|port| port.wire != Wire::Own) {
                // Writing to a String cannot fail.
                let _ = accessor(&mut text, &own, at, port);
            }
            Ok(text)
        }
        Code::Map(program) => {
            let lanes: Vec<Option<u32>> = member
                .ports
                .iter()
                .map(|port| matches!(port.wire, Wire::Member(_)).then_some(port.lanes))
                .collect();
            let source = program.member_wgsl(&lanes);
            let names = declared(&source);
            Ok(rename(&source, |name, is_param| {
                if is_param {
                    return (!is_head(name)).then(|| format!("{own}{name}").into());
                }
                if names.contains(name) {
                    return Some(format!("{own}{name}").into());
                }
                if name == "value" {
                    return Some(format!("zz_v{at}").into());
                }
                let k: usize = name.strip_prefix("leaf")?.parse().ok()?;
                member.ports.get(k).map(|port| column(at, port))
            }))
        }
        Code::Fused(_) | Code::Walk(_) => Ok(String::new()),
    }
}

/// The words that every member has in front of its params, and that are the same for all.
fn is_head(name: &str) -> bool {
    matches!(name, "zero_n" | "zero_zero" | "zero_groups")
}

fn is_accessor(member: &Member, name: &str) -> bool {
    let bound = name.strip_suffix("_at");
    member.ports.iter().any(|port| Some(port.name) == bound)
}

/// What a binding's name stands for.
fn column(at: usize, port: &Port) -> Cow<'static, str> {
    match port.wire {
        Wire::Member(from) => format!("zz_v{from}").into(),
        Wire::Held(k) => format!("zz_b{k}").into(),
        Wire::Own => format!("zz_v{at}").into(),
    }
}

/// `NAME_at(i, lane)` of a kernel's binding.
fn accessor(w: &mut String, own: &str, at: usize, port: &Port) -> std::fmt::Result {
    let Port { name, element, .. } = port;
    let place = match port.wire {
        Wire::Held(_) => format!("i * params.{own}{name}_lanes + lane"),
        _ => "lane".to_owned(),
    };
    let column = column(at, port);
    writeln!(
        w,
        "fn {own}{name}_at(i: u32, lane: u32) -> {element} {{ return {column}[{place}]; }}"
    )
}

fn entry(w: &mut String, fused: &Fused, live: bool) -> std::fmt::Result {
    writeln!(
        w,
        "@compute @workgroup_size(256)\n\
         fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {{\n\
         let i = zero_index(gid, nw);\n\
         if (i >= zero_n()) {{ return; }}"
    )?;
    if live {
        writeln!(w, "if (i < zero_live()) {{")?;
    }
    for (at, member) in fused.members.iter().enumerate() {
        let own = prefix(at);
        match &member.code {
            Code::Map(_) => writeln!(w, "{own}body(i);")?,
            _ => {
                let is_float = member.output().is_some_and(|port| port.element == Element::F32);
                for lane in 0..member.lanes() {
                    let value = format!("{own}element(i, {lane}u)");
                    let value = if is_float { keep(&value) } else { value };
                    writeln!(w, "zz_v{at}[{lane}] = {value};")?;
                }
            }
        }
    }
    if live {
        writeln!(w, "}} else {{")?;
        for (at, member) in fused.members.iter().enumerate() {
            let inert = member.inert_wgsl();
            for lane in 0..member.lanes() {
                writeln!(w, "zz_v{at}[{lane}] = {inert};")?;
            }
        }
        writeln!(w, "}}")?;
    }
    for (at, member) in fused.members.iter().enumerate() {
        let Some(k) = member.stored else { continue };
        let lanes = member.lanes();
        for lane in 0..lanes {
            writeln!(w, "zz_b{k}[i * {lanes}u + {lane}u] = zz_v{at}[{lane}];")?;
        }
    }
    writeln!(w, "}}")
}

/// A float as it was rounded, whatever reads it.
pub(crate) fn keep(value: &str) -> String {
    format!("bitcast<f32>(bitcast<u32>({value}) ^ params.zero_zero)")
}

impl Member {
    fn uses_noise(&self) -> bool {
        match &self.code {
            Code::Kernel { kernel, .. } => kernel.uses_noise(),
            Code::Map(program) => program.calls_noise(),
            Code::Fused(_) | Code::Walk(_) => false,
        }
    }

    /// What an element past the live count is.
    fn inert_wgsl(&self) -> String {
        let declared = match &self.code {
            Code::Kernel { kernel, .. } => kernel.per_element().map(|element| element.inert),
            _ => None,
        };
        let element = self.output().map_or(Element::U32, |port| port.element);
        declared.map_or_else(|| format!("{element}(0)"), |inert| crate::shader::literal(&inert))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::field::{Binary, Kind, Mode, Program, Tape};
    use crate::kernel::{Kernel, Param, PerElement, Rule};
    use crate::kernel_ref::Declared;

    static SUM: Kernel = Kernel::declare("sum")
        .read("a", Element::F32)
        .write("dst", Element::F32, Rule::Domain)
        .fusion(PerElement {
            writes: "dst",
            own: &["a"],
            inert: Param::F32(0.0),
        })
        .wgsl("fn element(i: u32, lane: u32) -> f32 { return a_at(i, lane) + 1.0; }");

    fn port(name: &'static str, wire: Wire) -> Port {
        Port {
            name,
            element: Element::F32,
            lanes: 1,
            wire,
        }
    }

    /// Whether a driver joins two members depends on the driver; that an xor with a run-time zero stands between them
    /// does not.
    #[test]
    fn every_float_is_kept_between_members() {
        let mut tape = Tape::new();
        let leaf = tape.leaf(0, 0, Kind::F32);
        let doubled = tape.binary(Binary::Add, leaf, leaf).unwrap();
        let program = Program::compile(&tape, &[doubled], Mode::Pointwise).unwrap();
        let kernel = Member {
            code: Code::Kernel {
                kernel: Declared::Static(&SUM),
                options: Vec::new(),
            },
            ports: vec![port("a", Wire::Held(0)), port("dst", Wire::Own)],
            stored: None,
            words: 0..8,
        };
        let map = Member {
            code: Code::Map(Arc::new(program)),
            ports: vec![port("leaf0", Wire::Member(0)), port("dst", Wire::Own)],
            stored: Some(1),
            words: 8..16,
        };
        let fused = Fused {
            members: vec![kernel, map],
        };
        let text = module(&fused, &[], false).unwrap();
        let assigned: Vec<&str> = text
            .lines()
            .filter(|line| line.starts_with("zz_v") && line.contains(" = "))
            .collect();
        assert_eq!(assigned.len(), 2, "{text}");
        for line in assigned {
            let value = line.split_once(" = ").unwrap().1;
            assert!(value.starts_with("bitcast<f32>(bitcast<u32>("), "{line}");
            assert!(value.ends_with(" ^ params.zero_zero);"), "{line}");
        }
    }
}
