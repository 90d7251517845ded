//! KERNELS.md, the reference of every shipped kernel: written from the declarations alone, and held to them.
//! `ZERO_BLESS=1 cargo test -p zero-compute --lib reference` writes it anew.

use super::ALL;
use crate::kernel::{Access, Binding, Cpu, Determinism, Extent, Groups, Kernel, Param, Rule, Width};
use std::fmt::Write as _;
use std::path::Path;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/KERNELS.md");

const HEAD: &str = "# Kernels

What each shipped kernel binds, takes and promises, written from its declaration. The functions that record them, with
what they mean and refuse, are in the documentation of `zero_compute::kernels`.

`n` is the number of elements of the domain. A binding without a shape is the caller's own column, of any lanes where none are
stated. Kernels that differ in their elements alone share a section, their names and elements in the same order. *Buffers* are
the storage buffers of the widest pass, params and counters not among them. On the CPU a kernel of *ranges* is spread over the
threads of the pool in slices of 65 536 elements; a *whole* one does as it likes. *Exact* is the same bits on every device.
What is computed *per element* may be fused; what it reads of its own element only is then handed over without a buffer.
";

const OWN: &str = "
# Moves and guards

What a recorder dispatches of its own: for `fill`, `copy`, `copy_into` and the counters of append bindings, for tables of
columns and the leaves past the fifth of a field program, and for guards.
";

/// The kernels that no family has.
static MOVES: &[&Kernel] = &[
    &crate::moves::FILL,
    &crate::moves::COPY,
    &crate::moves::PACK,
    &crate::moves::PACK_SLICES,
    &crate::guard::GUARD,
];

#[test]
fn the_page_says_what_the_declarations_say() {
    let page = page();
    if std::env::var_os("ZERO_BLESS").is_some() {
        std::fs::write(PAGE, &page).unwrap();
    }
    let kept = std::fs::read_to_string(PAGE).unwrap();
    assert!(kept == page, "KERNELS.md is not what the kernels declare: bless it");
}

/// The lines of a folder's files (and of its folders', if told so) that declare a kernel for good.
fn declarations(folder: &Path, deep: bool) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && deep {
            found.extend(declarations(&path, deep));
        } else if path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("reference.rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            // What is indented is declared by a test, and what is commented by an example.
            let declares = |line: &&str| {
                let line = line.strip_prefix("pub ").unwrap_or(line);
                let line = line.strip_prefix("pub(crate) ").unwrap_or(line);
                line.starts_with("static ") && line.contains(": Kernel =")
            };
            found.extend(text.lines().filter(declares).map(str::to_owned));
        }
    }
    found
}

/// A kernel that the lists lack would be in no reference and no sweep over all of them.
#[test]
fn every_kernel_that_is_declared_is_listed_once() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let families = declarations(&source.join("kernels"), false).len();
    let names: std::collections::BTreeSet<&str> = ALL.iter().map(|kernel| kernel.name()).collect();
    assert_eq!((ALL.len(), names.len()), (families, families));
    // The probe of a GPU's arithmetic runs once, when a device is opened.
    let all = declarations(&source, true);
    assert!(all.iter().any(|line| line.contains("static PROBE")), "{all:?}");
    assert_eq!(all.len() - 1 - families, MOVES.len(), "{all:?}");
    assert!(MOVES.iter().all(|kernel| !names.contains(kernel.name())));
}

fn page() -> String {
    let mut page = HEAD.to_owned();
    write_all(&mut page, ALL);
    page.push_str(OWN);
    write_all(&mut page, MOVES);
    page
}

fn write_all(page: &mut String, kernels: &[&Kernel]) {
    for variants in kernels.chunk_by(|a, b| base(a) == base(b) && rest(a) == rest(b)) {
        // Writing to a String cannot fail.
        let _ = write_kernels(page, variants);
    }
}

/// The name without the element that it ends on.
fn base(kernel: &Kernel) -> &'static str {
    let name = kernel.name();
    ["_f32", "_i32", "_u32"]
        .iter()
        .find_map(|ending| name.strip_suffix(ending))
        .unwrap_or(name)
}

/// All that is said of a kernel but its name and its elements.
fn rest(kernel: &Kernel) -> String {
    let mut text = String::new();
    for binding in kernel.bindings() {
        let shape = shape_of(binding);
        let _ = writeln!(text, "{} {} {shape}", binding.name, access(binding));
    }
    let _ = write_facts(&mut text, kernel);
    text
}

fn write_kernels(page: &mut String, variants: &[&Kernel]) -> std::fmt::Result {
    let Some(first) = variants.first() else { return Ok(()) };
    let names: Vec<String> = variants.iter().map(|kernel| format!("`{}`", kernel.name())).collect();
    writeln!(page, "\n## {}\n", names.join(", "))?;
    writeln!(page, "| binding | access | element | shape |\n|---|---|---|---|")?;
    for (at, binding) in first.bindings().enumerate() {
        let (access, shape) = (access(binding), shape_of(binding));
        let elements = variants.iter().filter_map(|kernel| kernel.bindings().nth(at));
        let mut elements: Vec<String> = elements.map(|binding| binding.element.to_string()).collect();
        if elements.iter().all(|element| Some(element) == elements.first()) {
            elements.truncate(1);
        }
        let elements = elements.join(", ");
        writeln!(page, "| `{}` | {access} | {elements} | {shape} |", binding.name)?;
    }
    writeln!(page)?;
    write_facts(page, first)
}

fn write_facts(page: &mut String, kernel: &Kernel) -> std::fmt::Result {
    let params = kernel.params().map(|(name, default)| match default {
        Param::F32(value) => format!("`{name}` (f32, {value:?})"),
        Param::I32(value) => format!("`{name}` (i32, {value})"),
        Param::U32(value) => format!("`{name}` (u32, {value})"),
    });
    let params: Vec<String> = params.collect();
    if !params.is_empty() {
        writeln!(page, "- params with their defaults: {}", params.join(", "))?;
    }
    for choice in kernel.specializations() {
        let options: Vec<String> = choice.options.iter().map(|option| format!("`{option}`")).collect();
        writeln!(page, "- specialization `{}`: {}", choice.name, options.join(", "))?;
    }
    writeln!(page, "- {}. {}", determinism(kernel.class()), work(kernel))
}

fn access(binding: &Binding) -> &'static str {
    match (binding.access, binding.atomic) {
        _ if binding.columns.is_some() => "a table of columns, read",
        (_, true) => "changed by atomic operations",
        (Access::Read, _) => "read",
        (Access::Write, _) => "written",
        (Access::InOut, _) => "changed in place",
        (Access::Append, _) => "appended, with a counter",
        (Access::Scratch, _) => "workspace of the GPU",
    }
}

fn shape_of(binding: &Binding) -> String {
    let elements = match (binding.access, binding.rule) {
        (Access::Read, Some(_)) => Some("`n` or more".to_owned()),
        (_, rule) => rule.map(shape),
    };
    let lanes = binding.lanes.map(|lanes| lanes.to_string());
    elements.into_iter().chain(lanes).collect::<Vec<_>>().join(", ")
}

fn shape(rule: Rule) -> String {
    match rule {
        Rule::Domain => "`n`".to_owned(),
        Rule::Same(other) => format!("that of `{other}`"),
        Rule::LanesOf(other) => format!("`n`, lanes of `{other}`"),
        Rule::One => "1".to_owned(),
        Rule::OneOf(other) => format!("1, lanes of `{other}`"),
        Rule::CeilDiv(k) => format!("`ceil(n / {k})`"),
        Rule::Lanes(lanes) => format!("`n`, {lanes} lanes"),
        Rule::DivScaled { per, times } => format!("`ceil(n / {per}) * {times}`"),
        Rule::Sized { elements, lanes } => {
            let elements = match elements {
                Extent::Domain { per, times } => format!("`ceil(n / {per}) * {times}`"),
                Extent::Count(count) => count.to_string(),
                Extent::Of(other) => format!("elements of `{other}`"),
                Extent::Param(name) => format!("`{name}`"),
                Extent::TimesParam(name) => format!("`n * {name}`"),
            };
            match lanes {
                Width::Lanes(lanes) => format!("{elements}, {lanes} lanes"),
                Width::Of(other) => format!("{elements}, lanes of `{other}`"),
            }
        }
    }
}

fn determinism(class: Determinism) -> String {
    match class {
        Determinism::Exact => "exact".to_owned(),
        Determinism::Pointwise { ulps } => format!("pointwise: within {ulps} ulps of the largest intermediate"),
        Determinism::FloatOrder { bound } => {
            format!(
                "sums in any order: within {:?} over 1 000 numbers of at most 1",
                bound(1000, 1.0)
            )
        }
    }
}

fn work(kernel: &Kernel) -> String {
    let passes: Vec<String> = kernel
        .passes()
        .map(|pass| match pass.groups {
            Groups::One => format!("`{}` (1 workgroup)", pass.entry),
            Groups::PerElements(k) => format!("`{}` (a workgroup each {k} elements)", pass.entry),
        })
        .collect();
    let gpu = match passes.is_empty() {
        true => "1 pass".to_owned(),
        false => passes.join(", then "),
    };
    let widest = kernel.passes().map(|pass| pass.uses.len()).max();
    let buffers = widest.unwrap_or_else(|| kernel.bindings().count());
    let cpu = match kernel.twin() {
        Some(Cpu::Ranges(_)) => "ranges",
        Some(Cpu::Whole(_)) => "whole",
        None => "none",
    };
    let plural = if buffers == 1 { "" } else { "s" };
    format!("GPU: {gpu}; {buffers} buffer{plural}. CPU: {cpu}{}", fusion(kernel))
}

fn fusion(kernel: &Kernel) -> String {
    let Some(per_element) = kernel.per_element() else {
        return String::new();
    };
    let own: Vec<String> = per_element.own.iter().map(|name| format!("`{name}`")).collect();
    match own.is_empty() {
        true => ". Per element".to_owned(),
        false => format!(". Per element, of its own {}", own.join(", ")),
    }
}
