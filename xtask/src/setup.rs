//! What the machine must have besides a Rust toolchain: a Vulkan driver, and a C++ compiler once Luau is built.

use crate::shell::{Result, Run, on_path};
use crate::workspace::Workspace;
use std::path::Path;

/// Packages of the software driver: the Vulkan loader and Mesa's drivers, `llvmpipe` among them.
const DRIVER: [&str; 2] = ["mesa-vulkan-drivers", "libvulkan1"];
const COMPILER: [&str; 1] = ["g++"];

/// Sees to the machine: installs what is missing as root on a Debian-like system, else prints the one command.
/// A missing driver leaves out the tests that need one; a missing compiler stops, since nothing would build.
pub(crate) fn prepare(workspace: &Workspace) -> Result<()> {
    if needs_compiler(workspace)?
        && !has_compiler()
        && !install("a C++ compiler (Luau is built from source)", &COMPILER)?
    {
        return Err("a C++ compiler is needed; install it with the command above".into());
    }
    if !has_vulkan()
        && let Err(message) = install("a Vulkan driver", &DRIVER)
    {
        eprintln!("{message}\ngoing on without a Vulkan driver");
    }
    Ok(())
}

/// Whether a Vulkan loader and a driver for it are installed.
pub(crate) fn has_vulkan() -> bool {
    if cfg!(not(target_os = "linux")) {
        // Metal and Direct3D come with the system.
        return true;
    }
    let named = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"]
        .iter()
        .any(|name| std::env::var_os(name).is_some());
    (named || has_driver_file()) && has_loader()
}

fn has_driver_file() -> bool {
    [
        "/usr/share/vulkan/icd.d",
        "/usr/local/share/vulkan/icd.d",
        "/etc/vulkan/icd.d",
    ]
    .iter()
    .any(|folder| {
        std::fs::read_dir(folder).is_ok_and(|entries| {
            entries
                .flatten()
                .any(|entry| entry.path().extension().is_some_and(|extension| extension == "json"))
        })
    })
}

fn has_loader() -> bool {
    // `ldconfig` lies in a folder that is not on every person's PATH.
    ["ldconfig", "/sbin/ldconfig", "/usr/sbin/ldconfig"]
        .iter()
        .any(|program| {
            Run::new(program)
                .arg("-p")
                .read()
                .is_ok_and(|listing| listing.contains("libvulkan.so.1"))
        })
}

fn needs_compiler(workspace: &Workspace) -> Result<bool> {
    let path = workspace.root.join("Cargo.lock");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(text.lines().any(|line| line == "name = \"mlua-sys\""))
}

fn has_compiler() -> bool {
    std::env::var_os("CXX").is_some() || ["c++", "g++", "clang++"].iter().any(|program| on_path(program))
}

/// Installs packages where that is ours to do, and answers whether it did.
fn install(what: &str, packages: &[&str]) -> Result<bool> {
    let list = packages.join(" ");
    if !Path::new("/etc/debian_version").exists() || !on_path("apt-get") {
        eprintln!("{what} is missing; on Debian or Ubuntu it is: apt-get install {list}");
        return Ok(false);
    }
    if !is_root() {
        eprintln!("{what} is missing; install it with: sudo apt-get install -y --no-install-recommends {list}");
        return Ok(false);
    }
    eprintln!("{what} is missing: installing {list}");
    let apt = || Run::new("apt-get").env("DEBIAN_FRONTEND", "noninteractive");
    apt().args(["update", "-q"]).go()?;
    apt()
        .args(["install", "-q", "-y", "--no-install-recommends"])
        .args(packages)
        .go()?;
    Ok(true)
}

fn is_root() -> bool {
    Run::new("id").arg("-u").read().is_ok_and(|user| user.trim() == "0")
}
