//! What the machine must have besides a Rust toolchain: a Vulkan driver, and a C++ compiler once Luau is built.

use crate::shell::{Result, Run, on_path};
use crate::workspace::Workspace;
use std::path::{Path, PathBuf};

/// Packages of the software driver: the Vulkan loader and Mesa's drivers, `llvmpipe` among them.
const DRIVER: [&str; 2] = ["mesa-vulkan-drivers", "libvulkan1"];
const COMPILER: [&str; 1] = ["g++"];

/// Sees to the machine: installs what is missing as root on a Debian-like system, else prints the one command.
/// A missing driver leaves out the tests that need one; a missing compiler stops, since nothing would build.
pub(crate) fn prepare(workspace: &Workspace) -> Result<()> {
    compiler(workspace)?;
    if !has_vulkan()
        && let Err(message) = install("a Vulkan driver", &DRIVER)
    {
        eprintln!("{message}\ngoing on without a Vulkan driver");
    }
    Ok(())
}

/// Sees to the C++ compiler alone.
pub(crate) fn compiler(workspace: &Workspace) -> Result<()> {
    if needs_compiler(workspace)?
        && !has_compiler()
        && !install("a C++ compiler (Luau is built from source)", &COMPILER)?
    {
        return Err("a C++ compiler is needed; install it with the command above".into());
    }
    Ok(())
}

/// Whether there is a Vulkan adapter to open: a loader, and a driver that has what it drives. A driver of hardware that
/// is not there (as images for containers carry them) is none.
pub(crate) fn has_vulkan() -> bool {
    if cfg!(not(target_os = "linux")) {
        // Metal and Direct3D come with the system.
        return true;
    }
    has_loader() && any_drives(&drivers(), DEVICE_NODES.iter().any(|node| any_starts_with(node)))
}

/// Files of the system that a GPU shows itself by: of the kernel's own drivers, of NVIDIA's, of Windows' subsystem.
const DEVICE_NODES: [&str; 3] = ["/dev/dri/renderD", "/dev/nvidia0", "/dev/dxg"];

/// Whether one of the drivers can be opened: a software driver always, any other where a GPU is.
fn any_drives(drivers: &[PathBuf], gpu: bool) -> bool {
    let software = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("lvp_icd") || name.contains("swiftshader")
    };
    drivers.iter().any(|driver| gpu || software(driver))
}

/// The manifests of the drivers that the loader would look at: those that the environment names, else those installed.
fn drivers() -> Vec<PathBuf> {
    for name in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"] {
        if let Some(named) = std::env::var_os(name) {
            return std::env::split_paths(&named).filter(|path| path.exists()).collect();
        }
    }
    let folders = [
        "/usr/share/vulkan/icd.d",
        "/usr/local/share/vulkan/icd.d",
        "/etc/vulkan/icd.d",
    ];
    let entries = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok());
    let files = entries.flatten().flatten().map(|entry| entry.path());
    files
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect()
}

/// Whether a file is there whose path begins so.
fn any_starts_with(start: &str) -> bool {
    let Some((folder, name)) = start.rsplit_once('/') else {
        return false;
    };
    std::fs::read_dir(folder).is_ok_and(|entries| {
        entries
            .flatten()
            .any(|entry| entry.file_name().to_string_lossy().starts_with(name))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_driver_of_hardware_that_is_not_there_is_none() {
        let [nvidia, software] = ["/i/nvidia_icd.json", "/i/lvp_icd.x86_64.json"].map(PathBuf::from);
        assert!(!any_drives(&[], true));
        assert!(!any_drives(std::slice::from_ref(&nvidia), false));
        assert!(any_drives(std::slice::from_ref(&nvidia), true));
        assert!(any_drives(&[nvidia, software], false));
    }

    #[test]
    fn a_device_node_is_found_by_how_it_begins() {
        assert!(any_starts_with("/dev/nul"));
        assert!(!any_starts_with("/dev/no-such-node"));
        assert!(!any_starts_with("/no-such-folder/x"));
    }
}
