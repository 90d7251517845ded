//! Kernels that an author writes as files: what a `bindings.yaml` and its WGSL mean, and what they are refused for,
//! each with file and line.

#![expect(
    clippy::unwrap_used,
    reason = "the lints spare test functions alone, not what they call"
)]

#[path = "../common/mod.rs"]
mod common;

#[path = "../abi/kernels.rs"]
mod builtin;
mod calls;
mod conformance;
mod declared;
mod meaning;
mod programs;
mod refused;
mod robust;
mod trees;
mod walks;

use std::path::{Path, PathBuf};

use zero_compute::author::{AuthorKernel, Loader, SourceFile};
use zero_compute::{Column, Device, Result};

/// The folder of a sample kernel.
fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/author/kernels")
        .join(name)
}

/// A sample kernel, for a GPU only.
fn sample(name: &str) -> AuthorKernel {
    Loader::new().load_folder(&folder(name)).unwrap()
}

/// A kernel of these two texts.
fn load(bindings: &str, wgsl: &str) -> Result<AuthorKernel> {
    Loader::new().load(
        "sample",
        &SourceFile::new("k/bindings.yaml", bindings),
        &SourceFile::new("k/sample.wgsl", wgsl),
    )
}

/// A software GPU, where there is one: all tests of a process have the same, so nothing is counted on it.
fn gpu() -> Option<&'static Device> {
    use std::sync::LazyLock;
    static GPU: LazyLock<Option<Device>> = LazyLock::new(common::gpu);
    GPU.as_ref()
}

fn floats(column: &Column) -> Vec<f32> {
    column.read::<f32>().unwrap().wait().unwrap()
}

fn words(column: &Column) -> Vec<u32> {
    column.read::<u32>().unwrap().wait().unwrap()
}

/// What stands in front of the body of a kernel of one thread an element, and after it.
fn body(inner: &str) -> String {
    format!(
        "@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {{
    let i = zero_index(gid, nw);
    {inner}
}}
"
    )
}
