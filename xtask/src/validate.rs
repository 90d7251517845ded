//! `cargo xtask validate`: the Khronos glTF validator over what the examples and the demo write. It needs Node and the
//! network once, so it is run by hand.

use crate::shell::{Result, Run, on_path};
use crate::smoke;
use crate::workspace::Workspace;
use std::path::{Path, PathBuf};

/// The validator, as Khronos publishes it.
const PACKAGE: &str = "gltf-validator@2.0.0-dev.3.10";

/// Prints a line a file with what was found, and exits with 1 where anything is an error or a warning.
const SCRIPT: &str = r#"const validator = require('gltf-validator');
const fs = require('fs');
(async () => {
  let bad = 0;
  for (const file of process.argv.slice(2)) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), { uri: file });
    const { numErrors, numWarnings, numInfos, messages } = report.issues;
    console.log(`${file}: ${numErrors} errors, ${numWarnings} warnings, ${numInfos} infos`);
    for (const message of messages) console.log(`  ${message.code} ${message.pointer || ''} ${message.message}`);
    bad += numErrors + numWarnings;
  }
  process.exit(bad === 0 ? 0 : 1);
})().catch((error) => { console.error(error); process.exit(2); });
"#;

/// Validates the files that are named, or what the smoke list and the demo have left in `target`.
pub(crate) fn validate(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    if !on_path("node") || !on_path("npm") {
        return Err("the validator runs on Node: install node and npm (apt-get install nodejs npm)".into());
    }
    let files = match arguments.is_empty() {
        true => written(&workspace.root.join("target"))?,
        false => arguments
            .iter()
            .map(|name| found(Path::new(name)))
            .collect::<Result<_>>()?,
    };
    let folder = workspace.root.join("target/validator");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let npm = Run::new("npm")
        .within(&folder)
        .args(["install", "--silent", "--no-save"]);
    npm.arg(PACKAGE).go()?;
    let script = folder.join("validate.js");
    std::fs::write(&script, SCRIPT).map_err(|error| format!("{}: {error}", script.display()))?;
    Run::new("node").arg(&script).args(&files).go()
}

/// The path from anywhere, since the validator runs in a folder of its own.
fn found(path: &Path) -> Result<PathBuf> {
    std::fs::canonicalize(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The `.glb` files of the last smoke run and the last demo.
fn written(target: &Path) -> Result<Vec<PathBuf>> {
    let smoke = smoke::EXAMPLES.iter().flat_map(|example| {
        let folder = target.join("smoke").join(example.name).join("cpu");
        example.files().iter().map(move |file| folder.join(file))
    });
    let all = smoke.chain([target.join("demo/landscape.glb")]);
    let files: Vec<PathBuf> = all
        .filter(|path| path.extension().is_some_and(|ending| ending == "glb") && path.is_file())
        .collect();
    match files.is_empty() {
        true => Err("nothing to validate: run `cargo xtask test examples` or `cargo xtask demo` first".into()),
        false => Ok(files),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_target_is_told() {
        let folder = std::env::temp_dir().join(format!("xtask-validate-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("smoke/scatter/cpu")).unwrap();
        let nothing = written(&folder);
        std::fs::write(folder.join("smoke/scatter/cpu/scatter.glb"), "glTF").unwrap();
        let one = written(&folder);
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(nothing.unwrap_err().contains("cargo xtask demo"));
        assert_eq!(one.unwrap().len(), 1);
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        assert!(found(Path::new("no/such.glb")).unwrap_err().contains("no/such.glb"));
    }
}
