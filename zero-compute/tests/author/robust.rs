//! Files that nobody meant: whatever they hold, they are read or refused, and nothing panics.

use crate::{body, load};
use proptest::prelude::*;
use zero_compute::Args;

const YAML: &[&str] = &[
    "version: 1\n",
    "bindings:\n",
    "params:\n",
    "specialize:\n",
    "- { name: a, element: f32 }\n",
    "- { name: b, element: T, access: write, count: n }\n",
    "- { name: c, kind: append, element: u32, capacity: a }\n",
    "- { name: d, kind: columns, order: \"x y\" }\n",
    "- { name: T, options: [f32, i32] }\n",
    "- { name: MODE, options: [x, y], default: y }\n",
    "- { name: TEXT }\n",
    "- { name: p, type: float, default: 1 }\n",
    "determinism: exact\n",
    ", when: \"MODE=x; T=f32\"",
    "{",
    "}",
    "[",
    "]",
    ":",
    "-",
    "\"",
    "n / 0",
    "n * 4294967295",
    "~",
    "\t",
    "\u{0}",
    "é",
];

const WGSL: &[&str] = &[
    "// @when MODE x\n",
    "// @when T f32|i32\n",
    "// @end\n",
    "// @use zero_noise\n",
    "#include \"a\"\n",
    "#include \"@builtin::systems.procgen.grid\"\n",
    "#include \"\n",
    "fn f() -> T { return T(1); }\n",
    "@compute @workgroup_size(256)\nfn main() {\n",
    "a_get(0u)",
    "b[0] = ",
    "TEXT",
    "/*",
    "*/",
    "//",
    "{",
    "}",
    "(",
    ")",
    ";",
    "\n",
    "\r",
    "1e",
    "0x",
    ".T",
    "é",
];

fn pieces(of: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(of), 0..30).prop_map(|parts| parts.concat())
}

/// Reads it, and where it is a kernel asks for its variants.
fn read(bindings: &str, wgsl: &str) {
    if let Ok(kernel) = load(bindings, wgsl) {
        let _ = kernel.check();
        let _ = kernel.variant(&Args::new().with("TEXT", "a_get(0u)").with("T", "i32"), true);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_bytes_are_read_or_refused(a in prop::collection::vec(any::<u8>(), 0..300), b in prop::collection::vec(any::<u8>(), 0..300)) {
        let (a, b) = (String::from_utf8_lossy(&a), String::from_utf8_lossy(&b));
        read(&a, &b);
        read(&format!("version: 1\n{a}"), &b);
        read("version: 1\nbindings: [{ name: a, element: f32 }]\n", &body(&b));
    }

    #[test]
    fn any_pieces_are_read_or_refused(a in pieces(YAML), b in pieces(WGSL)) {
        read(&format!("version: 1\n{a}"), &b);
        let sound = "version: 1\nbindings:\n- { name: a, element: f32 }\n- { name: b, element: T, access: write, count: n }\nspecialize:\n- { name: T, options: [f32, i32] }\n- { name: MODE, options: [x, y] }\n- { name: TEXT, default: \"1\" }\n";
        read(sound, &b);
        read(sound, &body(&b));
        read(&format!("version: 1\n{a}"), &body("b[i] = a_get(i);"));
    }
}
