//! Derive macros of zero-procgen: a node is a struct whose fields are its inputs.
//!
//! Use them through zero-procgen, which re-exports all three beside the traits they implement; what they generate
//! names that crate by its absolute path. Its documentation shows them at work.
//!
//! - [`Node`](macro@Node) reads a struct and its `#[node]` and `#[input]` attributes and writes the constructor, a
//!   setter an input, the schema that tools read, the range check and the door for documents and scripts.
//! - [`Choice`](macro@Choice) gives the variants of an enum their names.
//! - [`Outputs`](macro@Outputs) lets a struct of sockets be what a node answers.
//!
//! A mistake in a struct is reported at the field or the attribute that holds it, every mistake at once.
//!
//! # Non-goals
//!
//! The macros write no `compose`, register nothing and know no node: a node is registered by the list of its family.

mod attributes;
mod check;
mod choice;
mod docs;
mod input;
mod kind;
mod names;
mod node;
mod number;
mod outputs;
#[cfg(test)]
mod testing;

use proc_macro::TokenStream;

/// Makes a struct a node: its fields are its inputs, its docs the schema's texts.
///
/// The struct has named fields, or none, and one lifetime, that of the graph, if any field is a socket.
/// `#[node(id = "family.name")]` is the name it is called by. The doc comments of the struct and of every field are
/// required: they are what the reference page and editors show.
///
/// # Fields
///
/// | type | what it takes |
/// |---|---|
/// | `Float<'g>`, `Int<'g>`, `UInt<'g>`, `Bool<'g>`, `Vec2<'g>`, `Vec3<'g>`, `Vec4<'g>`, `Quat<'g>`, `Color<'g>`, `Geo<'g>`, `Raster<'g>`, `Col<'g>` | a socket |
/// | `Option<Float<'g>>` and the like | a socket that may be left out |
/// | `Vec<Float<'g>>` and the like | any number of sockets |
/// | `i32`, `f32`, `bool`, `String` | a value that the build itself reads |
/// | an enum that derives `Choice`, marked `options` | one of its names |
///
/// A field named `min_dist` is the input `minDist` in documents, scripts and errors.
///
/// # `#[input(...)]`
///
/// | key | meaning |
/// |---|---|
/// | `default = value` | what it is where a call leaves it out: a literal, a constant, `[x, y, z]` for a `Vec3`, `[red, green, blue, alpha]` for a `Color` |
/// | `min = number`, `max = number` | the numbers it takes, both ends included |
/// | `unit = "m"` | the unit of its numbers |
/// | `uniform` | one value for the whole node: a value an element is refused |
/// | `options` | one of the names of an enum |
///
/// An input without a default that is no `Option` is required: it becomes an argument of `new`, in order. A bound of
/// an input of floats is rounded to f32 first, so that the bound itself is inside.
///
/// # What is written
///
/// - `new(required inputs)` and one setter an other input. Both take `impl Into` the field's type, so that numbers
///   become sockets; a plain number or truth is taken as it is. `Default`, where nothing is required.
/// - `NodeInfo`: the schema, and the check of every number against its range. A number that only the cook knows
///   passes the check.
/// - `FromWires`: the node from wires by name, with defaults for what is missing.
/// - `NodeType`: the node whatever graph it borrows, for the registry.
#[proc_macro_derive(Node, attributes(node, input))]
pub fn derive_node(input: TokenStream) -> TokenStream {
    answer(input, node::expand)
}

/// Gives the variants of an enum without fields their names, in snake_case: `PointUp` is `point_up`.
///
/// The enum must be `Copy`. Implements the trait of the same name: `OPTIONS` in the order of declaration,
/// `from_name` and `name`. Two variants of one name are refused.
#[proc_macro_derive(Choice)]
pub fn derive_choice(input: TokenStream) -> TokenStream {
    answer(input, choice::expand)
}

/// Lets a struct of named sockets be the answer of a node.
///
/// Implements `Sockets`: the fields in the order of declaration. Built back from too few wires, the missing sockets
/// stand refused.
#[proc_macro_derive(Outputs)]
pub fn derive_outputs(input: TokenStream) -> TokenStream {
    answer(input, outputs::expand)
}

fn answer(input: TokenStream, expand: fn(syn::DeriveInput) -> syn::Result<proc_macro2::TokenStream>) -> TokenStream {
    syn::parse(input)
        .and_then(expand)
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}
