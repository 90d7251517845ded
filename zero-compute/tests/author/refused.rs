//! What is refused, each with its file, line and column.

use crate::{body, folder, load};
use zero_compute::author::{Includes, Loader, SourceFile};
use zero_compute::*;

/// A `bindings.yaml` is refused at the place that `^` marks in it, with what the message begins with.
fn refused(marked: &str, expected: &str) {
    let (before, after) = marked.split_once('^').unwrap();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let error = load(&format!("{before}{after}"), &body("")).map(|_| ()).unwrap_err();
    assert!(matches!(error, Error::BadSource { .. }), "{error:?}");
    let (error, expected) = (
        error.to_string(),
        format!("k/bindings.yaml:{line}:{column}: {expected}"),
    );
    assert!(error.starts_with(&expected), "{marked}\n{error}\n{expected}");
}

fn bindings(line: &str, expected: &str) {
    refused(&format!("version: 1\nbindings:\n- {{ {line} }}\n"), expected);
}

fn specialize(lines: &str, expected: &str) {
    refused(&format!("version: 1\nspecialize:\n{lines}\n"), expected);
}

#[test]
fn what_is_no_file_of_this_format() {
    refused("^bindings: []\n", "missing field `version`");
    refused("version: ^2\n", "version 2 of this format is not known; write 1");
    refused("version: 1\n^binding: []\n", "unknown field `binding`, expected one of");
    refused("version: 1\n^\tbindings: []\n", "");
    refused("version: 1\n^version: 1\n", "");
    refused("version: 1\nbindings: ^&a []\n", "anchors");
    refused("version: 1\ndeterminism: ^exactly\n", "unknown variant `exactly`");
    refused("version: 1\ndeterminism: ^{ pointwise: 0 }\n", "within 0 ulps is exact");
    refused(&format!("^version: 1\ndescription: {}\n", "x".repeat(70_000)), "");
}

#[test]
fn bindings_that_contradict_themselves() {
    bindings("^access: read", "missing field `name`");
    bindings("name: a, element: f32, ^acces: read", "unknown field `acces`");
    bindings("name: a, element: f32, access: ^reed", "unknown variant `reed`");
    bindings("name: a, element: f32, kind: ^texture", "unknown variant `texture`");
    bindings("name: ^a", "`a` needs an `element`: f32, i32 or u32");
    bindings("name: a, element: ^f64", "`f64` is no element");
    bindings("name: ^1a, element: f32", "`1a` is no name");
    bindings("name: ^zero_a, element: f32", "`zero_a`: names that begin with `zero_`");
    bindings("name: ^params, element: f32", "`params` is a word of WGSL");
    bindings(
        "name: a, element: f32, count: ^n",
        "`a`: a column that is read has the size",
    );
    bindings(
        "name: a, element: f32, access: write, count: n, capacity: ^n",
        "`a`: it has `count` or `capacity`, not both",
    );
    bindings(
        "name: a, element: f32, access: write, count: ^m",
        "`m` is no size of `a`",
    );
    bindings(
        "name: a, element: f32, access: write, count: ^a",
        "the size of `a` is that of `a` itself",
    );
    bindings(
        "name: a, element: f32, access: write, lanes: ^3",
        "`a`: `lanes` goes with",
    );
    bindings(
        "name: a, element: f32, access: read, lanes: ^0",
        "`0` is no number of lanes of `a`; a column that is bound has 1 to 1024",
    );
    bindings(
        "name: a, element: f32, access: write, count: n, lanes: ^0",
        "`0` is no number of lanes",
    );
    bindings("name: ^a, element: f32, access: append", "`a`: it needs a `capacity`");
    bindings(
        "name: a, element: f32, kind: append, access: ^read",
        "`a`: a binding of kind `append`",
    );
    bindings("name: ^a, element: f32, access: scratch", "`a`: it needs a `capacity`");
    bindings(
        "name: a, element: f32, atomic: ^true, access: read_write",
        "`a`: WGSL has no atomic floats",
    );
    bindings(
        "name: a, element: i32, atomic: ^true",
        "`a`: what is changed by atomic operations",
    );
    bindings(
        "name: a, element: f32, order: ^\"x y\"",
        "`a`: `order` is that of a table",
    );
    bindings(
        "name: a, element: f32, when: ^\"COUNT=device\"",
        "`COUNT` is no specialization",
    );
    bindings(
        "name: ^domain_count, element: f32",
        "`domain_count`: the count of the domain is a buffer of u32",
    );
    bindings(
        "name: ^domain_count, element: u32, access: write, count: n",
        "`domain_count`: the count of the domain is",
    );
}

#[test]
fn tables_that_are_none() {
    bindings(
        "name: a, kind: columns, element: ^f32",
        "`a`: a table holds columns of any element",
    );
    bindings(
        "name: ^a, kind: columns, access: write",
        "`a`: a table of columns is read",
    );
    bindings("name: a, kind: columns, order: ^\"\"", "`a`: its order names no column");
    bindings(
        "name: a, kind: columns, order: ^\"x y x\"",
        "`a`: the column `x` is in its order twice",
    );
    bindings("name: a, kind: columns, order: ^\"x 2\"", "`2` is no name");
    bindings("name: a, kind: columns, count: ^n", "`a`: a column that is read");
    bindings(
        "name: ^domain_count, kind: columns",
        "`domain_count`: the count of the domain is no table",
    );
    let many: Vec<String> = (0..65).map(|n| format!("c{n}")).collect();
    bindings(
        &format!("name: a, kind: columns, order: ^\"{}\"", many.join(" ")),
        "`a`: a table has at most 64 columns that are named, here 65",
    );
}

#[test]
fn fusion_that_does_not_stand() {
    let fusion = |line: &str, expected: &str| {
        let text = "version: 1
bindings:
- { name: a, element: f32 }
- { name: dst, element: i32, access: write, count: n }
fusion: ";
        refused(&format!("{text}{line}\n"), expected);
    };
    fusion("{ ^own: a }", "missing field `writes`");
    fusion(
        "^{ writes: a }",
        "a per-element kernel writes one binding and changes none, here `a`",
    );
    fusion(
        "^{ writes: dst, own: b }",
        "`b` is read at its own element, and is no column",
    );
    fusion("{ writes: dst, inert: ^0.5 }", "`0.5` is no value of i32");
    fusion("{ writes: dst, ^guard: x }", "unknown field `guard`");
}

#[test]
fn names_that_are_there_twice() {
    let two = |a: &str, b: &str| {
        format!("version: 1\nbindings:\n- {{ name: {a}, element: f32 }}\nparams:\n- {{ name: ^{b}, type: float }}\n")
    };
    refused(&two("a", "a"), "`a` is here a second time; line 3 declares it");
    refused(&two("a", "a_lanes"), "`a_lanes` is here a second time");
    refused(&two("a", "a_get"), "`a_get` is here a second time");
    refused(
        "version: 1\nbindings:\n- { name: h, kind: append, element: f32, capacity: n }\n- { name: ^h_count, element: u32 }\n",
        "`h_count` is here a second time",
    );
    refused(
        "version: 1\nparams:\n- { name: N, type: int }\nspecialize:\n- { name: ^N, options: [a] }\n",
        "`N` is here a second time",
    );
}

#[test]
fn params_and_specializations_that_are_none() {
    let params = |line: &str, expected: &str| refused(&format!("version: 1\nparams:\n- {{ {line} }}\n"), expected);
    params("^name: a", "missing field `type`");
    params("name: a, type: ^double", "unknown variant `double`");
    params(
        "name: a, type: float, default: ^wide",
        "the default of `a` is a finite number, not `wide`",
    );
    params(
        "name: a, type: float, default: ^\"inf\"",
        "the default of `a` is a finite number",
    );
    params(
        "name: a, type: int, default: ^1.5",
        "the default of `a` is a whole number of 32 bits, not `1.5`",
    );
    params(
        "name: a, type: uint, default: ^-1",
        "the default of `a` is a whole number of 32 bits from 0",
    );
    params(
        "name: a, type: bool, default: ^2",
        "the default of `a` is true or false",
    );
    specialize("- { name: A, options: ^[] }", "`A` has 1 to 64 options, here 0");
    specialize("- { name: A, options: [a, b, ^a] }", "the option `a` is here twice");
    specialize("- { name: A, options: [^a b] }", "`a b` is no option");
    specialize(
        "- { name: A, options: [a], default: ^b }",
        "`A` has no option `b`; it has a",
    );
    let marked = |n: u32, at: u32| if n == at { "^" } else { "" };
    let seven: Vec<String> = (0..7)
        .map(|n| format!("- {{ name: {}A{n}, options: [a] }}", marked(n, 6)))
        .collect();
    specialize(&seven.join("\n"), "a kernel has at most 6 specializations");
    let many: Vec<String> = (0..33)
        .map(|n| format!("- {{ name: {}p{n}, type: float }}", marked(n, 32)))
        .collect();
    refused(
        &format!("version: 1\nparams:\n{}\n", many.join("\n")),
        "a kernel has at most 32 params",
    );
    let many: Vec<String> = (0..17)
        .map(|n| format!("- {{ name: {}b{n}, element: f32 }}", marked(n, 16)))
        .collect();
    refused(
        &format!("version: 1\nbindings:\n{}\n", many.join("\n")),
        "a kernel binds at most 16 columns, here 17",
    );
}

#[test]
fn elements_that_are_chosen_are_elements() {
    let two = |options: &str, expected: &str| {
        let text =
            format!("version: 1\nbindings:\n- {{ name: a, element: ^T }}\nspecialize:\n- {{ name: T{options} }}\n");
        refused(&text, expected);
    };
    two(
        ", options: [f32, f64]",
        "`T` is an element where its options are f32, i32 or u32",
    );
    two(", default: f32", "`T` is an element where its options are");
    refused(
        "version: 1\nbindings:\n- { name: a, element: T, access: read_write, atomic: ^true }\nspecialize:\n- { name: T, options: [i32, f32] }\n",
        "`a`: WGSL has no atomic floats",
    );
}

#[test]
fn a_size_of_what_a_variant_does_not_bind() {
    refused(
        "version: 1
bindings:
- { name: src, element: f32, when: \"MODE=with\" }
- { name: ^dst, element: f32, access: write, count: src }
specialize:
- { name: MODE, options: [without, with] }
",
        "the size of `dst` is that of `src`, which is not bound here (MODE=without)",
    );
}

const TWO: &str = "version: 1
bindings:
- { name: src, access: read, element: f32 }
- { name: dst, access: write, element: f32, count: n }
";

/// The WGSL is refused with what the whole message begins with.
fn wgsl(text: &str, expected: &str) {
    let error = load(TWO, text).map(|_| ()).unwrap_err().to_string();
    assert!(error.starts_with(expected), "{text}\n{error}");
}

#[test]
fn wgsl_that_does_not_stand() {
    wgsl(&body("dst[i] = src[i] +;"), "k/sample.wgsl:4:22: ");
    wgsl(&body("dst[i] = sauce[i];"), "k/sample.wgsl:4:14: ");
    // A column is that of the character, whatever bytes stand before it.
    wgsl(&body("/* für 🌊 */ dst[i] = sauce[i];"), "k/sample.wgsl:4:26: ");
    wgsl(&body("\n\n    dst[i] = 1u;"), "k/sample.wgsl:6:");
    wgsl(&body("src[i] = 1.0;"), "k/sample.wgsl:4:");
    wgsl("", "k/sample.wgsl:1:1: there is no entry point `main`");
    wgsl(
        "fn f() {}\n\nfn main() {}",
        "k/sample.wgsl:3:1: there is no entry point `main`",
    );
    wgsl(
        "@compute @workgroup_size(8, 8)\nfn main() {}",
        "k/sample.wgsl:2:1: a workgroup of `main` is 256 x 1 x 1",
    );
    // A name that the header has already: the author's own line, not the generated one.
    wgsl("\nfn dst() {}\n", "k/sample.wgsl:2:4: ");
    wgsl(
        &format!("{}\nfn f() -> u32 {{\n  return 1.5;\n}}\n", body("")),
        "k/sample.wgsl:8:",
    );
    let error = load(TWO, &body("dst[i] = sauce[i];"))
        .map(|_| ())
        .unwrap_err()
        .to_string();
    assert!(error.ends_with("in `dst[i] = sauce[i];`"), "the line is shown: {error}");
}

#[test]
fn directives_that_do_not_stand() {
    wgsl(
        "// @when MODE add\n// @end",
        "k/sample.wgsl:1:1: `MODE` is no specialization",
    );
    wgsl("\n  // @end", "k/sample.wgsl:2:3: `@end` without a `@when`");
    wgsl(
        "#include \"gone\"",
        "k/sample.wgsl:1:1: nothing is found under the name `gone`",
    );
    let long = "x".repeat((1 << 20) + 1);
    wgsl(
        &long,
        "k/sample.wgsl:1:1: 1048577 bytes of WGSL are more than the 1048576 allowed",
    );
}

struct Files(&'static [(&'static str, &'static str)]);

impl Includes for Files {
    fn find(&self, name: &str) -> Option<SourceFile> {
        let found = self.0.iter().find(|(known, _)| *known == name);
        found.map(|(name, text)| SourceFile::new(format!("lib/{name}.wgsl"), *text))
    }
}

fn included(files: &'static [(&'static str, &'static str)], root: &str) -> Result<()> {
    let includes = Files(files);
    let (bindings, wgsl) = (SourceFile::new("b.yaml", TWO), SourceFile::new("s.wgsl", root));
    let loader = Loader::new().includes(&includes);
    loader.load("sample", &bindings, &wgsl).map(|_| ())
}

#[test]
fn includes_that_do_not_stand() {
    let check = |files: &'static [(&'static str, &'static str)], root: &str, expected: &str| {
        let error = included(files, root).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    };
    check(
        &[
            ("a", "\n#include \"b\""),
            ("b", "#include \"c\""),
            ("c", "//\n//\n #include \"a\""),
        ],
        "#include \"a\"",
        "lib/c.wgsl:3:2: includes go round in a circle: a, b, c, a",
    );
    check(
        &[("a", "#include \"a\"")],
        "#include \"a\"",
        "lib/a.wgsl:1:1: includes go round in a circle: a, a",
    );
    check(
        &[("a", "x\n#include \"b\"")],
        "#include \"a\"",
        "lib/a.wgsl:2:1: nothing is found under the name `b`",
    );
    check(
        &[("a", "\n// @when T f32")],
        "#include \"a\"",
        "lib/a.wgsl:2:1: `T` is no specialization",
    );
    check(&[("a", "// @end")], "#include \"a\"", "lib/a.wgsl:1:1: `@end` without");
}

#[test]
fn an_error_in_an_include_is_its_own_line() {
    const FILES: &[(&str, &str)] = &[
        (
            "a",
            "fn a() -> f32 {\n    return 1.0;\n}\n#include \"b\"\n\nfn c() -> f32 { return true; }\n",
        ),
        ("b", "fn b() -> f32 { return 2.0; }"),
    ];
    let root = format!("\n#include \"a\"\n#include \"b\"\n{}", body("dst[i] = a() + b();"));
    let error = included(FILES, &root).unwrap_err().to_string();
    assert!(error.starts_with("lib/a.wgsl:6:"), "{error}");
    // What comes after the includes has the numbers that its author counts.
    const SOUND: &[(&str, &str)] = &[("a", "fn a() -> f32 {\n    return 1.0;\n}\n#include \"b\"\n"), FILES[1]];
    let error = included(SOUND, &root.replace("b();", "d();")).unwrap_err().to_string();
    assert!(error.starts_with("s.wgsl:7:20: "), "{error}");
    included(SOUND, &root).unwrap();
}

#[test]
fn files_are_bounded_in_number_and_depth() {
    let deep = |name: &str| {
        let n: u32 = name.parse().ok()?;
        Some(format!("#include \"{}\"", n + 1))
    };
    let load = |includes: &dyn Includes, root: &str| {
        let (bindings, wgsl) = (SourceFile::new("b.yaml", TWO), SourceFile::new("s.wgsl", root));
        let loader = Loader::new().includes(includes);
        loader
            .load("sample", &bindings, &wgsl)
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    assert!(load(&deep, "#include \"1\"").starts_with("15:1:1: a kernel has at most 64 files"));
    let wide = |_: &str| Some(String::new());
    let root: String = (0..70).map(|n| format!("#include \"{n}\"\n")).collect();
    assert!(load(&wide, &root).starts_with("s.wgsl:64:1: a kernel has at most 64 files"));
}

#[test]
fn names_of_kernels_are_names() {
    let file = SourceFile::new("b.yaml", "version: 1");
    let load = |name: &str| Loader::new().load(name, &file, &SourceFile::new("s.wgsl", body("")));
    for name in ["", "a-b", "zero_x", "fn"] {
        let error = load(name).map(|_| ()).unwrap_err().to_string();
        assert!(error.starts_with("b.yaml:1:1: "), "{error}");
    }
    assert!(load(&"x".repeat(65)).is_err());
    load("plain").unwrap();
}

#[test]
fn folders_that_are_no_kernel() {
    let error = |name: &str| {
        Loader::new()
            .load_folder(&folder(name))
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    assert!(
        error("absent").contains("absent/bindings.yaml:1:1: "),
        "{}",
        error("absent")
    );
    let scratch = std::env::temp_dir().join(format!("zero_compute_author_{}", std::process::id()));
    let none = scratch.join("none.kernel");
    std::fs::create_dir_all(&none).unwrap();
    std::fs::write(none.join("bindings.yaml"), TWO).unwrap();
    let load = || Loader::new().load_folder(&none);
    assert!(
        load()
            .map(|_| ())
            .unwrap_err()
            .to_string()
            .ends_with("there is no `.wgsl` here")
    );
    std::fs::write(none.join("a.wgsl"), body("")).unwrap();
    assert_eq!(
        load().unwrap().name(),
        "none",
        "the one shader, and the folder's name to its dot"
    );
    std::fs::write(none.join("b.wgsl"), "").unwrap();
    let two = load().map(|_| ()).unwrap_err().to_string();
    assert!(
        two.ends_with("of 2 files that end in `.wgsl` none is `none.wgsl`"),
        "{two}"
    );
    // A folder's kernel includes what lies beside it, and nothing else of the disk.
    std::fs::write(scratch.join("outside.wgsl"), "").unwrap();
    std::fs::write(none.join("none.wgsl"), format!("#include \"b.wgsl\"\n{}", body(""))).unwrap();
    load().unwrap();
    std::fs::write(none.join("none.wgsl"), "#include \"../outside.wgsl\"").unwrap();
    let outside = load().map(|_| ()).unwrap_err().to_string();
    assert!(
        outside.contains("none.wgsl:1:1: nothing is found under the name `../outside.wgsl`"),
        "{outside}"
    );
    std::fs::remove_dir_all(&scratch).unwrap();
}

/// A fresh folder with a kernel that includes a file of that name, and the error of loading it after `prepare`.
fn folder_including(name: &str, prepare: impl FnOnce(&std::path::Path)) -> String {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let scratch = std::env::temp_dir().join(format!("zero_compute_include_{}_{number}", std::process::id()));
    let kernel = scratch.join("kernel");
    std::fs::create_dir_all(&kernel).unwrap();
    std::fs::write(kernel.join("bindings.yaml"), TWO).unwrap();
    std::fs::write(kernel.join("kernel.wgsl"), format!("#include \"{name}\"\n{}", body(""))).unwrap();
    prepare(&kernel);
    // What the host has is not taken in place of a file that is there.
    let host = |name: &str| (name == "part").then(String::new);
    let result = Loader::new().includes(&host).load_folder(&kernel);
    std::fs::remove_dir_all(&scratch).unwrap();
    result.map_or_else(|error| error.to_string(), |_| "loaded".to_owned())
}

#[test]
fn an_include_that_is_there_and_cannot_be_read_says_why() {
    assert_eq!(folder_including("part", |_| ()), "loaded", "the host has it");
    let write = |bytes: &[u8]| folder_including("part", |kernel| std::fs::write(kernel.join("part"), bytes).unwrap());
    assert_eq!(write(b"// fine"), "loaded");
    assert_eq!(write("/".repeat(1 << 20).as_bytes()), "loaded", "the longest there is");
    let check = |error: String, expected: &str| {
        assert!(error.contains(&format!("kernel.wgsl:1:1: {expected}")), "{error}");
    };
    check(write(b"// \xff"), "`part` cannot be read: it is not UTF-8");
    check(
        write("/".repeat((1 << 20) + 1).as_bytes()),
        "`part` cannot be read: it is longer than the 1048576 bytes allowed",
    );
    let directory = folder_including("part", |kernel| std::fs::create_dir(kernel.join("part")).unwrap());
    check(directory, "`part` cannot be read: it is no regular file");
}

#[cfg(unix)]
#[test]
fn devices_and_what_lies_elsewhere_are_not_opened() {
    // Reading any of these would never end, or say that the file is not UTF-8.
    let linked = folder_including("part", |kernel| {
        std::os::unix::fs::symlink("/dev/null", kernel.join("part")).unwrap();
    });
    assert!(
        linked.contains("`part` cannot be read: it is no regular file"),
        "{linked}"
    );
    for name in ["/dev/zero", "../bytes", "..", "."] {
        let error = folder_including(name, |kernel| {
            std::fs::write(kernel.parent().unwrap().join("bytes"), b"\xff").unwrap();
        });
        let expected = format!("kernel.wgsl:1:1: nothing is found under the name `{name}`");
        assert!(error.contains(&expected), "{error}");
    }
    let shader = folder_including("part", |kernel| {
        std::fs::remove_file(kernel.join("kernel.wgsl")).unwrap();
        std::os::unix::fs::symlink("/dev/null", kernel.join("kernel.wgsl")).unwrap();
    });
    assert!(shader.ends_with("kernel.wgsl:1:1: it is no regular file"), "{shader}");
}

/// What only one option, or only a live domain, has is read where it is asked for: loading checks the default options
/// over both domains, and `check` all the others.
#[test]
fn every_variant_is_checked_over_both_domains() {
    let bindings = "version: 1
bindings:
- { name: dst, access: write, element: f32, count: n }
- { name: domain_count, element: u32, when: \"COUNT=device\" }
specialize:
- { name: COUNT, options: [plain, device] }
- { name: OP, options: [add, sub] }
";
    let wgsl = |option: &str| {
        body(&format!(
            "if (i < zero_n()) {{ dst[i] = 1.0; }}\n// @when OP {option}\n// @when COUNT device\nbroken;\n// @end\n// @end"
        ))
    };
    let error = load(bindings, &wgsl("add")).unwrap_err().to_string();
    assert!(error.contains("broken"), "{error}");
    let kernel = load(bindings, &wgsl("sub")).unwrap();
    let error = kernel.check().unwrap_err().to_string();
    assert!(error.contains("broken") && error.contains("k/sample.wgsl"), "{error}");
    assert!(
        load(bindings, &wgsl("add").replace("broken;", ""))
            .unwrap()
            .check()
            .is_ok()
    );
}

#[test]
fn too_many_combinations_are_not_checked() {
    let options = |count: usize| (0..count).map(|n| format!("o{n}")).collect::<Vec<_>>().join(", ");
    let of = |last: usize| {
        format!(
            "version: 1
bindings:
- {{ name: dst, access: write, element: f32, count: n }}
specialize:
- {{ name: A, options: [{}] }}
- {{ name: B, options: [{}] }}
- {{ name: C, options: [{}] }}
",
            options(64),
            options(33),
            options(last)
        )
    };
    let shader = body("if (i < zero_n()) { dst[i] = 1.0; }");
    let error = load(&of(2), &shader).unwrap().check().unwrap_err();
    assert!(
        matches!(
            error,
            zero_compute::Error::TooMany {
                found: 4224,
                limit: 4096,
                ..
            }
        ),
        "{error}"
    );
}
