//! The twelve conformance kernels, and a few more for what they leave out.

use zero_compute::*;

/// All of them.
pub(crate) static ALL: &[&Kernel] = &[
    &ADD,
    &COLUMNS,
    &FILTER,
    &INOUT,
    &INPLACE,
    &LEN,
    &LIVE,
    &NOTHING,
    &ORDERED,
    &PAIR,
    &SCALE,
    &SPEC,
    &PARAMS,
    &TEXTURE,
    &COUNTED,
    &ACCESSORS,
    &TABLE_CASTS,
    &WORDS,
    &INTS,
];

/// One invocation an element, with the body that the literal gives for element `i`.
macro_rules! each {
    ($body:literal) => {
        concat!(
            "@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) { return; }
",
            $body,
            "
}"
        )
    };
}

const fn unary(name: &'static str) -> Kernel {
    Kernel::declare(name)
        .read("src", Element::F32)
        .write("dst", Element::F32, Rule::same_as("src"))
        .determinism(Determinism::Exact)
}

/// Adds the delta param to every element of src into dst.
pub(crate) static ADD: Kernel = unary("abi_add")
    .param("delta", Param::F32(1.0))
    .wgsl(each!("dst[i] = src[i] + params.delta;"))
    .cpu(Cpu::Ranges(|range, b, p, _| {
        let (src, delta) = (b.read::<f32>("src")?, p.f32("delta")?);
        for (d, s) in b.write::<f32>("dst")?.iter_mut().zip(&src[range]) {
            *d = s + delta;
        }
        Ok(())
    }));

/// Adds the first lane of the columns a and b of a table into dst.
pub(crate) static COLUMNS: Kernel = Kernel::declare("abi_columns")
    .columns("cols", Columns::Named(&["a", "b"]))
    .write("dst", Element::F32, Rule::Domain)
    .determinism(Determinism::Exact)
    .wgsl(each!(
        "dst[i] = cols_f32(cols_col_a, i, 0u) + cols_f32(cols_col_b, i, 0u);"
    ))
    .cpu(Cpu::Ranges(|range, b, _, _| {
        let cols = b.table("cols")?;
        let (x, y) = (cols.slot("a")?, cols.slot("b")?);
        for (d, i) in b.write::<f32>("dst")?.iter_mut().zip(range) {
            *d = cols.f32(x, i, 0) + cols.f32(y, i, 0);
        }
        Ok(())
    }));

/// Appends every element of src above the threshold param to hits.
pub(crate) static FILTER: Kernel = Kernel::declare("abi_filter")
    .read("src", Element::F32)
    .append("hits", Element::F32, Rule::Domain)
    .param("threshold", Param::F32(0.0))
    .determinism(Determinism::Exact)
    .wgsl(each!(
        "if (i < zero_live() && src[i] > params.threshold) {
        let slot = atomicAdd(&hits_count[0], 1u);
        if (slot < arrayLength(&hits)) { hits[slot] = src[i]; }
    }"
    ))
    .cpu(Cpu::Whole(|b, p, _| {
        let (src, threshold) = (b.read::<f32>("src")?, p.f32("threshold")?);
        let mut hits = b.append::<f32>("hits")?;
        let above = src[..p.live() as usize].iter().filter(|v| **v > threshold);
        above.for_each(|v| hits.push(&[*v]));
        Ok(())
    }));

/// Writes src doubled into dst, or adds src to the dst it is bound when mode is 1.
pub(crate) static INOUT: Kernel = Kernel::declare("abi_inout")
    .read("src", Element::F32)
    .inout_or_zeros("dst", Element::F32, Rule::same_as("src"))
    .param("mode", Param::I32(0))
    .determinism(Determinism::Exact)
    .wgsl(each!(
        "if (params.mode == 1) { dst[i] = dst[i] + src[i]; } else { dst[i] = src[i] * 2.0; }"
    ))
    .cpu(Cpu::Ranges(|range, b, p, _| {
        let (src, adds) = (b.read::<f32>("src")?, p.i32("mode")? == 1);
        for (d, s) in b.write::<f32>("dst")?.iter_mut().zip(&src[range]) {
            *d = if adds { *d + s } else { s * 2.0 };
        }
        Ok(())
    }));

/// Adds one to every element of data in place.
pub(crate) static INPLACE: Kernel = Kernel::declare("abi_inplace")
    .inout("data", Element::I32)
    .determinism(Determinism::Exact)
    .wgsl(each!("data[i] = data[i] + 1;"))
    .cpu(Cpu::Ranges(|_, b, _, _| {
        b.write::<i32>("data")?.iter_mut().for_each(|v| *v = v.wrapping_add(1));
        Ok(())
    }));

/// Copies src into a dst the length of src.
pub(crate) static LEN: Kernel = unary("abi_len")
    .wgsl(
        "@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    for (var i = zero_index(gid, nw); i < arrayLength(&src); i += zero_n()) { dst[i] = src[i]; }
}",
    )
    .cpu(Cpu::Whole(|b, _, _| {
        let src = b.read::<f32>("src")?;
        b.write::<f32>("dst")?.copy_from_slice(src);
        Ok(())
    }));

/// Doubles src into dst for the elements a live count holds and writes -1 past it.
pub(crate) static LIVE: Kernel = Kernel::declare("abi_live")
    .read("src", Element::F32)
    .write("dst", Element::F32, Rule::Domain)
    .specialize("COUNT", &["plain", "device"])
    .determinism(Determinism::Exact)
    .wgsl(each!(
        "var live = zero_n();
// @when COUNT device
    live = min(domain_count[0], zero_n());
// @end
    if (i < live) { dst[i] = src[i] * 2.0; } else { dst[i] = -1.0; }"
    ))
    .cpu(Cpu::Ranges(|range, b, p, _| {
        let live = if p.option("COUNT")? == "device" {
            p.live()
        } else {
            p.n()
        };
        let src = b.read::<f32>("src")?;
        for (d, i) in b.write::<f32>("dst")?.iter_mut().zip(range) {
            *d = if i < live as usize { src[i] * 2.0 } else { -1.0 };
        }
        Ok(())
    }));

/// Reads src and writes nothing.
pub(crate) static NOTHING: Kernel = Kernel::declare("abi_nothing")
    .read("src", Element::F32)
    .determinism(Determinism::Exact)
    .wgsl(each!("let value = src[i];\n    _ = value;"))
    .cpu(Cpu::Whole(|b, _, _| b.read::<f32>("src").map(|_| ())));

/// Writes ten times the first lane of slot 0 plus the first lane of slot 1 of a table into dst. The binding states the
/// slot order, `tail` then `head`.
pub(crate) static ORDERED: Kernel = Kernel::declare("abi_ordered")
    .columns("cols", Columns::Order(&["tail", "head"]))
    .write("dst", Element::F32, Rule::Domain)
    .determinism(Determinism::Exact)
    .wgsl(each!("dst[i] = 10.0 * cols_f32(0u, i, 0u) + cols_f32(1u, i, 0u);"))
    .cpu(Cpu::Ranges(|range, b, _, _| {
        let cols = b.table("cols")?;
        for (d, i) in b.write::<f32>("dst")?.iter_mut().zip(range) {
            *d = 10.0 * cols.f32(0, i, 0) + cols.f32(1, i, 0);
        }
        Ok(())
    }));

/// Adds two read bindings, a and b, element by element into dst.
pub(crate) static PAIR: Kernel = Kernel::declare("abi_pair")
    .read("a", Element::F32)
    .read("b", Element::F32)
    .write("dst", Element::F32, Rule::same_as("a"))
    .determinism(Determinism::Exact)
    .wgsl(each!("dst[i] = a[i] + b[i];"))
    .cpu(Cpu::Ranges(|range, b, _, _| {
        let (x, y) = (b.read::<f32>("a")?, b.read::<f32>("b")?);
        for (d, i) in b.write::<f32>("dst")?.iter_mut().zip(range) {
            *d = x[i] + y[i];
        }
        Ok(())
    }));

/// Multiplies every element of src by the scale param into dst, one element per invocation.
pub(crate) static SCALE: Kernel = unary("abi_scale")
    .param("scale", Param::F32(1.0))
    .wgsl(each!("dst[i] = src[i] * params.scale;"))
    .cpu(Cpu::Ranges(|range, b, p, _| {
        let (src, scale) = (b.read::<f32>("src")?, p.f32("scale")?);
        for (d, s) in b.write::<f32>("dst")?.iter_mut().zip(&src[range]) {
            *d = s * scale;
        }
        Ok(())
    }));

/// Doubles src into dst as the element type T the specialization names.
pub(crate) static SPEC: Kernel = unary("abi_spec")
    .specialize("T", &["f32", "i32", "u32"])
    .wgsl(concat!(
        "// @when T f32\nalias T = f32;\n// @end\n// @when T i32\nalias T = i32;\n// @end\n",
        "// @when T u32\nalias T = u32;\n// @end\n",
        each!("dst[i] = f32(T(src[i]) * T(2));")
    ))
    .cpu(Cpu::Ranges(|range, b, p, _| {
        let (src, as_type) = (b.read::<f32>("src")?, p.option("T")?);
        for (d, s) in b.write::<f32>("dst")?.iter_mut().zip(&src[range]) {
            *d = match as_type {
                "i32" => ((*s as i32) * 2) as f32,
                "u32" => ((*s as u32) * 2) as f32,
                _ => *s * 2.0,
            };
        }
        Ok(())
    }));

/// Weighs three lanes of a point by a direction, an integer step and a flag.
pub(crate) static PARAMS: Kernel = Kernel::declare("params")
    .write("dst", Element::F32, Rule::Domain)
    .param("dir_x", Param::F32(0.0))
    .param("dir_y", Param::F32(0.0))
    .param("dir_z", Param::F32(0.0))
    .param("steps", Param::I32(0))
    .param("least", Param::U32(0))
    .param("is_on", Param::U32(0))
    .param("time", Param::F32(-1.0))
    .determinism(Determinism::Exact)
    .wgsl(each!(
        "switch (i) {
        case 0u: { dst[i] = params.dir_x; }
        case 1u: { dst[i] = params.dir_y; }
        case 2u: { dst[i] = params.dir_z; }
        case 3u: { dst[i] = f32(params.steps); }
        case 4u: { dst[i] = f32(params.least); }
        case 5u: { dst[i] = f32(params.is_on); }
        default: { dst[i] = params.time; }
    }"
    ))
    .cpu(Cpu::Whole(|b, p, _| {
        let all = [
            p.f32("dir_x")?,
            p.f32("dir_y")?,
            p.f32("dir_z")?,
            p.i32("steps")? as f32,
            p.u32("least")? as f32,
            p.u32("is_on")? as f32,
            p.f32("time")?,
        ];
        b.write::<f32>("dst")?.copy_from_slice(&all);
        Ok(())
    }));

/// The number of live elements, and every element of a texture divided by its size.
pub(crate) static TEXTURE: Kernel = Kernel::declare("texture")
    .read("image", Element::F32)
    .write("dst", Element::F32, Rule::Domain)
    .param("image_width", Param::U32(0))
    .param("image_height", Param::F32(0.0))
    .determinism(Determinism::Exact)
    .wgsl(each!(
        "dst[i] = image[i * params.image_lanes] + 100.0 * f32(params.image_width) + 10.0 * params.image_height;"
    ))
    .cpu(Cpu::Ranges(|range, b, p, _| {
        let (image, lanes) = (b.read::<f32>("image")?, b.lanes("image") as usize);
        let (width, height) = (p.u32("image_width")? as f32, p.f32("image_height")?);
        for (d, i) in b.write::<f32>("dst")?.iter_mut().zip(range) {
            *d = image[i * lanes] + 100.0 * width + 10.0 * height;
        }
        Ok(())
    }));

/// Binds the count of its domain itself, in every variant.
pub(crate) static COUNTED: Kernel = Kernel::declare("counted")
    .read("domain_count", Element::U32)
    .write("dst", Element::U32, Rule::Domain)
    .determinism(Determinism::Exact)
    .wgsl(each!("dst[i] = domain_count[0] * 10u + zero_live();"))
    .cpu(Cpu::Ranges(|_, b, p, _| {
        let count = b.read::<u32>("domain_count")?[0];
        b.write::<u32>("dst")?.fill(count * 10 + p.live());
        Ok(())
    }));

/// Every accessor of a table, and one that reads what the table lacks.
pub(crate) static ACCESSORS: Kernel = Kernel::declare("accessors")
    .columns("cols", Columns::Named(&["ints", "floats"]))
    .write("dst", Element::F32, Rule::Lanes(12))
    .determinism(Determinism::Exact)
    .wgsl(each!(
        "let k = i * 12u;
    let v2 = cols_vec2(cols_col_floats, i);
    let v3 = cols_vec3(cols_col_floats, i);
    let v4 = cols_vec4(cols_col_floats, i);
    dst[k] = f32(cols_i32(cols_col_ints, i, 0u));
    dst[k + 1u] = cols_f32(cols_col_ints, i, 0u);
    dst[k + 2u] = f32(cols_u32(cols_col_ints, i, 0u));
    dst[k + 3u] = f32(cols_i32(cols_col_floats, i, 1u));
    dst[k + 4u] = v2.x + 10.0 * v2.y;
    dst[k + 5u] = v3.z;
    dst[k + 6u] = v4.w;
    dst[k + 7u] = f32(cols_elements(cols_col_floats));
    dst[k + 8u] = f32(cols_lanes(cols_col_floats));
    dst[k + 9u] = f32(cols_columns());
    dst[k + 10u] = cols_f32(0u, i, 0u);
    dst[k + 11u] = cols_f32(77u, i, 0u);"
    ))
    .cpu(Cpu::Ranges(|range, b, _, _| {
        let cols = b.table("cols")?;
        let (ints, floats) = (cols.slot("ints")?, cols.slot("floats")?);
        for (d, i) in b.write::<f32>("dst")?.chunks_exact_mut(12).zip(range) {
            let [x, y] = cols.vec::<2>(floats, i);
            d.copy_from_slice(&[
                cols.i32(ints, i, 0) as f32,
                cols.f32(ints, i, 0),
                cols.u32(ints, i, 0) as f32,
                cols.i32(floats, i, 1) as f32,
                x + 10.0 * y,
                cols.vec::<3>(floats, i)[2],
                cols.vec::<4>(floats, i)[3],
                cols.elements(floats) as f32,
                cols.lanes(floats) as f32,
                cols.columns() as f32,
                cols.f32(0, i, 0),
                cols.f32(77, i, 0),
            ]);
        }
        Ok(())
    }));

/// A word of each column of a table by each accessor, as bits: what a cast makes of it.
pub(crate) static TABLE_CASTS: Kernel = Kernel::declare("table_casts")
    .columns("cols", Columns::Order(&["value"]))
    .write("floats", Element::F32, Rule::Domain)
    .write("ints", Element::I32, Rule::Domain)
    .write("uints", Element::U32, Rule::Domain)
    .determinism(Determinism::Exact)
    .wgsl(each!(
        "floats[i] = cols_f32(cols_col_value, i, 0u);
    ints[i] = cols_i32(cols_col_value, i, 0u);
    uints[i] = cols_u32(cols_col_value, i, 0u);"
    ))
    .cpu(Cpu::Ranges(|range, b, _, _| {
        let cols = b.table("cols")?;
        for (d, i) in b.write::<f32>("floats")?.iter_mut().zip(range.clone()) {
            *d = cols.f32(0, i, 0);
        }
        for (d, i) in b.write::<i32>("ints")?.iter_mut().zip(range.clone()) {
            *d = cols.i32(0, i, 0);
        }
        for (d, i) in b.write::<u32>("uints")?.iter_mut().zip(range) {
            *d = cols.u32(0, i, 0);
        }
        Ok(())
    }));

/// Copies words, of unsigned integers.
pub(crate) static WORDS: Kernel = Kernel::declare("words")
    .read("src", Element::U32)
    .write("dst", Element::U32, Rule::same_as("src"))
    .determinism(Determinism::Exact)
    .wgsl(each!("dst[i] = src[i];"))
    .cpu(Cpu::Ranges(|range, b, _, _| {
        let src = b.read::<u32>("src")?;
        b.write::<u32>("dst")?.copy_from_slice(&src[range]);
        Ok(())
    }));

/// Copies words, of signed integers.
pub(crate) static INTS: Kernel = Kernel::declare("ints")
    .read("src", Element::I32)
    .write("dst", Element::I32, Rule::same_as("src"))
    .determinism(Determinism::Exact)
    .wgsl(each!("dst[i] = src[i];"))
    .cpu(Cpu::Ranges(|range, b, _, _| {
        let src = b.read::<i32>("src")?;
        b.write::<i32>("dst")?.copy_from_slice(&src[range]);
        Ok(())
    }));
