//! `cargo xtask package`: every published crate as a registry would receive it.

use crate::no_arguments;
use crate::shell::{Result, Run};
use crate::workspace::Workspace;

/// Packages all published crates in one call, so that they may depend on each other's versions before any of them is
/// on a registry. What was packaged is not built; the working tree may hold changes.
pub(crate) fn package(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    no_arguments("package", arguments)?;
    let mut run = Run::cargo(&workspace.root).args(["package", "--no-verify", "--allow-dirty", "--offline"]);
    for member in workspace.members.iter().filter(|member| member.published()) {
        run = run.args(["--package", &member.name]);
    }
    run.go()
}
