//! What can be said of a shader before any GPU is asked.

use super::variant::Variant;
use crate::error::Result;

/// Refuses what naga does not parse or validate, and an entry point that a dispatch could not run. In a browser the
/// device alone checks.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn check(variant: &Variant) -> Result<()> {
    use naga::valid::{Capabilities, ValidationFlags, Validator};

    let text = variant.text.as_str();
    let place = |span: naga::Span| {
        let found = span.is_defined().then(|| span.location(text));
        found.map(|found| (found.line_number, found.line_position))
    };
    // An error may point at several places: at what it is about, and at what that contradicts. The author's is meant.
    let best = |places: Vec<Option<(u32, u32)>>| {
        let authors = places.iter().flatten().find(|(line, _)| variant.is_authors(*line));
        authors.or(places.iter().flatten().next()).copied()
    };
    let module = naga::front::wgsl::parse_str(text).map_err(|error| {
        let places = error.labels().map(|(span, _)| place(span)).collect();
        variant.error_at(best(places), error.message())
    })?;
    // A device may know more than the least one: what it lacks it says itself.
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
    validator.validate(&module).map_err(|error| {
        let places = error.spans().map(|(span, _)| place(*span)).collect();
        variant.error_at(best(places), &reasons(error.as_inner()))
    })?;
    let entry = module.entry_points.iter().find(|entry| entry.name == "main");
    let expected = [crate::kernel::WORKGROUP, 1, 1];
    match entry {
        Some(entry) if entry.workgroup_size == expected => Ok(()),
        Some(entry) => {
            let message = format!(
                "a workgroup of `main` is {} x 1 x 1, one invocation an element; this is {:?}",
                expected[0], entry.workgroup_size
            );
            Err(variant.error_at(None, &message))
        }
        None => Err(variant.error_at(None, "there is no entry point `main`")),
    }
}

#[cfg(target_arch = "wasm32")]
pub(super) fn check(_variant: &Variant) -> Result<()> {
    Ok(())
}

/// An error with all that lies beneath it.
#[cfg(not(target_arch = "wasm32"))]
fn reasons(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut beneath = error.source();
    while let Some(error) = beneath {
        text.push_str(": ");
        text.push_str(&error.to_string());
        beneath = error.source();
    }
    text
}
