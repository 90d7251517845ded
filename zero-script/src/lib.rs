//! Luau scripts from a virtual file system, in a sandbox with a memory limit and a time limit.
//!
//! **Priorities**: no script, however written, hangs the host, eats its memory or reaches past what the host
//! gave it; an error names the script's file and line. **Non-goals**: scripts that draw at random, read a
//! clock or touch the disk by themselves; threads inside a machine.
//!
//! # A tour
//!
//! A [`Vm`] runs files of a [`zero_vfs::Vfs`]; `require` finds modules there:
//!
//! ```
//! use std::sync::Arc;
//! use zero_script::{RunParams, Vm, VmOptions};
//! use zero_vfs::{MemorySource, Mount, Vfs, VfsPath};
//!
//! let files = MemorySource::with_files("world", [
//!     ("/main.luau", &b"local area = require('./shapes/area')\nreturn area.circle(2), 'round'"[..]),
//!     ("/shapes/area.luau", b"return { circle = function(r) return 3 * r * r end }"),
//! ])?;
//! let mut vfs = Vfs::new();
//! vfs.mount(Mount::new(VfsPath::root(), files))?;
//!
//! let vm = Vm::new(Arc::new(vfs), VmOptions::default())?;
//! let (area, kind): (f64, String) = vm.run(&VfsPath::parse("/main.luau")?, &RunParams::default())?;
//! assert_eq!((area, kind.as_str()), (12.0, "round"));
//! # Ok::<(), zero_script::Error>(())
//! ```
//!
//! A run that goes wrong says where, and leaves the machine usable:
//!
//! ```
//! # use std::{sync::Arc, time::Duration};
//! # use zero_script::{Error, RunParams, Vm, VmOptions};
//! # use zero_vfs::{MemorySource, Mount, Vfs, VfsPath};
//! # let files = MemorySource::with_files("world", [
//! #     ("/wrong.luau", &b"local t = nil\nreturn t.x"[..]),
//! #     ("/endless.luau", b"while true do pcall(function() while true do end end) end"),
//! # ])?;
//! # let mut vfs = Vfs::new();
//! # vfs.mount(Mount::new(VfsPath::root(), files))?;
//! # let vm = Vm::new(Arc::new(vfs), VmOptions::default())?;
//! // /wrong.luau holds "local t = nil\nreturn t.x"
//! let error = vm.run::<()>(&VfsPath::parse("/wrong.luau")?, &RunParams::default()).unwrap_err();
//! assert_eq!(error.to_string(), "/wrong.luau:2: attempt to index nil with 'x'");
//!
//! // /endless.luau catches errors in a loop without end; the deadline is not caught for long.
//! let params = RunParams::default().time_limit(Duration::from_millis(20));
//! let error = vm.run::<()>(&VfsPath::parse("/endless.luau")?, &params).unwrap_err();
//! assert!(matches!(error, Error::Deadline { .. }));
//! # Ok::<(), Error>(())
//! ```
//!
//! # Modules
//! `require("./x")` looks beside the file, `"../x"` a folder up, `"@alias/x"` in a folder that the host
//! named, `"@self/x"` inside the folder of an `init.luau`. A module `x` is `x.luau`, `x/init.luau` or the
//! script asset `x.script/init.luau`; two of them at once are an error. As everywhere in Luau, an `init.luau`
//! stands for its folder: `./x` from it is beside the folder. A module is read and runs once in the life of a
//! machine, and all who require it share its value; modules in a circle are an error that names the circle.
//!
//! # Threads and cost
//! A machine stays on its thread. Measured on one x86-64 core: making one costs about 0.2 ms and 0.4 MiB, a
//! run of a small file 16 us, a round of an empty loop 43 ns, most of it the deadline's: a call at every loop,
//! call and return of a script, and a look at the clock at one in 32 of them.

mod chunk;
mod control;
mod error;
mod require;
mod stop;
mod vm;

pub use control::Clock;
pub use error::{Error, Place, Result};
/// The Luau binding whose types are in the signatures.
pub use mlua;
pub use vm::{PrintFn, RunParams, Vm, VmOptions};

/// The README's programs, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
