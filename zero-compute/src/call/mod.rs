//! The typed call layer: kernels, transfers and host functions called with named values.
//!
//! [`Recorder::dispatch`](crate::Recorder::dispatch) takes columns that fit and numbers that fit, and refuses the rest.
//! A [`Call`] takes what a caller has, and makes it fit by stated rules. It is what graphs and scripts call, whose names
//! are known only at run time.
//!
//! ```
//! use zero_compute::{call::{Call, transfer}, kernels, values, CpuOptions, Device};
//!
//! let device = Device::cpu(CpuOptions::default());
//! let land = transfer::upload(&device, values! {
//!     is_land: vec![1, 1, 0, 1, 0], // signed integers, where the kernel reads floats
//!     heights: vec![3.0f32, 9.0, 1.0, 7.0, 5.0],
//! })?;
//! let kept = Call::new(&kernels::COMPACT_F32, &land.column("is_land")?)
//!     .bind("flags", &land.column("is_land")?)
//!     .run(&device)?;
//! let arrived = transfer::readback(&device, &kept.columns)?.wait()?;
//! assert_eq!(arrived.values.ints("indices")?, [0, 1, 3]);
//! assert_eq!(arrived.values.number("indices_count")?, 3.0);
//! # Ok::<(), zero_compute::Error>(())
//! ```
//!
//! # What a name may be bound to
//!
//! | declared as | value | what happens |
//! |---|---|---|
//! | read | a [`Column`](crate::Column) or [`BufferRef`] | read where it is; cast first if its words are of another kind |
//! | read | a [`Field`] | computed over the domain in one dispatch |
//! | read | a [`Texture`] | its texels; `NAME_width` and `NAME_height` are set where they are params |
//! | read | a [`Live`] count | its one word |
//! | columns | a [`Record`] of columns | packed into one buffer, in the declared order, else by name |
//! | columns | a [`PackedTable`](crate::PackedTable) | read where it is |
//! | in place | a column or a field | a copy is changed, and answered |
//! | written | a column | a copy is written, and answered |
//! | appended | a live column | a copy is appended to, after its live front, and answered |
//! | param | a number or a `bool` | 1 or 0 for a `bool`; a whole float fits an integer |
//! | params `NAME_x` to `NAME_w` | a vector under `NAME` | each takes its component |
//!
//! The caller's columns never change. A written or appended output that is bound to nothing is allocated by the kernel's
//! rule. `count`, `time` and `frame` may always be given: a kernel that declares none of them goes without. Any other
//! name that the kernel does not declare is refused, with those that it does.
//!
//! A kernel that is appended to after an earlier append takes every slot from the counter, as `atomicAdd(&NAME_count[0],
//! 1u)` and [`Append::push`](crate::Append::push) do. One that places elements by itself begins at slot 0.
//!
//! # Casts
//!
//! A column is read as the numbers it holds, never as the bits of its words, by [`Recorder::cast`](crate::Recorder::cast):
//! a float is cut to an integer, what is out of range stops at its end, NaN is 0. A written or appended column is not
//! cast: it must be of the binding's kind.
//!
//! # Families of several dispatches
//!
//! `expand` and `hash_gather` count before they list, and allocate for a bound that the caller states, so that each is more
//! than one kernel. [`Call::expand`] and [`Call::hash_gather`] call them by the same rules and under their own names: values
//! by name, casts, domains, live counts, and the count that they make as `owner_count` and `items_count`. Their outputs are
//! their own: a column cannot be bound to be written or appended to.
//!
//! # Domains
//!
//! A call runs over a number of elements, a column's, or a live count's ([`Call::new`]). A kernel that declares the
//! specialization `COUNT` with the options `plain` and `device` runs as `device` over a live count and as `plain` over a
//! number. One that declares a read binding `domain_count` finds the number of live elements in it, over a plain domain
//! too.

mod bind;
mod cast;
mod family;
mod host;
mod kernel;
mod list;
mod record;
pub mod transfer;
mod value;

pub use host::HostCall;
pub use kernel::{Call, Called, Info};
pub use list::{Items, List};
pub use record::Record;
pub use value::{BufferRef, Field, Live, Other, Readable, Texture, Value, ValueType};
