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
                    for name in &touched {
                        let base = name
                            .strip_suffix("_count")
                            .filter(|_| name != "domain_count")
                            .unwrap_or(name);
                        assert!(
                            name == "domain_count" || declared.contains(&base),
                            "{what} touches {name}"
                        );
                    }
                    for name in &declared {
                        assert!(
                            touched.iter().any(|t| t.strip_prefix(name).is_some_and(|rest| ["", "_count"].contains(&rest)))
                                // A pass may declare a binding for its lanes alone.
                                || kernel.source().contains(&format!("params.{name}_lanes")),
                            "{what} does not touch {name}"
                        );
                    }
                    let appended = kernel
                        .bindings()
                        .filter(|b| b.access == Access::Append && declared.contains(&b.name))
                        .count();
                    let bound = declared.len() + appended + usize::from(live);
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
