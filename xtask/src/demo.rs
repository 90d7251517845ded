//! `cargo xtask demo` and `cargo xtask demo-compare`: the programs of those names, once the machine can build them.

use crate::setup;
use crate::shell::{Result, Run};
use crate::workspace::Workspace;

/// `cargo xtask demo`: sees to the machine, then runs the demo with the person's own arguments, from the root.
pub(crate) fn demo(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    setup::prepare(workspace)?;
    program(workspace, "demo", arguments)
}

/// `cargo xtask demo-compare A B`: fails unless two runs made the same landscape.
pub(crate) fn compare(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    if arguments.len() != 2 {
        return Err(format!(
            "`demo-compare` takes the folders of two runs, found {} arguments",
            arguments.len()
        ));
    }
    setup::prepare(workspace)?;
    program(workspace, "demo-compare", arguments)
}

fn program(workspace: &Workspace, name: &str, arguments: &[String]) -> Result<()> {
    let program = workspace.build_program(name)?;
    Run::new(program).within(&workspace.root).args(arguments).go()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comparison_of_other_than_two_runs_is_refused() {
        let workspace = Workspace::open().unwrap();
        let message = compare(&workspace, &["a".to_owned()]).unwrap_err();
        assert!(message.contains("found 1 arguments"), "{message}");
    }
}
