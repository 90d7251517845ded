//! What can go wrong, each error naming the thing, what was expected and what arrived.

use crate::column::Element;

/// The crate's result.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Everything this crate refuses or fails at.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The caller's [`CancelToken`](crate::CancelToken) was set; queued work keeps its place.
    #[error("cancelled")]
    Cancelled,
    /// No adapter answers the options.
    #[error(
        "no GPU adapter fits: wanted {wanted}; found {found}; install a driver, change the options or use Device::cpu"
    )]
    NoAdapter {
        /// What the options asked for.
        wanted: String,
        /// The adapters that there are, or "none".
        found: String,
    },
    /// A device that was handed in lacks features or limits.
    #[error("the wgpu device of {found} cannot be used: it lacks {lacks}")]
    Unsuitable {
        /// The device's adapter.
        found: String,
        /// All that it lacks, of limits both numbers.
        lacks: String,
    },
    /// A buffer is larger than the device binds.
    #[error(
        "{what} takes {bytes} bytes and the device binds at most {limit}; split it or ask for the adapter's limits"
    )]
    TooLarge {
        /// The column or binding.
        what: String,
        /// Bytes asked for.
        bytes: u64,
        /// Bytes the device allows.
        limit: u64,
    },
    /// A count is past what the device runs.
    #[error("{what}: {found} is past the limit of {limit}")]
    TooMany {
        /// What was counted.
        what: String,
        /// The count that arrived.
        found: u64,
        /// The largest count allowed.
        limit: u64,
    },
    /// Data whose length is no multiple of its lanes, or lanes of zero.
    #[error("{what}: {words} words do not divide into elements of {lanes} lanes")]
    BadLanes {
        /// The column.
        what: String,
        /// Words that arrived.
        words: u64,
        /// Lanes an element.
        lanes: u32,
    },
    /// The arguments name something that the kernel does not declare.
    #[error("kernel `{kernel}` has no `{binding}`; it has {known}")]
    UnknownBinding {
        /// The kernel.
        kernel: String,
        /// The name that arrived.
        binding: String,
        /// The names that the kernel declares.
        known: String,
    },
    /// An argument was given twice.
    #[error("kernel `{kernel}` was given `{binding}` twice")]
    DuplicateArg {
        /// The kernel.
        kernel: String,
        /// The name.
        binding: String,
    },
    /// A read or in-place binding was left out.
    #[error("kernel `{kernel}` needs a column for `{binding}`")]
    MissingBinding {
        /// The kernel.
        kernel: String,
        /// The binding left out.
        binding: String,
    },
    /// A column of the wrong element kind.
    #[error("kernel `{kernel}`, binding `{binding}`: expected a column of {expected}, got one of {found}")]
    WrongElement {
        /// The kernel, or the operation.
        kernel: String,
        /// The binding.
        binding: String,
        /// The declared element.
        expected: Element,
        /// What arrived.
        found: Element,
    },
    /// A column was read back as another kind of number than it holds.
    #[error("the column holds {holds} and was to be read as {asked}; read it as {holds}, or cast it first")]
    WrongRead {
        /// What the column's words are.
        holds: Element,
        /// What the caller asked for.
        asked: Element,
    },
    /// A column of the wrong length or lanes for a binding that is written.
    #[error("kernel `{kernel}`, binding `{binding}`: expected {expected}, got {found}")]
    WrongShape {
        /// The kernel, or the operation.
        kernel: String,
        /// The binding.
        binding: String,
        /// The shape that the rule asks for.
        expected: String,
        /// The shape that arrived.
        found: String,
    },
    /// An argument of the wrong kind: a number for a column, a fraction for an integer.
    #[error("kernel `{kernel}`, `{name}`: expected {expected}, got {found}")]
    WrongArg {
        /// The kernel.
        kernel: String,
        /// The argument.
        name: String,
        /// What the declaration says.
        expected: String,
        /// What arrived.
        found: String,
    },
    /// A specialization option that the kernel does not list.
    #[error("kernel `{kernel}`: `{name}` has no option `{found}`; it has {known}")]
    UnknownOption {
        /// The kernel.
        kernel: String,
        /// The specialization.
        name: String,
        /// The option that arrived.
        found: String,
        /// The options there are.
        known: String,
    },
    /// One column is bound twice in a dispatch that writes it.
    #[error("kernel `{kernel}` writes `{a}` and also binds the same column as `{b}`; copy it first")]
    Aliased {
        /// The kernel.
        kernel: String,
        /// The binding that writes.
        a: String,
        /// The other binding.
        b: String,
    },
    /// A column, list or slot of another device or list.
    #[error("{what} belongs to another {owner}")]
    Foreign {
        /// What was handed in.
        what: String,
        /// "device" or "list".
        owner: &'static str,
    },
    /// A column that [`Recorder::fuse`](crate::Recorder::fuse) was not told to keep: the list may never write it.
    #[error("{what} is not kept by the fused list that it was recorded in; name the column in Recorder::fuse")]
    NotKept {
        /// "a column", or what of it.
        what: &'static str,
    },
    /// A column that nothing has written: the list that makes it was not submitted, or was abandoned before it ran.
    #[error("{what} was never written; submit the list that makes it first")]
    Unwritten {
        /// "a column", or what of it.
        what: &'static str,
    },
    /// A kernel's declaration contradicts itself.
    #[error("kernel `{kernel}` is declared wrongly: {message}")]
    BadKernel {
        /// The kernel.
        kernel: String,
        /// What is wrong.
        message: String,
    },
    /// A CPU function asked its bindings for something that is not there, took a binding twice, or panicked.
    #[error("kernel `{kernel}`, CPU function: {message}")]
    BadTwin {
        /// The kernel.
        kernel: String,
        /// What it asked for, or the words of its panic.
        message: String,
    },
    /// WGSL that does not compile.
    #[error("the WGSL of kernel `{kernel}` does not compile: {message}")]
    BadShader {
        /// The kernel.
        kernel: String,
        /// The compiler's message, with the author's line.
        message: String,
    },
    /// A file that an author wrote, at fault at that place.
    #[error("{file}:{line}:{column}: {message}")]
    BadSource {
        /// What the file is called.
        file: String,
        /// The line, from 1.
        line: u32,
        /// The column in characters, from 1.
        column: u32,
        /// What is wrong.
        message: String,
    },
    /// A kernel without a CPU function was to run on a CPU device.
    #[error("kernel `{kernel}` has no CPU function and runs on a GPU only")]
    GpuOnly {
        /// The kernel.
        kernel: String,
    },
    /// An operator that has no exact form where one was asked for.
    #[error("`{op}` is not exact: {why}")]
    NotExact {
        /// The operator.
        op: String,
        /// Why not, and what to use instead.
        why: String,
    },
    /// An operator was given registers of the wrong kinds or number.
    #[error("`{op}`: expected {expected}, got {found}")]
    WrongKind {
        /// The operator.
        op: String,
        /// The kinds it takes.
        expected: String,
        /// What arrived.
        found: String,
    },
    /// An argument outside its range.
    #[error("{what}: expected {expected}, got {found}")]
    Invalid {
        /// What was given.
        what: String,
        /// The range.
        expected: String,
        /// What arrived.
        found: String,
    },
    /// A host function returned something else than it declares.
    #[error("function `{function}` declares that it returns {expected}, and returned {found}")]
    BadReturn {
        /// The function.
        function: String,
        /// The types declared.
        expected: String,
        /// The types that came back.
        found: String,
    },
    /// A host function panicked.
    #[error("function `{function}` panicked: {message}")]
    HostPanic {
        /// The function.
        function: String,
        /// The words of its panic.
        message: String,
    },
    /// A host function took longer than it may.
    #[error("function `{function}` took {took_ms} ms and may take {ceiling_ms}")]
    OverCeiling {
        /// The function.
        function: String,
        /// Milliseconds it took.
        took_ms: f64,
        /// Milliseconds it may take.
        ceiling_ms: f64,
    },
    /// Two devices do not agree on what a kernel writes.
    #[cfg(feature = "parity")]
    #[error("{0}")]
    Differs(Box<crate::parity::Difference>),
    /// The submission that is waited for was [abandoned](crate::Submission::abandon).
    #[error("the submission was abandoned before it ran to its end")]
    Abandoned,
    /// An answer arrives once: it was handed out by `try_take` or by an `.await` before.
    #[error("the answer was taken already; ask for it again")]
    Taken,
    /// The thread that built a program panicked. What fails is not kept, so the next who asks builds it.
    #[error("the thread that was building the program panicked; ask for the program again")]
    BuildPanicked,
    /// The operating system gave no thread.
    #[error("no thread {purpose}: {message}")]
    NoThread {
        /// What it was wanted for.
        purpose: &'static str,
        /// The system's words.
        message: String,
    },
    /// Memory ran out, or the device's [memory limit](crate::Device::set_memory_limit) was reached, and it was not enough
    /// to free the pool.
    #[error("out of memory: {what}{}, and {live} are in use already{}", takes(*bytes), of_limit(*limit))]
    OutOfMemory {
        /// What was to be made.
        what: String,
        /// Its size in bytes; 0 where only the driver knows it, as of a pipeline.
        bytes: u64,
        /// Bytes of the buffers that columns hold, and of those through which a GPU is being read back.
        live: u64,
        /// The device's memory limit, where that is what it went past; `None` where the driver or the allocator had no
        /// more.
        limit: Option<u64>,
    },
    /// The GPU refused something that this crate should have refused first.
    #[error("the GPU refused {what}: {message}")]
    Gpu {
        /// What was being done.
        what: String,
        /// The driver's words.
        message: String,
    },
    /// The GPU was lost or reset; make a new device.
    #[error("the device was lost: {reason}")]
    DeviceLost {
        /// The driver's words.
        reason: String,
    },
    /// The GPU did not answer for a long time.
    #[error("the device did not answer for {seconds} s while {what}")]
    Stalled {
        /// What was waited for.
        what: &'static str,
        /// How long.
        seconds: u32,
    },
}

/// How much was asked for, in words.
fn of_limit(limit: Option<u64>) -> String {
    limit.map_or_else(String::new, |limit| {
        format!(" of the {limit} that the device's memory limit allows")
    })
}

fn takes(bytes: u64) -> String {
    match bytes {
        0 => ", of a size that the driver knows".to_owned(),
        bytes => format!(" takes {bytes} bytes"),
    }
}
