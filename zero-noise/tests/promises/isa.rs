//! Both instruction sets are there to be compared.

#[test]
fn ci_runs_both_instruction_sets() {
    #[cfg(target_arch = "x86_64")]
    if !std::arch::is_x86_feature_detected!("avx2") {
        assert!(
            std::env::var_os("CI").is_none(),
            "CI needs a processor with AVX2: without it both instruction sets are the baseline"
        );
        eprintln!("SKIPPED ON AVX2: the processor has none, so both instruction sets are the baseline");
    }
}
