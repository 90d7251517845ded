//! The examples that `cargo xtask test` runs: each headless, on each device, its files looked at.

use crate::shell::{Result, Run};
use crate::workspace::Workspace;
use crate::{no_arguments, setup};
use std::path::{Path, PathBuf};

/// A program of `examples/` and the files it must write.
pub(crate) struct Example {
    pub(crate) name: &'static str,
    files: &'static [&'static str],
}

impl Example {
    /// The files that it must write.
    pub(crate) fn files(&self) -> &'static [&'static str] {
        self.files
    }
}

/// The one list of examples. Every program of `examples/src/bin` is in it, or is named below it.
pub(crate) const EXAMPLES: &[Example] = &[
    Example {
        name: "hillshade",
        files: &["hillshade.png"],
    },
    Example {
        name: "host_device",
        files: &["host_device.png"],
    },
    Example {
        name: "scatter",
        files: &["scatter.glb"],
    },
    Example {
        name: "crowd",
        files: &["crowd.glb"],
    },
    Example {
        name: "tower",
        files: &["tower.glb"],
    },
    Example {
        name: "particles",
        files: &["particles.glb"],
    },
];

/// Examples of crates that need no device: the crate's name, the program's, and the files that it must write.
const CRATE_EXAMPLES: &[(&str, Example)] = &[(
    "zero-assets",
    Example {
        name: "new_world",
        files: &["report.txt", "stories.zip"],
    },
)];

/// Programs of `examples/src/bin` that are not run as examples, each a command of its own.
pub(crate) const NOT_EXAMPLES: &[&str] = &["counts"];

/// Runs every example on the CPU and on a GPU, and compares their files where the GPU is a software adapter.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let folder = workspace.root.join("target/smoke");
    let gpu = setup::has_vulkan();
    if !gpu && std::env::var_os("CI").is_some() {
        return Err("no Vulkan adapter was found: the examples must run on a GPU too".into());
    }
    for (krate, example) in CRATE_EXAMPLES {
        let out = emptied(&folder.join(krate).join(example.name))?;
        let program = workspace.build_example(example.name)?;
        run_in(example, &program, &[], &out)?;
        eprintln!("{} of {krate}: passed", example.name);
    }
    for example in EXAMPLES {
        let program = workspace.program(example.name)?;
        let cpu = on_device(example, &program, &folder, "cpu")?;
        if !gpu {
            eprintln!(
                "{}: passed on the CPU; SKIPPED on the GPU, since no Vulkan adapter was found",
                example.name
            );
            continue;
        }
        let gpu = on_device(example, &program, &folder, "gpu")?;
        // Hardware may round arithmetic within a stated bound; the software adapter gives the CPU's own bytes.
        if gpu.software {
            same_files(example, &cpu.folder, &gpu.folder)?;
        }
        let compared = if gpu.software { ", byte for byte the same" } else { "" };
        eprintln!("{}: passed on the CPU and on {}{compared}", example.name, gpu.device);
    }
    Ok(())
}

/// `cargo xtask counts`: builds the program of that name and runs it; it fails where a guarantee does not hold.
pub(crate) fn counts(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    no_arguments("counts", arguments)?;
    Run::new(workspace.build_program("counts")?).go()
}

/// The same for the step of `cargo xtask test`, which has built it.
pub(crate) fn measured(workspace: &Workspace) -> Result<()> {
    Run::new(workspace.program("counts")?).go()
}

/// What a run of an example left.
struct Left {
    folder: PathBuf,
    /// What it says of the device that it ran on.
    device: String,
    software: bool,
}

fn on_device(example: &Example, program: &Path, folder: &Path, device: &str) -> Result<Left> {
    let out = emptied(&folder.join(example.name).join(device))?;
    let output = run_in(example, program, &["--device", device], &out)?;
    let said = output
        .lines()
        .find_map(|line| line.strip_prefix("device: "))
        .ok_or_else(|| format!("example `{}` printed no line `device: NAME`", example.name))?;
    Ok(Left {
        folder: out,
        device: said.to_owned(),
        software: said.ends_with("(software)"),
    })
}

/// A folder that an example writes into, without what an earlier run left.
fn emptied(folder: &Path) -> Result<PathBuf> {
    if folder.exists() {
        std::fs::remove_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    Ok(folder.to_path_buf())
}

/// Runs an example headless, sees to its files, and answers what it printed.
fn run_in(example: &Example, program: &Path, arguments: &[&str], out: &Path) -> Result<String> {
    let output = Run::new(program)
        .arg("--headless")
        .args(arguments)
        .arg("--out")
        .arg(out)
        .read()
        .map_err(|message| format!("example `{}` {}: {message}", example.name, arguments.join(" ")))?;
    for file in example.files {
        let path = out.join(file);
        match std::fs::metadata(&path) {
            Ok(found) if found.len() > 0 => {}
            Ok(_) => return Err(format!("example `{}` left an empty {}", example.name, path.display())),
            Err(error) => {
                return Err(format!(
                    "example `{}` left no {}: {error}",
                    example.name,
                    path.display()
                ));
            }
        }
    }
    Ok(output)
}

fn same_files(example: &Example, a: &Path, b: &Path) -> Result<()> {
    let read = |path: PathBuf| std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()));
    for file in example.files {
        if read(a.join(file))? != read(b.join(file))? {
            return Err(format!(
                "example `{}`: {file} differs between {} and {}",
                example.name,
                a.display(),
                b.display()
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_differ_are_named() {
        let folder = std::env::temp_dir().join(format!("xtask-smoke-{}", std::process::id()));
        let (a, b) = (folder.join("a"), folder.join("b"));
        for side in [&a, &b] {
            std::fs::create_dir_all(side).unwrap();
            std::fs::write(side.join("f"), "same").unwrap();
        }
        let example = Example {
            name: "e",
            files: &["f"],
        };
        let same = same_files(&example, &a, &b);
        std::fs::write(b.join("f"), "other").unwrap();
        let other = same_files(&example, &a, &b);
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(same, Ok(()));
        assert!(other.unwrap_err().contains("`e`: f differs"));
    }
}
