//! Names that a declaration may use: they stand in WGSL.

use crate::kernel::{Access, Kernel};

/// What is wrong with a name that WGSL is to declare.
pub(crate) fn check(name: &str) -> Result<(), String> {
    let mut letters = name.chars();
    let first = letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    if !first || !letters.all(|c| c.is_ascii_alphanumeric() || c == '_') || name.starts_with("__") || name == "_" {
        return Err(format!(
            "`{}` is no name: letters, digits and `_`, a letter first",
            shown(name)
        ));
    }
    if name.starts_with("zero_") || name.starts_with("zn_") {
        return Err(format!(
            "`{}`: names that begin with `zero_` and `zn_` are taken",
            shown(name)
        ));
    }
    if RESERVED.binary_search(&name).is_ok() {
        return Err(format!("`{name}` is a word of WGSL or of the header in front of it"));
    }
    Ok(())
}

/// At most 40 characters of what an author wrote, for a message.
pub(crate) fn shown(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}

/// What is wrong with the names of a declaration: each binding, param and specialization has one of its own, and so has
/// what the header declares beside them.
pub(crate) fn fault(kernel: &Kernel) -> Option<String> {
    let bindings = || kernel.bindings().map(|binding| binding.name);
    let params = || kernel.params().map(|(name, _)| *name);
    let choices = kernel.specializations().map(|choice| choice.name);
    let given: Vec<&str> = bindings().chain(params()).chain(choices).collect();
    for (at, name) in given.iter().enumerate() {
        if given.iter().take(at).any(|other| other == name) {
            return Some(format!("`{name}` is declared twice"));
        }
    }
    if let Some(why) = bindings().chain(params()).find_map(|name| check(name).err()) {
        return Some(why);
    }
    // The counter of an append binding is a variable beside it, and the lanes of every binding a number beside the params.
    let appended = kernel.bindings().filter(|binding| binding.access == Access::Append);
    let mut beside =
        appended.filter_map(|b| Some((b.name, bindings().find(|name| *name == format!("{}_count", b.name))?)));
    if let Some((binding, name)) = beside.next() {
        return Some(format!("`{name}` is the name of the counter of `{binding}`"));
    }
    let mut beside = bindings().filter_map(|b| Some((b, params().find(|name| *name == format!("{b}_lanes"))?)));
    beside
        .next()
        .map(|(binding, name)| format!("`{name}` is the name of the lanes of `{binding}`"))
}

/// The keywords and reserved words of WGSL (sections 15.1 and 15.2 of its specification), the types and functions that
/// generated code names, and what the header declares; sorted.
const RESERVED: &[&str] = &[
    "NULL",
    "Params",
    "Self",
    "abstract",
    "active",
    "alias",
    "alignas",
    "alignof",
    "array",
    "as",
    "asm",
    "asm_fragment",
    "async",
    "atomic",
    "atomicAdd",
    "attribute",
    "auto",
    "await",
    "become",
    "bitcast",
    "bool",
    "break",
    "case",
    "cast",
    "catch",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "coherent",
    "column_major",
    "common",
    "compile",
    "compile_fragment",
    "concept",
    "const",
    "const_assert",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "continuing",
    "crate",
    "debugger",
    "decltype",
    "default",
    "delete",
    "demote",
    "demote_to_helper",
    "diagnostic",
    "discard",
    "do",
    "dynamic_cast",
    "else",
    "enable",
    "enum",
    "explicit",
    "export",
    "extends",
    "extern",
    "external",
    "f16",
    "f32",
    "fallthrough",
    "false",
    "filter",
    "final",
    "finally",
    "fn",
    "for",
    "friend",
    "from",
    "fxgroup",
    "get",
    "goto",
    "groupshared",
    "highp",
    "i32",
    "if",
    "impl",
    "implements",
    "import",
    "inline",
    "instanceof",
    "interface",
    "layout",
    "let",
    "loop",
    "lowp",
    "macro",
    "macro_rules",
    "main",
    "match",
    "mediump",
    "meta",
    "min",
    "mod",
    "module",
    "move",
    "mut",
    "mutable",
    "namespace",
    "new",
    "nil",
    "noexcept",
    "noinline",
    "nointerpolation",
    "non_coherent",
    "noncoherent",
    "noperspective",
    "null",
    "nullptr",
    "of",
    "operator",
    "override",
    "package",
    "packoffset",
    "params",
    "partition",
    "pass",
    "patch",
    "pixelfragment",
    "precise",
    "precision",
    "premerge",
    "priv",
    "protected",
    "pub",
    "public",
    "readonly",
    "ref",
    "regardless",
    "register",
    "reinterpret_cast",
    "require",
    "requires",
    "resource",
    "restrict",
    "return",
    "self",
    "set",
    "shared",
    "sizeof",
    "smooth",
    "snorm",
    "static",
    "static_assert",
    "static_cast",
    "std",
    "struct",
    "subroutine",
    "super",
    "switch",
    "target",
    "template",
    "this",
    "thread_local",
    "throw",
    "trait",
    "true",
    "try",
    "type",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "u32",
    "union",
    "unless",
    "unorm",
    "unsafe",
    "unsized",
    "use",
    "using",
    "var",
    "varying",
    "vec2",
    "vec3",
    "vec4",
    "virtual",
    "volatile",
    "wgsl",
    "where",
    "while",
    "with",
    "writeonly",
    "yield",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_wgsl_takes() {
        for good in ["a", "a1", "_a", "shapeKind", "from_points"] {
            assert_eq!(check(good), Ok(()));
        }
        for bad in [
            "", "1a", "a-b", "_", "__a", "zero_n", "zn_mul", "fn", "from", "params", "ä",
        ] {
            assert!(check(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_reserved_words_are_sorted_and_those_of_the_compiler() {
        assert!(RESERVED.is_sorted());
        for word in RESERVED {
            assert!(check(word).is_err(), "{word}");
        }
        // naga's list goes on with the names of types, which a binding may shadow.
        let words = naga::keywords::wgsl::RESERVED;
        let end = words.iter().position(|word| *word == "yield").unwrap();
        for word in &words[..=end] {
            assert!(check(word).is_err(), "{word}");
        }
    }
}
