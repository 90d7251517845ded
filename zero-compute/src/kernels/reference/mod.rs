//! The reference of every shipped kernel, KERNELS.md and the pages that it lists: written from the declarations and from
//! [`meaning`], and held to both.
//! `ZERO_BLESS=1 cargo test -p zero-compute --lib reference` writes it anew.

mod meaning;
mod pages;

use super::ALL;
use crate::kernel::{Access, Binding, Cpu, Determinism, Extent, Groups, Kernel, Param, Rule, Width};
use crate::{Args, CpuOptions, Device, Domain, Element};
use meaning::{Past, WORDS};
use pages::{PAGES, Page};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The kernels that no family has.
static MOVES: &[&Kernel] = &[
    &crate::moves::FILL,
    &crate::moves::EMPTY,
    &crate::moves::COPY,
    &crate::moves::PACK,
    &crate::moves::PACK_SLICES,
    &crate::guard::GUARD,
];

/// Every kernel that a page is to say something of.
fn listed() -> impl Iterator<Item = &'static Kernel> {
    ALL.iter().chain(MOVES).copied()
}

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_pages_say_what_the_declarations_say() {
    let mut texts: Vec<(PathBuf, String)> = vec![(folder().join("KERNELS.md"), pages::index(&listed_on))];
    texts.extend(PAGES.iter().map(|page| (path_of(page), text_of(page))));
    let bless = std::env::var_os("ZERO_BLESS").is_some();
    for (path, text) in &texts {
        if bless {
            std::fs::write(path, text).unwrap();
        }
        let kept = std::fs::read_to_string(path).unwrap();
        assert!(
            kept == *text,
            "{} is not what the kernels declare: bless it",
            path.display()
        );
    }
    let mut kept: Vec<PathBuf> = std::fs::read_dir(folder().join("kernels"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    kept.sort();
    let mut written: Vec<PathBuf> = PAGES.iter().map(path_of).collect();
    written.sort();
    assert_eq!(kept, written, "a page that nothing writes");
}

fn path_of(page: &Page) -> PathBuf {
    folder().join("kernels").join(page.file)
}

/// The kernels of a page, in the order in which they are listed.
fn listed_on(page: &Page) -> Vec<&'static Kernel> {
    listed().filter(|kernel| page.kernels.contains(&base(kernel))).collect()
}

#[test]
fn every_kernel_is_on_one_page() {
    for kernel in listed() {
        let pages = PAGES.iter().filter(|page| page.kernels.contains(&base(kernel)));
        assert_eq!(pages.count(), 1, "{}", kernel.name());
    }
    for name in PAGES.iter().flat_map(|page| page.kernels) {
        assert!(listed().any(|kernel| base(kernel) == *name), "no kernel `{name}`");
    }
}

/// The rows of [`WORDS`] that are of a kernel.
fn rows(kernel: &Kernel) -> impl Iterator<Item = &'static meaning::Words> {
    let name = base(kernel);
    WORDS.iter().filter(move |words| words.kernels.contains(&name))
}

fn meaning_of(kernel: &Kernel, param: &str) -> Vec<&'static str> {
    let all = rows(kernel).flat_map(|words| words.params);
    all.filter(|(name, _)| *name == param).map(|(_, said)| *said).collect()
}

fn past_of(kernel: &Kernel, binding: &str) -> Vec<Past> {
    let all = rows(kernel).flat_map(|words| words.past);
    all.filter(|(name, _)| *name == binding)
        .map(|(_, past)| *past)
        .collect()
}

/// Whether an output has an element for each of the domain, of which some may be past the live count.
fn is_over_the_domain(binding: &Binding) -> bool {
    match binding.access {
        Access::Read | Access::Append | Access::Scratch => false,
        Access::InOut => true,
        Access::Write => matches!(
            binding.rule,
            Some(Rule::Domain | Rule::Lanes(_) | Rule::LanesOf(_) | Rule::Same(_))
        ),
    }
}

#[test]
fn every_param_and_every_inert_value_is_said_once() {
    for kernel in listed() {
        for (param, _) in kernel.params() {
            let said = meaning_of(kernel, param);
            assert_eq!(said.len(), 1, "`{param}` of {}: {said:?}", kernel.name());
        }
        for binding in kernel.bindings() {
            // A per-element kernel declares its own.
            let expected = usize::from(is_over_the_domain(binding) && kernel.per_element().is_none());
            let said = past_of(kernel, binding.name);
            assert_eq!(
                said.len(),
                expected,
                "`{}` of {}: {said:?}",
                binding.name,
                kernel.name()
            );
        }
    }
    for words in WORDS {
        let kernels = || listed().filter(|kernel| words.kernels.contains(&base(kernel)));
        for name in words.kernels {
            assert!(listed().any(|kernel| base(kernel) == *name), "no kernel `{name}`");
        }
        for (param, _) in words.params {
            let is_known = kernels().any(|kernel| kernel.params().any(|(name, _)| name == param));
            assert!(is_known, "{:?} have no `{param}`", words.kernels);
        }
        for (output, _) in words.past {
            let is_known = kernels().any(|kernel| kernel.bindings().any(|binding| binding.name == *output));
            assert!(is_known, "{:?} have no `{output}`", words.kernels);
        }
    }
}

/// Elements of the domain of the test below.
const N: u32 = 9;

/// Over a live count of 0 all elements are past it. What is read is zeros, and what is written stood as other words.
#[test]
fn kernels_write_the_inert_values_that_are_said() {
    const STOOD: u32 = 0x5a5a_5a5a;
    let device = Device::cpu(CpuOptions::default());
    let mut checked = 0;
    for kernel in ALL {
        let mut expected = Vec::new();
        for binding in kernel.bindings().filter(|binding| is_over_the_domain(binding)) {
            let past = match kernel.per_element() {
                Some(per_element) => vec![match per_element.inert {
                    Param::I32(value) => Past::I(value),
                    Param::U32(value) => Past::I(value.cast_signed()),
                    Param::F32(value) => Past::F(value),
                }],
                None => past_of(kernel, binding.name),
            };
            expected.extend(past.into_iter().map(|past| (binding.name, past)));
        }
        let is_checked = |past: &Past| !matches!(past, Past::Says(_) | Past::All);
        if !expected.iter().any(|(_, past)| is_checked(past)) {
            continue;
        }
        let mut rec = device.record("inert");
        let mut args = Args::new();
        for binding in kernel
            .bindings()
            .filter(|b| matches!(b.access, Access::Read | Access::InOut))
        {
            let lanes = binding.lanes.map_or(1, |lanes| lanes.least);
            let column = device.column(binding.element, lanes, N).unwrap();
            if binding.access == Access::InOut {
                rec.fill(&column, STOOD).unwrap();
            }
            args = args.with(binding.name, column);
        }
        let none = device.column(Element::U32, 1, 1).unwrap();
        let done = rec.dispatch(*kernel, args, Domain::live(&none, N)).unwrap();
        rec.finish().unwrap().submit().unwrap();
        for (name, past) in expected.iter().filter(|(_, past)| is_checked(past)) {
            let column = crate::moves::bits_of(&done.column(name).unwrap());
            let lanes = column.lanes() as usize;
            let found = column.read::<u32>().unwrap().wait().unwrap();
            let is_float = kernel.bindings().any(|b| b.name == *name && b.element == Element::F32);
            for (word, found) in found.into_iter().enumerate() {
                let expected = match past {
                    Past::I(0) if is_float => 0.0f32.to_bits(),
                    Past::I(value) => value.cast_unsigned(),
                    Past::F(value) => value.to_bits(),
                    Past::Own => (word / lanes) as u32,
                    Past::Stands => STOOD,
                    Past::Says(_) | Past::All => continue,
                };
                assert_eq!(found, expected, "`{name}` of {} at {word}", kernel.name());
            }
            checked += 1;
        }
    }
    assert!(checked > 100, "{checked} outputs");
}

/// The lines of a folder's files (and of its folders', if told so) that declare a kernel for good.
fn declarations(folder: &Path, deep: bool) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && deep {
            found.extend(declarations(&path, deep));
        } else if path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("reference/mod.rs") {
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

/// The whole page.
fn text_of(page: &Page) -> String {
    let mut text = format!(
        "# {}\n\nSee [KERNELS.md](../KERNELS.md) for how to read this page.\n\n{}\n",
        page.title, page.about
    );
    write_all(&mut text, &listed_on(page));
    text.push_str(&(page.more)());
    text
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
        let _ = writeln!(
            text,
            "{} {} {shape} {}",
            binding.name,
            access(binding),
            past(kernel, binding)
        );
    }
    let _ = write_facts(&mut text, kernel);
    text
}

fn write_kernels(page: &mut String, variants: &[&Kernel]) -> std::fmt::Result {
    let Some(first) = variants.first() else { return Ok(()) };
    let names: Vec<String> = variants.iter().map(|kernel| format!("`{}`", kernel.name())).collect();
    writeln!(page, "\n## {}\n", names.join(", "))?;
    writeln!(
        page,
        "| binding | access | element | shape | past the live count |\n|---|---|---|---|---|"
    )?;
    for (at, binding) in first.bindings().enumerate() {
        let (access, shape) = (access(binding), shape_of(binding));
        let elements = variants.iter().filter_map(|kernel| kernel.bindings().nth(at));
        let mut elements: Vec<String> = elements.map(|binding| binding.element.to_string()).collect();
        if elements.iter().all(|element| Some(element) == elements.first()) {
            elements.truncate(1);
        }
        let elements = elements.join(", ");
        let past = past(first, binding);
        writeln!(
            page,
            "| `{}` | {access} | {elements} | {shape} | {past} |",
            binding.name
        )?;
    }
    writeln!(page)?;
    write_facts(page, first)
}

fn write_facts(page: &mut String, kernel: &Kernel) -> std::fmt::Result {
    if kernel.params().next().is_some() {
        writeln!(page, "| param | default | meaning |\n|---|---|---|")?;
    }
    for (name, default) in kernel.params() {
        let default = match default {
            Param::F32(value) => format!("{value:?} f32"),
            Param::I32(value) => format!("{value} i32"),
            Param::U32(value) => format!("{value} u32"),
        };
        writeln!(
            page,
            "| `{name}` | {default} | {} |",
            meaning_of(kernel, name).join("; ")
        )?;
    }
    if kernel.params().next().is_some() {
        writeln!(page)?;
    }
    for choice in kernel.specializations() {
        let options: Vec<String> = choice.options.iter().map(|option| format!("`{option}`")).collect();
        writeln!(page, "- specialization `{}`: {}", choice.name, options.join(", "))?;
    }
    writeln!(page, "- {}. {}", determinism(kernel.class()), work(kernel))
}

/// What an output holds past the live count.
fn past(kernel: &Kernel, binding: &Binding) -> String {
    if binding.access == Access::Append {
        return match binding.fills {
            Some(Param::I32(inert)) => inert.to_string(),
            Some(Param::U32(inert)) => inert.to_string(),
            Some(Param::F32(inert)) => format!("{inert:?}"),
            None => "0".to_owned(),
        };
    }
    if let Some(per_element) = kernel.per_element()
        && binding.is_written()
    {
        return match per_element.inert {
            Param::I32(inert) => inert.to_string(),
            Param::U32(inert) => inert.to_string(),
            // The kernels of one section may have other elements.
            Param::F32(0.0) => "0".to_owned(),
            Param::F32(inert) => format!("{inert:?}"),
        };
    }
    let said = past_of(kernel, binding.name);
    said.iter().map(Past::to_string).collect::<Vec<_>>().join(", ")
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
    let any = (binding.access == Access::Read && binding.columns.is_none()).then(|| "any lanes".to_owned());
    let lanes = binding.lanes.map(|lanes| lanes.to_string()).or(any);
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
