//! Every conformance kernel compiles in every variant, without a device, inside WebGPU's default limits.

use zero_compute::{Access, Kernel};

use crate::kernels::ALL;

fn variants(kernel: &Kernel) -> Vec<Vec<&'static str>> {
    let mut variants = vec![Vec::new()];
    for specialization in kernel.specializations() {
        let with = |chosen: &Vec<&'static str>, option| chosen.iter().copied().chain([option]).collect();
        let options = specialization.options.iter();
        variants = options
            .flat_map(|option| variants.iter().map(move |chosen| with(chosen, *option)))
            .collect();
    }
    variants
}

#[test]
fn every_variant_compiles_and_fits_the_default_limits() {
    assert_eq!(
        ALL.iter().filter(|kernel| kernel.name().starts_with("abi_")).count(),
        12
    );
    for kernel in ALL {
        for options in variants(kernel) {
            for live in [false, true] {
                // The variants of COUNT go with their domain.
                if options.contains(&"device") != live && kernel.specializations().any(|s| s.name == "COUNT") {
                    continue;
                }
                let source = kernel.full_wgsl(&options, live).unwrap();
                let what = format!("{} {options:?}", kernel.name());
                let module = naga::front::wgsl::parse_str(&source)
                    .unwrap_or_else(|error| panic!("{what}: {}", error.emit_to_string(&source)));
                let flags = naga::valid::ValidationFlags::all();
                naga::valid::Validator::new(flags, naga::valid::Capabilities::empty())
                    .validate(&module)
                    .unwrap_or_else(|error| panic!("{what}: {}", error.emit_to_string(&source)));
                let appends = kernel.bindings().filter(|b| b.access == Access::Append).count();
                let binds_count = kernel.bindings().any(|b| b.name == "domain_count");
                let declared = kernel.bindings().count() + appends + usize::from(live && !binds_count);
                let storage = |space| matches!(space, naga::AddressSpace::Storage { .. });
                let bound = module.global_variables.iter().filter(|(_, v)| storage(v.space)).count();
                assert_eq!(
                    bound, declared,
                    "{what}: a buffer for each binding and counter, and one for the live count"
                );
                assert!(bound <= 8, "{what}: {bound} storage buffers");
            }
        }
    }
}
