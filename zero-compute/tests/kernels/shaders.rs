//! Every shader compiles in every variant, without a device, and binds what its declaration says.

use zero_compute::kernels::ALL;
use zero_compute::{Access, Kernel, Pass};

/// Every choice of options, one a specialization.
fn variants(kernel: &Kernel) -> Vec<Vec<&'static str>> {
    let mut variants = vec![Vec::new()];
    for specialization in kernel.specializations() {
        variants = variants
            .iter()
            .flat_map(|chosen| {
                specialization
                    .options
                    .iter()
                    .map(move |option| [chosen.as_slice(), &[*option]].concat())
            })
            .collect();
    }
    variants
}

fn compile(kernel: &Kernel, options: &[&str], live: bool) -> (naga::Module, naga::valid::ModuleInfo) {
    let what = format!("{} {options:?} live {live}", kernel.name());
    let source = kernel.full_wgsl(options, live).unwrap();
    let module = naga::front::wgsl::parse_str(&source)
        .unwrap_or_else(|error| panic!("{what}: {}", error.emit_to_string(&source)));
    let mut validator =
        naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::empty());
    let info = validator
        .validate(&module)
        .unwrap_or_else(|error| panic!("{what}: {}", error.emit_to_string(&source)));
    (module, info)
}

/// The storage buffers that an entry point touches.
fn touched(module: &naga::Module, info: &naga::valid::ModuleInfo, entry: usize) -> Vec<String> {
    let uses = info.get_entry_point(entry);
    let storage = module.global_variables.iter().filter(|(handle, variable)| {
        matches!(variable.space, naga::AddressSpace::Storage { .. }) && !uses[*handle].is_empty()
    });
    storage
        .map(|(_, variable)| variable.name.clone().unwrap_or_default())
        .collect()
}

/// The buffers behind the names that a pass uses: an append binding is two, unless one of them is named.
fn buffers_of(kernel: &Kernel, uses: &[&str]) -> Vec<String> {
    let mut buffers = Vec::new();
    for name in uses {
        let binding = |name: &str| kernel.bindings().find(|b| b.name == name);
        let items = name.strip_suffix("_items").filter(|items| binding(items).is_some());
        buffers.push(items.unwrap_or(name).to_string());
        if binding(name).is_some_and(|b| b.access == Access::Append) {
            buffers.push(format!("{name}_count"));
        }
    }
    buffers
}

#[test]
fn every_variant_compiles_and_touches_only_what_its_pass_declares() {
    for kernel in ALL {
        for options in variants(kernel) {
            for live in [false, true] {
                let (module, info) = compile(kernel, &options, live);
                let passes: Vec<Pass> = kernel.passes().copied().collect();
                let all: Vec<&str> = kernel.bindings().map(|b| b.name).collect();
                let entries: Vec<(&str, Vec<&str>)> = if passes.is_empty() {
                    vec![("main", all)]
                } else {
                    passes.iter().map(|pass| (pass.entry, pass.uses.to_vec())).collect()
                };
                for (entry, declared) in entries {
                    let what = format!("{} {options:?} live {live}, `{entry}`", kernel.name());
                    let at = module.entry_points.iter().position(|point| point.name == entry);
                    let at = at.unwrap_or_else(|| panic!("{what} is missing"));
                    assert_eq!(module.entry_points[at].workgroup_size, [256, 1, 1], "{what}");
                    let touched = touched(&module, &info, at);
                    let declared: Vec<String> = buffers_of(kernel, &declared);
                    for name in &touched {
                        assert!(
                            name == "domain_count" || declared.contains(name),
                            "{what} touches {name}"
                        );
                    }
                    for name in &declared {
                        assert!(
                            touched.contains(name)
                                // A pass may declare a binding for its lanes alone.
                                || kernel.source().contains(&format!("params.{name}_lanes")),
                            "{what} does not touch {name}"
                        );
                    }
                    let bound = declared.len() + usize::from(live);
                    assert!(bound <= 8, "{what} binds {bound} storage buffers");
                }
            }
        }
    }
}

#[test]
fn every_kernel_has_a_name_of_its_own_and_a_rust_form() {
    let mut names: Vec<&str> = ALL.iter().map(|kernel| kernel.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), ALL.len());
    assert!(ALL.iter().all(|kernel| kernel.twin().is_some()));
}

/// The most storage buffers that a pass of a kernel binds, over a plain and over a live domain.
fn widest(name: &str) -> [usize; 2] {
    let kernel = ALL.iter().find(|kernel| kernel.name() == name);
    let kernel = kernel.unwrap_or_else(|| panic!("there is no kernel `{name}`"));
    let all: Vec<&str> = kernel.bindings().map(|b| b.name).collect();
    let mut passes: Vec<Vec<&str>> = kernel.passes().map(|pass| pass.uses.to_vec()).collect();
    if passes.is_empty() {
        passes.push(all);
    }
    let plain = passes.iter().map(|uses| buffers_of(kernel, uses).len()).max();
    let plain = plain.unwrap_or(0);
    // The live count is one more, and the header declares no other.
    let count = |live| {
        let text = kernel.full_wgsl(&[], live).unwrap();
        text.matches("domain_count: array<u32>").count()
    };
    [plain + count(false), plain + count(true)]
}

/// What a family may bind over a plain and over a live domain, and what its kernels do.
struct Storage {
    family: &'static str,
    may: [usize; 2],
    /// Each with what its widest pass binds.
    kernels: &'static [(&'static str, [usize; 2])],
    /// Why that is less, where it is.
    less: Option<&'static str>,
}

/// What a stage may bind on the web is 8, and these families are to bind so many.
const STORAGE: &[Storage] = &[
    Storage {
        family: "gather",
        may: [3, 4],
        kernels: &[("gather_f32", [3, 4]), ("gather_i32", [3, 4]), ("gather_u32", [3, 4])],
        less: None,
    },
    Storage {
        family: "compact",
        may: [4, 5],
        kernels: &[
            ("compact_f32", [4, 5]),
            ("compact_i32", [4, 5]),
            ("compact_u32", [4, 5]),
        ],
        less: None,
    },
    Storage {
        family: "scan",
        may: [4, 5],
        kernels: &[
            ("scan_f32", [4, 5]),
            ("scan_i32", [4, 5]),
            ("scan_u32", [4, 5]),
            ("offsets", [4, 5]),
        ],
        less: None,
    },
    Storage {
        family: "jump",
        may: [7, 8],
        kernels: &[("jump_begin", [3, 4]), ("jump", [4, 5])],
        less: Some("ranks and least values are variants of one kernel, and neither binds what the other needs"),
    },
    Storage {
        family: "loops, loops_cut, loops_place",
        may: [6, 7],
        kernels: &[("loops", [6, 7]), ("loops_cut", [6, 7]), ("loops_place", [6, 7])],
        less: None,
    },
    Storage {
        family: "edges_runs",
        may: [8, 8],
        kernels: &[
            ("edges_sides", [2, 3]),
            ("edges_heads", [4, 5]),
            ("edges_table", [7, 8]),
        ],
        less: Some("its stages are kernels of their own, over a plain domain too"),
    },
    Storage {
        family: "expand",
        may: [5, 6],
        kernels: &[("offsets", [4, 5]), ("expand", [3, 4])],
        less: Some("the counts are summed before, and a slot looks for its owner in the sums alone"),
    },
    Storage {
        family: "hash_gather",
        may: [6, 8],
        kernels: &[("hash_count", [5, 6]), ("offsets", [4, 5]), ("hash_list", [6, 7])],
        less: Some("the grid's starts leave out what is past the live count of its points, which is not bound again"),
    },
];

#[test]
fn kernels_bind_as_many_buffers_as_their_family_may_or_fewer_for_a_reason() {
    for Storage {
        family,
        may,
        kernels,
        less,
    } in STORAGE
    {
        for (name, expected) in *kernels {
            let found = widest(name);
            assert_eq!(found, *expected, "{family}: {name}");
            assert_eq!(found[1], found[0] + 1, "{name} reads its live count from a buffer");
        }
        let most = |live: usize| kernels.iter().map(|(_, bound)| bound[live]).max();
        let most = [most(0).unwrap(), most(1).unwrap()];
        match less {
            None => assert_eq!(most, *may, "{family}"),
            Some(why) => assert!(
                most != *may && most[0] <= may[0] && most[1] <= may[1],
                "{family}: {why}"
            ),
        }
    }
}

/// Sums of floats stand without a barrier where they can: their shaders add what they load and do nothing else with it.
/// A driver may fuse a product into a sum, and cancel a sum by a difference; where there is neither, there is nothing to
/// rewrite, and `rounding` holds the bits.
#[test]
fn sums_without_a_barrier_only_add() {
    use naga::{BinaryOperator, Expression, MathFunction, ScalarKind, UnaryOperator};
    use zero_compute::kernels::{REDUCE_F32, SCAN_F32, SCAN_SEGMENTS_F32, SEGMENTS_BLOCKS_F32, SEGMENTS_F32};

    fn check(what: &str, module: &naga::Module, function: &naga::Function, info: &naga::valid::FunctionInfo) -> usize {
        let is_float = |at: naga::Handle<Expression>| {
            let inner = info[at].ty.inner_with(&module.types);
            inner.scalar_kind() == Some(ScalarKind::Float)
        };
        let mut sums = 0;
        for (_, expression) in function.expressions.iter() {
            match *expression {
                Expression::Binary { op, left, .. } if is_float(left) => match op {
                    BinaryOperator::Add => sums += 1,
                    BinaryOperator::Subtract
                    | BinaryOperator::Multiply
                    | BinaryOperator::Divide
                    | BinaryOperator::Modulo => panic!("{what}: {op:?} of floats beside sums without a barrier"),
                    _ => {}
                },
                Expression::Unary {
                    op: UnaryOperator::Negate,
                    expr,
                } => assert!(!is_float(expr), "{what}: a negative beside sums without a barrier"),
                Expression::Math { fun, arg, .. } => {
                    let fuses = matches!(fun, MathFunction::Fma | MathFunction::Mix | MathFunction::Dot);
                    assert!(
                        !(fuses && is_float(arg)),
                        "{what}: {fun:?} beside sums without a barrier"
                    );
                }
                _ => {}
            }
        }
        sums
    }

    for kernel in [
        &REDUCE_F32,
        &SCAN_F32,
        &SEGMENTS_BLOCKS_F32,
        &SEGMENTS_F32,
        &SCAN_SEGMENTS_F32,
    ] {
        for options in variants(kernel) {
            for live in [false, true] {
                let what = format!("{} {options:?}", kernel.name());
                let (module, info) = compile(kernel, &options, live);
                let functions = module.functions.iter();
                let mut sums: usize = functions
                    .map(|(at, function)| check(&what, &module, function, &info[at]))
                    .sum();
                for (at, entry) in module.entry_points.iter().enumerate() {
                    sums += check(&what, &module, &entry.function, info.get_entry_point(at));
                }
                let folds = options.iter().any(|option| ["min", "max"].contains(option));
                assert_eq!(sums > 0, !folds, "{what}: {sums} sums of floats");
            }
        }
    }
}
