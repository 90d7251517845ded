//! `cargo xtask test`: the steps, in the order that compiles the least before the first failure, the tests last.

use crate::shell::{Result, Run};
use crate::workspace::{Member, WHOLE, Workspace};
use crate::{licences, own_project, package, setup, smoke, tidy};
use std::path::Path;
use std::time::Instant;

/// One step of `cargo xtask test`.
struct Step {
    name: &'static str,
    about: &'static str,
    run: fn(&Workspace) -> Result<Outcome>,
}

/// How a step ended that did not fail.
enum Outcome {
    Done,
    Skipped(String),
}

const STEPS: &[Step] = &[
    Step {
        name: "setup",
        about: "a Vulkan driver and a C++ compiler, where they are missing",
        run: |w| done(setup::prepare(w)),
    },
    Step {
        name: "format",
        about: "cargo fmt --check",
        run: format,
    },
    Step {
        name: "tidy",
        about: "file lengths, manifests, documents",
        run: |w| done(tidy::check(w)),
    },
    Step {
        name: "licences",
        about: "every dependency against the allow list",
        run: |w| done(licences::check(w)),
    },
    Step {
        name: "clippy",
        about: "all targets, warnings denied",
        run: clippy,
    },
    Step {
        name: "no-gpu-tree",
        about: "no crate needs wgpu without its features",
        run: no_gpu_tree,
    },
    Step {
        name: "no-gpu-build",
        about: "each crate checked without its features, apart",
        run: no_gpu_build,
    },
    Step {
        name: "package",
        about: "each published crate as a registry would receive it",
        run: |w| done(package::package(w, &[])),
    },
    Step {
        name: "wasm",
        about: "a check for wasm32-unknown-unknown, where that target is",
        run: wasm,
    },
    Step {
        name: "rust-version",
        about: "a check with the promised Rust version, where that toolchain is",
        run: rust_version,
    },
    Step {
        name: "docs",
        about: "rustdoc, warnings denied",
        run: docs,
    },
    Step {
        name: "build",
        about: "programs and tests",
        run: build,
    },
    Step {
        name: "examples",
        about: "each example headless, its files looked at",
        run: |w| done(smoke::run(w)),
    },
    Step {
        name: "own-project",
        about: "the project that the README describes, built outside the workspace and run",
        run: |w| done(own_project::check(w)),
    },
    Step {
        name: "counts",
        about: "the guarantees about work done, measured on counters",
        run: |w| done(smoke::measured(w)),
    },
    Step {
        name: "bare-tests",
        about: "the tests of libraries that have features, without any: a server with no GPU",
        run: bare_tests,
    },
    Step {
        name: "doc-tests",
        about: "the examples in the documentation",
        run: doc_tests,
    },
    Step {
        name: "tests",
        about: "every test",
        run: |w| done(tests(w, &[])),
    },
];

/// The steps as lines of text, for the help.
pub(crate) fn list() -> String {
    let width = STEPS.iter().map(|step| step.name.len()).max().unwrap_or(0);
    STEPS
        .iter()
        .map(|step| format!("  {:width$}  {}\n", step.name, step.about))
        .collect()
}

/// Runs the steps that are named, or all of them, always in their order.
pub(crate) fn test(workspace: &Workspace, names: &[String]) -> Result<()> {
    if let Some(name) = names
        .iter()
        .find(|name| STEPS.iter().all(|step| step.name != name.as_str()))
    {
        return Err(format!("there is no step `{name}`; the steps are:\n{}", list()));
    }
    let steps: Vec<&Step> = STEPS
        .iter()
        .filter(|step| names.is_empty() || names.iter().any(|name| name == step.name))
        .collect();
    let begun = Instant::now();
    for (index, step) in steps.iter().enumerate() {
        let heading = format!("[{}/{}] {}", index + 1, steps.len(), step.name);
        // Nothing is printed after the tests, so that their runner's own summary closes the output.
        let last = step.name == "tests";
        match last {
            true => eprintln!(
                "\n{heading}: {} ({:.1} s so far)",
                step.about,
                begun.elapsed().as_secs_f64()
            ),
            false => eprintln!("\n{heading}: {}", step.about),
        }
        let step_begun = Instant::now();
        let outcome = (step.run)(workspace).map_err(|message| format!("step `{}` failed: {message}", step.name))?;
        let secs = step_begun.elapsed().as_secs_f64();
        match outcome {
            Outcome::Skipped(why) => eprintln!("{heading}: SKIPPED, {why}"),
            Outcome::Done if !last => eprintln!("{heading}: passed in {secs:.1} s"),
            Outcome::Done => {}
        }
    }
    Ok(())
}

/// The tests at full scale. With optimisation, which also shows that optimising changes no result.
pub(crate) fn full_scale(workspace: &Workspace) -> Result<()> {
    setup::prepare(workspace)?;
    tests(workspace, &["--release"])
}

fn done(result: Result<()>) -> Result<Outcome> {
    result.map(|()| Outcome::Done)
}

fn format(workspace: &Workspace) -> Result<Outcome> {
    done(Run::cargo(&workspace.root).args(["fmt", "--all", "--check"]).go())
}

fn clippy(workspace: &Workspace) -> Result<Outcome> {
    done(
        Run::cargo(&workspace.root)
            .arg("clippy")
            .args(WHOLE)
            .args(["--all-targets", "--", "--deny", "warnings"])
            .go(),
    )
}

/// Crates that draw, and programs that need one: they alone may need a GPU's library without any feature.
const MAY_NEED_GPU: [&str; 4] = ["zero-render", "zero-splat", "zero-demo", "zero-viewer"];

/// Names that no other crate's default-free build may lead to: the GPU, windows and an asynchronous runtime.
const REFUSED: [&str; 3] = ["wgpu", "winit", "tokio"];

/// Luau's binding, a C++ build: nothing but the crate for scripts may lead to it.
const LUAU: (&str, &str) = ("mlua", "zero-script");

fn without_gpu(workspace: &Workspace) -> impl Iterator<Item = &str> {
    let names = workspace.members.iter().map(|member| member.name.as_str());
    names.filter(|name| !MAY_NEED_GPU.contains(name))
}

fn no_gpu_tree(workspace: &Workspace) -> Result<Outcome> {
    for name in without_gpu(workspace) {
        let tree = Run::cargo(&workspace.root)
            .args([
                "tree",
                "--edges",
                "normal,build",
                "--package",
                name,
                "--no-default-features",
            ])
            .args(["--prefix", "none", "--format", "{p}"])
            .read()?;
        let luau = match name == LUAU.1 {
            true => None,
            false => line_of(&tree, LUAU.0),
        };
        if let Some(line) = refused_line(&tree).or(luau) {
            return Err(format!("{name} without its features still needs {line}"));
        }
    }
    Ok(Outcome::Done)
}

/// The first package of a listing whose name, or the first part of it, is refused.
pub(crate) fn refused_line(tree: &str) -> Option<&str> {
    REFUSED.iter().find_map(|refused| line_of(tree, refused))
}

/// The first package of a listing of this name, or with this name before a hyphen.
fn line_of<'a>(tree: &'a str, wanted: &str) -> Option<&'a str> {
    tree.lines().find(|line| {
        let name = line.split(' ').next().unwrap_or_default();
        name.strip_prefix(wanted)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    })
}

/// Each crate by itself: checked together, cargo would give each the features that another asks for.
fn no_gpu_build(workspace: &Workspace) -> Result<Outcome> {
    for name in without_gpu(workspace) {
        Run::cargo(&workspace.root)
            .args(["check", "--package", name, "--no-default-features"])
            .go()?;
    }
    Ok(Outcome::Done)
}

const WASM: &str = "wasm32-unknown-unknown";

/// Crates that a browser cannot run: Luau's interpreter is C++, the rest are programs.
const NOT_WASM: [&str; 5] = ["zero-script", "zero-examples", "zero-demo", "zero-viewer", "xtask"];

fn wasm(workspace: &Workspace) -> Result<Outcome> {
    let sysroot = Run::new("rustc").args(["--print", "sysroot"]).read()?;
    if !Path::new(sysroot.trim()).join("lib/rustlib").join(WASM).is_dir() {
        return Ok(Outcome::Skipped(format!("the target {WASM} is not installed")));
    }
    let mut run = Run::cargo(&workspace.root).args(["check", "--target", WASM, "--lib"]);
    for member in workspace
        .members
        .iter()
        .filter(|member| !NOT_WASM.contains(&member.name.as_str()))
    {
        run = run.args(["--package", &member.name]);
    }
    done(run.go())
}

fn rust_version(workspace: &Workspace) -> Result<Outcome> {
    let promised = workspace.rust_version()?;
    let current = Run::new("rustc").arg("--version").read()?;
    if current
        .split(' ')
        .nth(1)
        .is_some_and(|version| same_release(version, &promised))
    {
        return Ok(Outcome::Skipped(format!(
            "the toolchain in use is {promised}: clippy has checked it"
        )));
    }
    // Asked by its number alone: a toolchain manager would otherwise download what it lacks.
    let installed = Run::new("rustup")
        .args(["toolchain", "list"])
        .read()
        .unwrap_or_default();
    let Some(toolchain) = installed
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .find(|name| same_release(name.split('-').next().unwrap_or_default(), &promised))
    else {
        return Ok(Outcome::Skipped(format!("no toolchain {promised} is installed")));
    };
    done(
        Run::new("rustup")
            .within(&workspace.root)
            .args(["run", toolchain, "cargo", "check"])
            .args(WHOLE)
            .go(),
    )
}

/// Whether `1.95.2` is a release of `1.95`.
fn same_release(version: &str, promised: &str) -> bool {
    version
        .strip_prefix(promised)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn docs(workspace: &Workspace) -> Result<Outcome> {
    let run = Run::cargo(&workspace.root).env("RUSTDOCFLAGS", "--deny warnings");
    done(run.arg("doc").args(WHOLE).arg("--no-deps").go())
}

/// Builds what the steps after it run, in one call and with the same features.
fn build(workspace: &Workspace) -> Result<Outcome> {
    done(
        Run::cargo(&workspace.root)
            .arg("build")
            .args(WHOLE)
            .args(["--lib", "--bins", "--tests"])
            .go(),
    )
}

/// Libraries whose features change how a dependency computes and nothing of what they are themselves. Their bare tests
/// build that dependency a second time, minutes of work, so they run at full scale alone.
const BARE_AT_FULL_SCALE: [&str; 1] = ["zero-physics"];

/// The tests of every library that has features to leave out, with none on: the bare build is run, and not compiled
/// alone.
fn bare_tests(workspace: &Workspace) -> Result<Outcome> {
    let full = std::env::var("ZERO_TEST_SCALE").is_ok_and(|scale| scale == "full");
    let featured = |member: &&Member| member.published() && member.manifest.contains("\n[features]\n");
    let names: Vec<&str> = workspace
        .members
        .iter()
        .filter(featured)
        .map(|member| member.name.as_str())
        .filter(|name| !MAY_NEED_GPU.contains(name))
        .filter(|name| full || !BARE_AT_FULL_SCALE.contains(name))
        .collect();
    let packages: Vec<&str> = names.iter().flat_map(|name| ["--package", *name]).collect();
    let cargo = Run::cargo(&workspace.root).args(["test", "--quiet", "--no-default-features"]);
    done(cargo.args(packages).args(["--lib", "--tests"]).go())
}

fn doc_tests(workspace: &Workspace) -> Result<Outcome> {
    done(Run::cargo(&workspace.root).args(["test", "--doc"]).args(WHOLE).go())
}

/// Every test, with cargo-nextest where it is installed. Tests share one software adapter, so those that use it run
/// one at a time: nextest knows them by `.config/nextest.toml`, cargo's own runner takes all tests one by one.
fn tests(workspace: &Workspace, profile: &[&str]) -> Result<()> {
    let scale = match (profile.is_empty(), std::env::var("ZERO_TEST_SCALE")) {
        (false, _) => "full".to_owned(),
        (true, Ok(named)) => named,
        (true, Err(_)) => "small".to_owned(),
    };
    let mut cargo = Run::cargo(&workspace.root).env("ZERO_TEST_SCALE", &scale);
    if scale == "full" {
        // Sixteen times what proptest draws by itself, in every suite that leaves the number to it.
        cargo = cargo.env("PROPTEST_CASES", "4096");
    }
    if Run::cargo(&workspace.root).args(["nextest", "--version"]).succeeds() {
        return cargo
            .args(["nextest", "run", "--no-fail-fast"])
            .args(WHOLE)
            .args(profile)
            .go();
    }
    let cargo = cargo.args(["test", "--no-fail-fast"]).args(WHOLE).args(profile);
    cargo
        .args(["--lib", "--bins", "--tests", "--", "--test-threads=1"])
        .go()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_told_from_a_longer_number() {
        assert!(same_release("1.95.0", "1.95"));
        assert!(same_release("1.95", "1.95"));
        assert!(!same_release("1.950.0", "1.95"));
        assert!(!same_release("1.96.0", "1.95"));
    }

    #[test]
    fn a_refused_package_is_found_by_the_first_part_of_its_name() {
        assert_eq!(refused_line("a v1.0.0\nwgpu-core v30.0.0\n"), Some("wgpu-core v30.0.0"));
        assert_eq!(refused_line("winit v0.30.0\n"), Some("winit v0.30.0"));
        assert_eq!(refused_line("tokiox v1.0.0\nnaga v30.0.0\n"), None);
    }

    #[test]
    fn a_package_is_found_by_its_whole_name() {
        assert_eq!(line_of("mluax v1\nmlua-sys v0.6\n", "mlua"), Some("mlua-sys v0.6"));
        assert_eq!(line_of("mluax v1\n", "mlua"), None);
    }

    #[test]
    fn an_unknown_step_is_refused_by_name() {
        let workspace = Workspace::open().unwrap();
        let message = test(&workspace, &["no-such-step".to_owned()]).unwrap_err();
        assert!(message.contains("`no-such-step`"), "{message}");
    }

    #[test]
    fn the_tests_come_last() {
        assert_eq!(STEPS.last().map(|step| step.name), Some("tests"));
    }
}
