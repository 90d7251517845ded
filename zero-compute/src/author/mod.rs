//! Kernels that an author writes as files, read at run time: a `bindings.yaml` beside a `.wgsl` (feature `author`).
//!
//! They run on a GPU only, unless the host has a Rust function under the kernel's name ([`Loader::twin`]); on a CPU
//! device without one a dispatch answers [`Error::GpuOnly`](crate::Error::GpuOnly). Everything else is as with a static
//! kernel: an [`AuthorKernel`] is dispatched, called, built ahead and counted in the same way.
//!
//! ```
//! use zero_compute::author::{Loader, SourceFile};
//! use zero_compute::*;
//!
//! let bindings = SourceFile::new("thin/bindings.yaml", r#"
//! version: 1
//! description: Keeps what is above a threshold.
//! determinism: exact
//! bindings:
//! - { name: src, access: read, element: f32 }
//! - { name: hits, kind: append, element: f32, capacity: src }
//! params:
//! - { name: threshold, type: float, default: 0.5 }
//! "#);
//! let wgsl = SourceFile::new("thin/thin.wgsl", "
//! @compute @workgroup_size(256)
//! fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
//!     let i = zero_index(gid, nw);
//!     if (i < zero_live() && src[i] > params.threshold) {
//!         let slot = atomicAdd(&hits_count[0], 1u);
//!         if (slot < arrayLength(&hits)) { hits[slot] = src[i]; }
//!     }
//! }");
//! // With a Rust function of its name it runs on the CPU backend too.
//! let loader = Loader::new().twin("thin", Cpu::Whole(|b, p, _| {
//!     let (src, threshold) = (b.read::<f32>("src")?, p.f32("threshold")?);
//!     let mut hits = b.append::<f32>("hits")?;
//!     src.iter().filter(|v| **v > threshold).for_each(|v| hits.push(&[*v]));
//!     Ok(())
//! }));
//! let thin = loader.load("thin", &bindings, &wgsl)?;
//!
//! let device = Device::cpu(CpuOptions::default());
//! let src = device.upload(&[0.1f32, 0.9, 0.6], 1)?;
//! let mut recorder = device.record("step");
//! let done = recorder.dispatch(&thin, args! { src: &src }, Domain::of(&src))?;
//! recorder.finish()?.submit()?;
//! assert_eq!(done.column("hits")?.read::<f32>()?.wait()?, [0.9, 0.6]);
//!
//! let broken = SourceFile::new("thin/bindings.yaml", "version: 1\nbindings:\n- { name: src, acces: read }\n");
//! let error = loader.load("thin", &broken, &wgsl).unwrap_err().to_string();
//! assert!(error.starts_with("thin/bindings.yaml:3:16: unknown field `acces`"));
//! # Ok::<(), Error>(())
//! ```
//!
//! # `bindings.yaml`
//!
//! A key that is not in these tables is refused. `version: 1` is required; `description` is anybody's text, and may
//! stand at the top and in every entry.
//!
//! `determinism` is `exact`, `{ pointwise: ULPS }` or `float_order` (sums of `n` numbers, within `n * n * max * 2^-24`);
//! a file that says nothing is `{ pointwise: 4 }`.
//!
//! | in `bindings` | what it says |
//! |---|---|
//! | `name` | the name in arguments, WGSL and the Rust function |
//! | `kind` | `buffer` (the default), `columns` (a table), `append` (a buffer with the access `append`) |
//! | `access` | `read` (the default), `write`, `read_write` (in place), `append`, `scratch` (workspace of the shader) |
//! | `element` | `f32`, `i32`, `u32`, or a specialization whose options are such |
//! | `count`, `capacity` | what is allocated where the caller binds no column; two words for the same |
//! | `lanes` | lanes of that: a number, or a binding's; 1, or those of the binding that `count` names. Without a `count`, of what is read or changed in place: the lanes that a column must have to be bound |
//! | `order` | of a table: its columns, which are then at these slots; without one the shader finds them by name |
//! | `when` | the options with which the binding is there: `"COUNT=plain; COUNT=device STAGE=table"` |
//! | `atomic` | `true` where the shader sees atomic integers |
//!
//! A count is a number, `n` (the elements of the domain), a binding (its elements), an integer param, `n / 64` (rounded
//! up), `n * 3`, `n / 64 * 2` or `n * PARAM`. What is written and has none is always the caller's.
//!
//! | in `params` | what it says |
//! |---|---|
//! | `name` | the name in arguments; `params.NAME` in WGSL |
//! | `type` | `float`, `int`, `uint` or `bool` (a `u32` of 0 or 1) |
//! | `default` | 0 where nothing is said |
//!
//! | in `specialize` | what it says |
//! |---|---|
//! | `name` | the name in arguments, in `when` and `@when`; as a word of the WGSL it is replaced by what is chosen |
//! | `options` | the options; without them it takes any text, such as an expression |
//! | `default` | the first option where nothing is said; a text without one is given in every dispatch |
//!
//! | in `fusion` | what it says |
//! |---|---|
//! | `writes` | the one binding that is written |
//! | `own` | the bindings that are read at the thread's own element only, divided by blanks |
//! | `inert` | the value of every lane past the live count; 0 where nothing is said |
//!
//! A file with `fusion` has no `main`: it declares `fn element(i: u32, lane: u32)`, and reads with `NAME_at(i, lane)`
//! ([`PerElement`](crate::PerElement)).
//!
//! A specialization `COUNT` with the options `plain` and `device` follows the domain. A binding `domain_count` (`u32`,
//! read) is the domain's count, over a plain domain the number.
//!
//! # WGSL
//!
//! The shader declares none of its bindings and has an entry point `main` in workgroups of 256, one invocation an
//! element. It has what [`Kernel`](crate::Kernel) says, and
//! `NAME_get(i)` for what is read. Lines of these forms are read
//! before it is compiled:
//!
//! | line | what it does |
//! |---|---|
//! | `#include "name"` | puts a file in its place, once: of the kernel's folder, or what [`Loader::includes`] finds |
//! | `// @when NAME option...` | the lines up to its `// @end` stand for these options alone; blocks nest |
//! | `// @use zero_noise` | puts [`zero_noise::WGSL`] in front |
//!
//! Of this crate there are:
//!
//! | module | what it gives | what the kernel reads |
//! |---|---|---|
//! | `@builtin::systems.procgen.grid` | the points near a point in a [`HashGrid`](crate::kernels::HashGrid) | [`HashGrid::bindings`](crate::kernels::HashGrid::bindings): `gcfg` (`f32`), `grange`, `gorder` (`u32`) |
//! | `@builtin::systems.procgen.grid_cell` | the cell of a point and its bucket | `gcfg` |
//! | `@builtin::systems.procgen.bvh_box` | `ZeroBox`, `zero_empty_box`, `zero_grow`, `zero_overlaps` | nothing |
//! | `@builtin::systems.procgen.bvh_overlap` | the primitives of a [`Bvh`](crate::kernels::Bvh) whose boxes overlap a box | [`Bvh::bindings`](crate::kernels::Bvh::bindings): `nodes` (`u32`), `leaves` (`f32`) |
//!
//! ```wgsl
//! #include "@builtin::systems.procgen.grid"
//! // ... for every cell `cc` around zero_grid_cell(p):
//! let span = zero_grid_range(cc);
//! for (var s = span.x; s < span.y; s = s + 1u) {
//!     let j = gorder[s]; // its own cell is `cc`, or another with the same bucket
//! }
//! ```
//!
//! ```wgsl
//! #include "@builtin::systems.procgen.bvh_overlap"
//! // ... of a box around p:
//! zero_begin_leaves(ZeroBox(p - reach, p + reach));
//! for (var leaf = zero_next_leaf(); leaf != ZERO_NO_LEAF; leaf = zero_next_leaf()) {
//!     let j = zero_primitive(leaf); // in the order of the leaves, as `kernels::bvh_overlap` lists them
//! }
//! ```
//!
//! The Rust function of such a kernel asks the same tree through [`BvhBoxes`](crate::kernels::BvhBoxes).
//!
//! # Walks
//!
//! A kernel that walks takes its step at run time: it declares `WALK_STEP`, `WALK_STEP_HI`, `WALK_DONE` and `WALK_PRELUDE`
//! without options, a table `cols` and a read binding `u` (`u32`), and [`Call::walk`](crate::call::Call::walk) hands it a
//! [`field::Walk`](crate::field::Walk):
//!
//! ```wgsl
//! // @use zero_noise
//! WALK_PRELUDE
//! // ... with the state of walker `id` in s and s_hi (vec4<f32>) and the number of the step in k:
//! while (k < u32(params.steps) && !(WALK_DONE)) {
//!     let next = WALK_STEP;
//!     s_hi = WALK_STEP_HI;
//!     s = next;
//!     k = k + 1u;
//! }
//! ```
//!
//! [`Recorder::walk`](crate::Recorder::walk) does that on both backends, and is what a walk without anything of one's own
//! is for.
//!
//! # Errors, editing and cost
//!
//! [`Error::BadSource`](crate::Error::BadSource) names file, line and column as the author counts them, for what the
//! compiler says too, through includes, blocks left out and texts put in. Loading parses and checks the default options
//! over both forms of domain, milliseconds; [`AuthorKernel::check`] every combination. Other options are checked when
//! they are first asked for.
//!
//! A load that fails changes nothing: keep the kernel that you have until a load answers a new one, and show the error.
//! A program is known by the whole text that is compiled, so that files read again unchanged build nothing; the programs
//! of a kernel without handles are dropped when a new one is built. [`Device::build`](crate::Device::build) builds on a
//! thread of its own. Names of bindings, params and options are kept for the life of the process, each distinct one
//! once; sources are not.
//!
//! A `bindings.yaml` holds at most 64 KiB, a shader 64 files of 1 MiB, a variant 8 MiB.

mod check;
mod declaration;
mod expand;
mod kernel;
mod loader;
mod names;
mod place;
mod raw;
mod read;
mod rules;
mod sources;
mod variant;
mod when;

pub use kernel::AuthorKernel;
pub(crate) use kernel::Loaded;
pub use loader::Loader;
pub use sources::{Includes, SourceFile};
pub(crate) use variant::Variant;
