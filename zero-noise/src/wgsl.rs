//! The WGSL twins.

/// The WGSL twins of all functions, under the prefix `zn_`. The including shader defines `fn zn_zero() -> u32`, which
/// must answer 0 read from a uniform or a storage buffer: see the crate's documentation.
///
/// ```
/// let shader = format!(
///     "struct Params {{ zero: u32 }}
///      @group(0) @binding(0) var<uniform> params: Params;
///      fn zn_zero() -> u32 {{ return params.zero; }}
///      {}
///      @group(0) @binding(1) var<storage, read_write> heights: array<f32>;
///      @compute @workgroup_size(256)
///      fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
///          heights[id.x] = zn_fbm2(7u, f32(id.x) * 0.1, 0.5, 6u);
///      }}",
///     zero_noise::WGSL
/// );
/// naga::front::wgsl::parse_str(&shader).unwrap();
/// ```
pub const WGSL: &str = concat!(
    include_str!("wgsl/constants.wgsl"),
    "\n",
    include_str!("wgsl/hash.wgsl"),
    "\n",
    include_str!("wgsl/math.wgsl"),
    "\n",
    include_str!("wgsl/lattice.wgsl"),
    "\n",
    include_str!("wgsl/value.wgsl"),
    "\n",
    include_str!("wgsl/gradient.wgsl"),
    "\n",
    include_str!("wgsl/fractal.wgsl"),
    "\n",
    include_str!("wgsl/simplex.wgsl"),
    "\n",
    include_str!("wgsl/cellular.wgsl"),
);

#[cfg(test)]
mod tests {
    use super::WGSL;
    use crate::consts::{SHARED, TWO_OVER_PI_WORDS, Word};
    use std::fmt::Write as _;
    use std::path::Path;

    /// The text of `wgsl/constants.wgsl`. `{:?}` writes the shortest decimal that reads back as the same float.
    fn constants() -> String {
        let mut text = String::from("// Generated from consts.rs; ZERO_BLESS=1 cargo test writes it anew.\n\n");
        for (name, word) in SHARED {
            match word {
                Word::F(value) => writeln!(text, "const ZN_{name}: f32 = {value:?}f;").unwrap(),
                Word::U(value) => writeln!(text, "const ZN_{name}: u32 = {value:#010x}u;").unwrap(),
            }
        }
        let words: Vec<_> = TWO_OVER_PI_WORDS
            .iter()
            .map(|word| format!("    {word:#010x}u,\n"))
            .collect();
        writeln!(
            text,
            "const ZN_TWO_OVER_PI_WORDS: array<u32, 8> = array<u32, 8>(\n{});",
            words.concat()
        )
        .unwrap();
        text
    }

    #[test]
    fn constants_are_those_of_rust() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/wgsl/constants.wgsl");
        if std::env::var_os("ZERO_BLESS").is_some() {
            std::fs::write(&path, constants()).unwrap();
        }
        assert_eq!(std::fs::read_to_string(path).unwrap(), constants());
    }

    /// The values that naga gives the constants, not only their text, are the bits of Rust's.
    #[test]
    fn the_compiler_reads_the_same_bits() {
        let module = parse();
        for (name, word) in SHARED {
            let name = format!("ZN_{name}");
            let (_, constant) = module
                .constants
                .iter()
                .find(|(_, c)| c.name.as_deref() == Some(&*name))
                .unwrap();
            let read = match module.global_expressions[constant.init] {
                naga::Expression::Literal(naga::Literal::F32(value)) => value.to_bits(),
                naga::Expression::Literal(naga::Literal::U32(value)) => value,
                ref other => panic!("{name} is {other:?}"),
            };
            let wanted = match *word {
                Word::F(value) => value.to_bits(),
                Word::U(value) => value,
            };
            assert_eq!(read, wanted, "{name}");
        }
    }

    #[test]
    fn the_module_is_valid() {
        let module = parse();
        let flags = naga::valid::ValidationFlags::all();
        let capabilities = naga::valid::Capabilities::empty();
        naga::valid::Validator::new(flags, capabilities)
            .validate(&module)
            .map_err(|error| error.emit_to_string(WGSL))
            .unwrap();
    }

    fn parse() -> naga::Module {
        let source = format!("{WGSL}\nvar<private> zero: u32;\nfn zn_zero() -> u32 {{ return zero; }}");
        naga::front::wgsl::parse_str(&source)
            .map_err(|error| error.emit_to_string(&source))
            .unwrap()
    }
}
