//! The WGSL that a GPU compiles: generated bindings and helpers in front of the author's source.

use std::fmt::Write;

use crate::error::{Error, Result};
use crate::kernel::{Access, Binding, Kernel, Param, PerElement};
use crate::table;

/// A whole shader, and how many lines stand in front of the author's first.
#[derive(Debug)]
pub(crate) struct Assembled {
    pub(crate) text: String,
    #[cfg_attr(not(feature = "gpu"), expect(dead_code, reason = "only a GPU reports lines"))]
    pub(crate) lines_before: u32,
}

/// Helpers of every kernel, after `params` and, where the domain is live, `domain_count`.
pub(crate) const HELPERS: &str = "\
fn zero_n() -> u32 { return params.zero_n; }
fn zn_zero() -> u32 { return params.zero_zero; }
fn zero_index(gid: vec3<u32>, nw: vec3<u32>) -> u32 { return gid.x + gid.y * (nw.x * 256u); }
fn zero_group(wid: vec3<u32>, nw: vec3<u32>) -> u32 { return wid.x + wid.y * nw.x; }
";

/// Binding numbers go up in the order of declaration; an append binding takes two.
pub(crate) fn binding_numbers(kernel: &Kernel) -> impl Iterator<Item = u32> {
    kernel.bindings().scan(0, |next, binding| {
        let number = *next;
        *next += if binding.access == Access::Append { 2 } else { 1 };
        Some(number)
    })
}

/// The number after the last binding's: the live count's. The params' is one more.
pub(crate) fn count_number(kernel: &Kernel) -> u32 {
    kernel
        .bindings()
        .map(|b| if b.access == Access::Append { 2 } else { 1 })
        .sum()
}

pub(crate) fn assemble<T: AsRef<str>>(kernel: &Kernel, options: &[T], live: bool) -> Result<Assembled> {
    let mut text = header(kernel, live);
    if uses_noise(kernel.source()) {
        text.push_str(zero_noise::WGSL);
        text.push('\n');
    }
    let lines_before = text.lines().count() as u32;
    text.push_str(&preprocess(kernel, options)?);
    if let Some(per_element) = kernel.per_element() {
        text.push_str(&around_element(kernel, per_element));
    }
    Ok(Assembled { text, lines_before })
}

pub(crate) fn uses_noise(source: &str) -> bool {
    source.lines().any(|line| line.trim() == "// @use zero_noise")
}

/// What reads the bindings of a per-element kernel, and its entry point.
pub(crate) fn around_element(kernel: &Kernel, per_element: &PerElement) -> String {
    let mut text = String::new();
    let columns = |binding: &&Binding| binding.access == Access::Read && binding.columns.is_none();
    for Binding { name, element, .. } in kernel.bindings().filter(columns) {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "fn {name}_at(i: u32, lane: u32) -> {element} {{ return {name}[i * params.{name}_lanes + lane]; }}"
        );
    }
    let (dst, inert) = (per_element.writes, literal(&per_element.inert));
    let _ = write!(
        text,
        "@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {{
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {{ return; }}
    for (var lane = 0u; lane < params.{dst}_lanes; lane += 1u) {{
        if (i < zero_live()) {{
            {dst}[i * params.{dst}_lanes + lane] = element(i, lane);
        }} else {{
            {dst}[i * params.{dst}_lanes + lane] = {inert};
        }}
    }}
}}
"
    );
    text
}

/// A param's value as WGSL writes it.
pub(crate) fn literal(value: &Param) -> String {
    match value {
        Param::F32(value) => format!("{value:?}f"),
        Param::I32(value) => format!("i32({value})"),
        Param::U32(value) => format!("{value}u"),
    }
}

pub(crate) fn header(kernel: &Kernel, live: bool) -> String {
    let mut text = String::new();
    let mut line = |s: String| {
        text.push_str(&s);
        text.push('\n');
    };
    for (binding, number) in kernel.bindings().zip(binding_numbers(kernel)) {
        let access = if binding.is_written() { "read_write" } else { "read" };
        let element = if binding.atomic {
            format!("atomic<{}>", binding.element)
        } else {
            binding.element.to_string()
        };
        line(format!(
            "@group(0) @binding({number}) var<storage, {access}> {}: array<{element}>;",
            binding.name
        ));
        if binding.access == Access::Append {
            let (number, name) = (number + 1, binding.name);
            line(format!(
                "@group(0) @binding({number}) var<storage, read_write> {name}_count: array<atomic<u32>>;"
            ));
        }
    }
    let number = count_number(kernel);
    if live && !binds_count(kernel) {
        line(format!(
            "@group(0) @binding({number}) var<storage, read> domain_count: array<u32>;"
        ));
    }
    let mut fields = String::from("zero_n: u32, zero_zero: u32, zero_groups: u32");
    for (name, param) in kernel.params() {
        // Writing to a String cannot fail.
        let _ = write!(fields, ", {name}: {}", param.element());
    }
    for binding in kernel.bindings() {
        let _ = write!(fields, ", {}_lanes: u32", binding.name);
    }
    fields.push_str(&table::shader::param_fields(kernel));
    line(format!("struct Params {{ {fields} }}"));
    line(format!(
        "@group(0) @binding({}) var<uniform> params: Params;",
        number + 1
    ));
    line(
        if live {
            "fn zero_live() -> u32 { return min(domain_count[0], params.zero_n); }"
        } else {
            "fn zero_live() -> u32 { return params.zero_n; }"
        }
        .to_owned(),
    );
    text.push_str(HELPERS);
    text.push_str(&table::shader::accessors(kernel));
    text
}

/// Whether the kernel binds the count of its domain by itself, under the name that it would have otherwise.
pub(crate) fn binds_count(kernel: &Kernel) -> bool {
    kernel.bindings().any(|binding| binding.name == "domain_count")
}

/// Drops the lines of `// @when NAME a|b` blocks whose options are not chosen. A dropped line stays as an empty one,
/// so that line numbers in messages are the author's.
pub(crate) fn preprocess<T: AsRef<str>>(kernel: &Kernel, options: &[T]) -> Result<String> {
    let bad = |number: usize, message: &str| Error::BadKernel {
        kernel: kernel.name().to_owned(),
        message: format!("line {number} of its WGSL: {message}"),
    };
    let mut out = String::with_capacity(kernel.source().len());
    let mut open: Vec<bool> = Vec::new();
    let mut last = 0;
    for (index, line) in kernel.source().lines().enumerate() {
        let number = index + 1;
        let trimmed = line.trim();
        last = number;
        if let Some(rest) = trimmed.strip_prefix("// @when ") {
            let mut words = rest.split_whitespace();
            let name = words.next().unwrap_or_default();
            let wanted = words.next().unwrap_or_default();
            let Some(at) = kernel.specializations().position(|s| s.name == name) else {
                return Err(bad(number, &format!("`{name}` is no specialization")));
            };
            let known = kernel.specializations().nth(at).map_or(&[][..], |s| s.options);
            if let Some(unknown) = wanted.split('|').find(|w| !known.contains(w)) {
                return Err(bad(number, &format!("`{name}` has no option `{unknown}`")));
            }
            let chosen = options
                .get(at)
                .map(AsRef::as_ref)
                .or_else(|| known.first().copied())
                .unwrap_or_default();
            open.push(wanted.split('|').any(|w| w == chosen));
        } else if trimmed == "// @end" {
            if open.pop().is_none() {
                return Err(bad(number, "`@end` without a `@when`"));
            }
        } else if open.iter().all(|kept| *kept) {
            out.push_str(line);
        }
        out.push('\n');
    }
    if open.is_empty() {
        Ok(out)
    } else {
        Err(bad(last, "a `@when` is not closed by `@end`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Element, Rule};

    static MODES: Kernel = Kernel::declare("modes")
        .write("dst", Element::F32, Rule::Domain)
        .append("hits", Element::U32, Rule::Domain)
        .specialize("MODE", &["add", "min", "max"])
        .wgsl("a\n// @when MODE add|max\nb\n// @end\nc");

    #[test]
    fn dropped_lines_keep_the_numbers_of_the_others() {
        let kept = preprocess(&MODES, &["max"]).unwrap();
        assert_eq!(kept, "a\n\nb\n\nc\n");
        let dropped = preprocess(&MODES, &["min"]).unwrap();
        assert_eq!(dropped, "a\n\n\n\nc\n");
        assert_eq!(
            preprocess::<&str>(&MODES, &[]).unwrap(),
            kept,
            "the first option is the default"
        );
    }

    #[test]
    fn bindings_are_numbered_in_order_with_the_params_last() {
        let text = header(&MODES, true);
        assert!(
            text.contains("@binding(0) var<storage, read_write> dst: array<f32>;"),
            "{text}"
        );
        assert!(
            text.contains("@binding(1) var<storage, read_write> hits: array<u32>;"),
            "{text}"
        );
        assert!(
            text.contains("@binding(2) var<storage, read_write> hits_count: array<atomic<u32>>;"),
            "{text}"
        );
        assert!(text.contains("@binding(3) var<storage, read> domain_count"), "{text}");
        assert!(text.contains("@binding(4) var<uniform> params"), "{text}");
    }

    #[test]
    fn unbalanced_and_unknown_blocks_are_refused_with_their_line() {
        let check = |source: &'static str, expected: &str| {
            let kernel = Kernel::declare("k").specialize("MODE", &["add"]).wgsl(source);
            let error = preprocess(&kernel, &["add"]).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        };
        check("x\n// @when MODE add\ny", "line 3 of its WGSL: a `@when` is not closed");
        check("// @end", "line 1 of its WGSL: `@end` without");
        check("// @when OTHER add\n// @end", "`OTHER` is no specialization");
        check("// @when MODE sub\n// @end", "`MODE` has no option `sub`");
    }
}
