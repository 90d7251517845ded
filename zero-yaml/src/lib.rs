//! The one YAML front end: everything that a person writes in YAML is read through this crate, so that one
//! set of rules and one form of error holds for all of it.
//!
//! **Priorities**: an error names file, line and column and says what to write; a small file cannot stand for
//! a large one; nothing that is read twice differently by two people. **Non-goals**: all of YAML, comments
//! that survive rewriting, streams.
//!
//! # A tour
//!
//! A type that serde can read is read from a text:
//!
//! ```
//! #[derive(serde::Deserialize)]
//! struct Layer { name: String, tiling_m: f32 }
//!
//! let layers: Vec<Layer> = zero_yaml::from_str("layers.yaml", "- name: sand\n  tiling_m: 12\n")?;
//! assert_eq!((layers[0].name.as_str(), layers[0].tiling_m), ("sand", 12.0));
//! # Ok::<(), zero_yaml::Error>(())
//! ```
//!
//! What does not fit, and what YAML has but this front end refuses, is told with its place:
//!
//! ```
//! let read = |text| zero_yaml::from_str::<Vec<f32>>("sizes.yaml", text).unwrap_err().to_string();
//! assert!(read("- 1.5\n- wide\n").starts_with("sizes.yaml:2:3: "));
//! assert_eq!(
//!     read("- &one 1\n- *one\n"),
//!     "sizes.yaml:1:3: anchors (`&name`) are not taken; write the value out where it is used"
//! );
//! ```
//!
//! Refused are anchors, aliases, merge keys, tags, directives, a second document, tabs that indent,
//! duplicate keys, keys that are no plain text, and `.nan` and `.inf` without quotes ([`Refusal`]).
//!
//! A check that no type can make names its place too, by an [`At`] field or by [`Document::error_at`]:
//!
//! ```
//! # use zero_yaml::{At, Document};
//! #[derive(serde::Deserialize)]
//! struct Size { width: At<u32> }
//!
//! let document = Document::parse("size.yaml", "width: 0\n")?;
//! let size: Size = document.read()?;
//! assert_eq!((size.width.value, size.width.at.column), (0, 8));
//! let error = document.error_at(&["width"], "a width is at least 1");
//! assert_eq!(error.to_string(), "size.yaml:1:8: a width is at least 1");
//! # Ok::<(), zero_yaml::Error>(())
//! ```
//!
//! A reader that goes on past what does not fit takes the document as a tree of [`Node`]s
//! ([`Document::tree`]), each value with its place.
//!
//! [`to_string`] writes what [`from_str`] reads. [`Limits`] bounds what a text may hold.
//!
//! # Threads and cost
//! Everything is plain data. A document costs two passes: one that checks and one for each read.

mod at;
mod document;
mod encode;
mod error;
mod node;
mod scan;

pub use at::At;
pub use document::{Document, Limits, from_str};
pub use encode::to_string;
pub use error::{Error, Position, Refusal, Result};
pub use node::{Field, Node, Value};

/// The README's programs, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
