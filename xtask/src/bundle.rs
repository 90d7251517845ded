//! `cargo xtask device-bundle`: optimised programs for a machine that has a GPU and no toolchain.

use crate::no_arguments;
use crate::shell::{Result, Run};
use crate::workspace::Workspace;
use std::path::{Path, PathBuf};

/// A program of the bundle, with the arguments that `run.sh` gives it; `$out` there is the folder for its files.
struct Program {
    package: &'static str,
    /// `--bin`, or `--example` for a program that a library ships.
    kind: &'static str,
    name: &'static str,
    arguments: &'static str,
}

const PROGRAMS: &[Program] = &[
    Program {
        package: "zero-compute",
        kind: "--example",
        name: "replay_bench",
        arguments: "--adapter hardware",
    },
    // Two hundred of the soak's command lists, held to the CPU's bits.
    Program {
        package: "zero-compute",
        kind: "--example",
        name: "soak",
        arguments: "--adapter hardware --from 0 --count 200 --tallies \"$out/soak.txt\"",
    },
    Program {
        package: "zero-examples",
        kind: "--bin",
        name: "counts",
        arguments: "",
    },
    Program {
        package: "zero-examples",
        kind: "--bin",
        name: "hillshade",
        arguments: "--headless --device gpu --out \"$out/hillshade\"",
    },
];

/// What `run.sh` does before the first program.
const RUN_HEAD: &str = r#"#!/bin/sh
# Runs every program of this folder on the machine's GPU. Files go to $OUT, or to `out` beside this script.
# A machine with a driver and no Vulkan loader: put the loader's packages in `.gl` of the folder that this is called
# from (apt-get download libvulkan1 libegl1 libglvnd0 libgl1 libglx0); as root they are unpacked here.
set -u
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
out=${OUT:-$here/out}
mkdir -p "$out"
if ! ldconfig -p | grep -q libvulkan.so.1; then
    for deb in .gl/*.deb; do
        if [ -e "$deb" ]; then dpkg -x "$deb" / || exit 1; fi
    done
    ldconfig
fi
failed=0
run() {
    echo "== $*"
    "$@" || { echo "== failed with $?: $1"; failed=1; }
}
"#;

/// Builds, strips and lays out the bundle, and prints what to carry to the other machine.
pub(crate) fn bundle(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    no_arguments("device-bundle", arguments)?;
    let folder = workspace.root.join("target/device-bundle");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut script = RUN_HEAD.to_owned();
    for Program {
        package,
        kind,
        name,
        arguments,
    } in PROGRAMS
    {
        let built = build(workspace, package, kind, name)?;
        Run::new("strip").arg("-o").arg(folder.join(name)).arg(&built).go()?;
        script.push_str(&format!("run \"$here/{name}\" {arguments}\n"));
    }
    script.push_str("exit $failed\n");
    let path = folder.join("run.sh");
    std::fs::write(&path, script).map_err(|error| format!("{}: {error}", path.display()))?;
    println!("carry these, and call `sh target/device-bundle/run.sh` there:");
    println!(
        "  target/device-bundle  {:.1} MiB",
        bytes(&folder)? as f64 / f64::from(1 << 20)
    );
    println!(
        "  .gl                   only where no Vulkan loader is: apt-get download libvulkan1 libegl1 libglvnd0 libgl1 libglx0, in that folder"
    );
    Ok(())
}

fn build(workspace: &Workspace, package: &str, kind: &str, name: &str) -> Result<PathBuf> {
    Run::cargo(&workspace.root)
        .args(["build", "--release", "--package", package, kind, name])
        .go()?;
    let debug = workspace.programs()?;
    let target = debug
        .parent()
        .ok_or_else(|| format!("{} lies in no folder", debug.display()))?;
    let release = target.join("release");
    Ok(if kind == "--example" {
        release.join("examples").join(name)
    } else {
        release.join(name)
    })
}

fn bytes(folder: &Path) -> Result<u64> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut sum = 0;
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        sum += entry.and_then(|entry| entry.metadata()).map_err(failed)?.len();
    }
    Ok(sum)
}
