//! Which instruction set a block function runs on.

/// The instruction set of a block function. The bits it writes are the same on all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Isa {
    /// The best that the processor has: AVX2 where it is found at run time, else the baseline.
    #[default]
    Auto,
    /// What every processor of the architecture has (SSE2, NEON), for tests and comparisons.
    Baseline,
}

/// Elements that a block function holds on the stack at a time.
pub(crate) const CHUNK: usize = 128;

/// Makes a function of slices run on either instruction set. `body` is inlined into both clones, so that the
/// compiler vectorises it for each; AVX2 is enabled without FMA, and Rust contracts nothing by itself.
macro_rules! dispatch {
    ($isa:expr, $body:path, ($($arg:ident: $ty:ty),* $(,)?)) => {{
        #[multiversion::multiversion(targets("x86_64+avx+avx2"))]
        fn auto($($arg: $ty),*) {
            $body($($arg),*);
        }
        fn baseline($($arg: $ty),*) {
            $body($($arg),*);
        }
        match $isa {
            $crate::Isa::Auto => auto($($arg),*),
            $crate::Isa::Baseline => baseline($($arg),*),
        }
    }};
}
pub(crate) use dispatch;
