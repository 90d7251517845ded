//! Derive macros of zero-procgen.
