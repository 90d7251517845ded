//! A walk as WGSL: one function, one thread a walker, its state in registers.

use std::fmt::Write;

use super::kind::Kind;
use super::walk::Walk;
use super::wgsl::{Layout, MapDomain};

/// Leaves that a walk reads from their own buffers: the eight storage buffers of WebGPU's default limits, less the first
/// and the last states, the counts, the path, the packed table and the live count.
pub const DIRECT_WALK_LEAVES: usize = 2;

/// What a dispatch of a walk binds, all in group 0, besides its leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalkLayout {
    /// The leaves, the packed table and the words of the uniform block, which stand after `zero_n`, `zero_zero`,
    /// `zero_groups`, `steps` and `path_lanes`. Its output is the first of the four that follow.
    pub inputs: Layout,
    /// The binding of the first states (read).
    pub start: u32,
    /// The binding of the last states (read and write).
    pub last: u32,
    /// The binding of the steps taken (read and write).
    pub taken: u32,
    /// The binding of the path (read and write).
    pub path: u32,
    /// The binding of the live count (`array<u32>`, read). Only a walk over a live domain has it.
    pub live_count: u32,
    /// The binding of the uniform block.
    pub params: u32,
}

impl Walk {
    /// What a dispatch of this walk binds.
    pub fn layout(&self) -> WalkLayout {
        let inputs = self.program().layout_within(DIRECT_WALK_LEAVES);
        let first = inputs.output;
        WalkLayout {
            inputs,
            start: first,
            last: first + 1,
            taken: first + 2,
            path: first + 3,
            live_count: first + 4,
            params: first + 5,
        }
    }

    /// The whole module of this walk, with its bindings as [`Walk::layout`] numbers them: entry point `main`, 256 threads
    /// a workgroup, one a walker. It may be cached by [`Walk::key`] and `domain`.
    pub fn wgsl(&self, domain: MapDomain) -> String {
        let mut text = String::new();
        self.write_module(&mut text, domain)
            .map_or_else(|_| String::new(), |()| text)
    }

    fn write_module(&self, w: &mut String, domain: MapDomain) -> std::fmt::Result {
        let layout = self.layout();
        let program = self.program();
        program.write_inputs(w, &layout.inputs)?;
        let mut storage = |number: u32, access: &str, name: &str, element: &str| {
            writeln!(
                w,
                "@group(0) @binding({number}) var<storage, {access}> {name}: array<{element}>;"
            )
        };
        storage(layout.start, "read", "start", "f32")?;
        storage(layout.last, "read_write", "last", "f32")?;
        storage(layout.taken, "read_write", "taken", "u32")?;
        storage(layout.path, "read_write", "path", "f32")?;
        if domain == MapDomain::Live {
            storage(layout.live_count, "read", "domain_count", "u32")?;
        }
        program.write_params(w, &layout.inputs, "steps: u32, path_lanes: u32,", layout.params)?;
        program.write_helpers(w, &layout.inputs)?;
        writeln!(
            w,
            "fn zf_clean(a: f32) -> f32 {{ return bitcast<f32>(zf_bits_f32(a)); }}"
        )?;
        self.write_record(w)?;
        writeln!(
            w,
            "@compute @workgroup_size(256)\n\
             fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {{\n\
             let i = gid.x + gid.y * (nw.x * 256u);\n\
             if (i >= params.zero_n) {{ return; }}"
        )?;
        let (width, zeros) = (self.width(), ["0.0"; 8]);
        if domain == MapDomain::Live {
            writeln!(w, "if (i >= domain_count[0]) {{")?;
            for lane in 0..width {
                writeln!(w, "last[i * {width}u + {lane}u] = 0.0;")?;
            }
            writeln!(w, "taken[i] = 0u;")?;
            writeln!(
                w,
                "for (var at = 0u; at <= params.steps; at += 1u) {{ zf_record(i, at, {}); }}\nreturn;\n}}",
                zeros
                    .iter()
                    .take(width as usize)
                    .copied()
                    .collect::<Vec<_>>()
                    .join(", ")
            )?;
        }
        self.write_loop(w)
    }

    /// A function that writes a place of a walker's path.
    fn write_record(&self, w: &mut String) -> std::fmt::Result {
        let lanes = 0..self.width();
        let state: Vec<String> = lanes.clone().map(|lane| format!("s{lane}: f32")).collect();
        writeln!(w, "fn zf_record(i: u32, place: u32, {}) {{", state.join(", "))?;
        writeln!(w, "let at = (i * (params.steps + 1u) + place) * params.path_lanes;")?;
        for lane in lanes {
            writeln!(
                w,
                "if (params.path_lanes > {lane}u) {{ path[at + {lane}u] = s{lane}; }}"
            )?;
        }
        writeln!(w, "}}")
    }

    fn write_loop(&self, w: &mut String) -> std::fmt::Result {
        let (program, width) = (self.program(), self.width());
        let state: Vec<String> = (0..width).map(|lane| format!("s{lane}")).collect();
        let state = state.join(", ");
        for lane in 0..width {
            writeln!(w, "var s{lane} = zf_clean(start[i * {width}u + {lane}u]);")?;
        }
        writeln!(
            w,
            "zf_record(i, 0u, {state});\nvar k = 0u;\nwhile (k < params.steps) {{"
        )?;
        program.write_lines(w)?;
        let roots = program.roots();
        if let Some(done) = roots.get(width as usize) {
            let value = program.operand(*done);
            let holds = match done.kind {
                Kind::Bool => value,
                _ => format!("(zf_bits_f32({value}) != 0u)"),
            };
            writeln!(w, "if ({holds}) {{ break; }}")?;
        }
        for (lane, root) in roots.iter().take(width as usize).enumerate() {
            writeln!(w, "s{lane} = zf_clean({});", program.operand(*root))?;
        }
        writeln!(w, "k += 1u;\nzf_record(i, k, {state});\n}}")?;
        for lane in 0..width {
            writeln!(w, "last[i * {width}u + {lane}u] = s{lane};")?;
        }
        writeln!(
            w,
            "taken[i] = k;\nif (params.path_lanes > 0u) {{\n\
             for (var at = k + 1u; at <= params.steps; at += 1u) {{ zf_record(i, at, {state}); }}\n}}\n}}"
        )
    }
}
