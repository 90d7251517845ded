//! What the attributes of an input may say of its kind.

use crate::input::Input;
use crate::kind::{Kind, Scalar, TYPES};
use crate::number::{literal, literals};
use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Error, Expr, Result};

/// Refuses an attribute that its input can't follow.
pub(crate) fn input(input: &Input) -> Result<()> {
    options(input)?;
    default(input)?;
    range(input)?;
    uniform(input)
}

fn options(input: &Input) -> Result<()> {
    match (input.kind, input.attributes.options) {
        (Kind::Choice, None) => Err(Error::new_spanned(
            &input.ty,
            format!("no input has this type; {TYPES}"),
        )),
        (Kind::Choice, Some(_)) | (_, None) => Ok(()),
        (_, Some(span)) => Err(Error::new(
            span,
            format!(
                "'{}' is no choice: options is for an enum that derives Choice",
                input.name
            ),
        )),
    }
}

fn default(input: &Input) -> Result<()> {
    let Some(default) = &input.attributes.default else {
        return Ok(());
    };
    let refuse = |why: &str| {
        Err(Error::new_spanned(
            default,
            format!("'{}' has no default: {why}", input.name),
        ))
    };
    match input.kind {
        Kind::Optional(_) => refuse("an Option that a call leaves out is nothing"),
        Kind::List(_) => refuse("a list is stated by every call"),
        Kind::Socket(socket) if socket.scalar().is_none() => refuse("only a number or a truth can be a constant"),
        Kind::Choice if variant(default).is_none() => {
            refuse("that of a choice is the path of a variant, such as Fill::Sunflower")
        }
        _ => Ok(()),
    }
}

fn range(input: &Input) -> Result<()> {
    let stated = &input.attributes;
    if !input.kind.scalar().is_some_and(Scalar::is_number) {
        let keys = [
            stated.min.as_ref().map(|min| ("min", min.to_token_stream())),
            stated.max.as_ref().map(|max| ("max", max.to_token_stream())),
            stated.unit.as_ref().map(|unit| ("unit", unit.to_token_stream())),
        ];
        return match keys.into_iter().flatten().next() {
            None => Ok(()),
            Some((key, at)) => Err(Error::new_spanned(
                at,
                format!("'{}' is no number: it has no {key}", input.name),
            )),
        };
    }
    let min = stated.min.as_ref().and_then(literal);
    let max = stated.max.as_ref().and_then(literal);
    if let (Some(low), Some(high), Some(at)) = (min, max, &stated.max)
        && low > high
    {
        return Err(Error::new_spanned(
            at,
            format!("'{}' takes no number: {low} to {high} is empty", input.name),
        ));
    }
    let Some(default) = &stated.default else { return Ok(()) };
    for number in literals(default) {
        if min.is_some_and(|min| number < min) || max.is_some_and(|max| number > max) {
            let message = format!("the default of '{}', {number}, is outside its range", input.name);
            return Err(Error::new_spanned(default, message));
        }
    }
    Ok(())
}

fn uniform(input: &Input) -> Result<()> {
    let Some(span) = input.attributes.uniform else {
        return Ok(());
    };
    match input.kind {
        Kind::Socket(socket) | Kind::Optional(socket) | Kind::List(socket) if socket.scalar().is_some() => Ok(()),
        _ => Err(Error::new(
            span,
            format!(
                "'{}' is one value as it is: uniform is for a number, a truth or a vector",
                input.name
            ),
        )),
    }
}

/// The variant that a path such as `Fill::Sunflower` names. A name in capitals is a constant's, whose variant is not
/// known here.
pub(crate) fn variant(default: &Expr) -> Option<&Ident> {
    let Expr::Path(path) = default else { return None };
    let name = &path.path.segments.last()?.ident;
    let text = name.to_string();
    let capitals = text.chars().count() > 1 && !text.contains(char::is_lowercase);
    (path.path.segments.len() > 1 && !capitals).then_some(name)
}
