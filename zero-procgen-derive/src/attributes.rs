//! The `#[node]` and `#[input]` attributes.

use proc_macro2::Span;
use syn::meta::ParseNestedMeta;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, LitStr, Meta};

/// What `#[node]` states.
#[derive(Default)]
pub(crate) struct NodeAttributes {
    pub(crate) id: Option<LitStr>,
}

/// What `#[input]` states.
#[derive(Default)]
pub(crate) struct InputAttributes {
    pub(crate) default: Option<Expr>,
    pub(crate) min: Option<Expr>,
    pub(crate) max: Option<Expr>,
    pub(crate) unit: Option<LitStr>,
    pub(crate) uniform: Option<Span>,
    pub(crate) options: Option<Span>,
}

impl NodeAttributes {
    pub(crate) fn read(attributes: &[Attribute]) -> syn::Result<NodeAttributes> {
        let mut read = NodeAttributes::default();
        each(attributes, "node", |meta| match meta.path.is_ident("id") {
            true => fill(&mut read.id, meta.value()?.parse()?, &meta),
            false => Err(unknown(&meta, "#[node] takes id")),
        })?;
        Ok(read)
    }
}

impl InputAttributes {
    pub(crate) fn read(attributes: &[Attribute]) -> syn::Result<InputAttributes> {
        let mut read = InputAttributes::default();
        each(attributes, "input", |meta| {
            let key = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
            match key.as_str() {
                "default" => fill(&mut read.default, meta.value()?.parse()?, &meta),
                "min" => fill(&mut read.min, meta.value()?.parse()?, &meta),
                "max" => fill(&mut read.max, meta.value()?.parse()?, &meta),
                "unit" => fill(&mut read.unit, meta.value()?.parse()?, &meta),
                "uniform" => fill(&mut read.uniform, meta.path.span(), &meta),
                "options" => fill(&mut read.options, meta.path.span(), &meta),
                _ => Err(unknown(
                    &meta,
                    "#[input] takes default, min, max, unit, uniform and options",
                )),
            }
        })?;
        Ok(read)
    }
}

/// Visits the keys of the attributes of a name. An attribute without keys, such as `#[input]`, states nothing.
fn each(
    attributes: &[Attribute],
    name: &str,
    mut visit: impl FnMut(ParseNestedMeta<'_>) -> syn::Result<()>,
) -> syn::Result<()> {
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident(name)) {
        if !matches!(attribute.meta, Meta::Path(_)) {
            attribute.parse_nested_meta(&mut visit)?;
        }
    }
    Ok(())
}

fn fill<T>(slot: &mut Option<T>, value: T, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    if slot.is_some() {
        return Err(syn::Error::new_spanned(
            &meta.path,
            format!("'{}' is stated twice", key(meta)),
        ));
    }
    *slot = Some(value);
    Ok(())
}

fn unknown(meta: &ParseNestedMeta<'_>, known: &str) -> syn::Error {
    syn::Error::new_spanned(&meta.path, format!("no key '{}'; {known}", key(meta)))
}

fn key(meta: &ParseNestedMeta<'_>) -> String {
    let words: Vec<String> = meta
        .path
        .segments
        .iter()
        .map(|segment| segment.ident.to_string())
        .collect();
    words.join("::")
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    fn refusal(attributes: &[Attribute]) -> String {
        InputAttributes::read(attributes).map(|_| ()).unwrap_err().to_string()
    }

    #[test]
    fn the_keys_of_an_input_are_read() {
        let read =
            InputAttributes::read(&[parse_quote!(#[input(default = Fill::Ring, min = -1, unit = "m", options)])]);
        let read = read.unwrap();
        let default: Expr = parse_quote!(Fill::Ring);
        let written = |expr: Expr| quote::ToTokens::to_token_stream(&expr).to_string();
        assert_eq!(read.default.map(written), Some(written(default)));
        assert!(read.min.is_some() && read.max.is_none());
        assert_eq!(read.unit.map(|unit| unit.value()).as_deref(), Some("m"));
        assert!(read.options.is_some() && read.uniform.is_none());
    }

    #[test]
    fn an_attribute_without_keys_states_nothing() {
        let read = InputAttributes::read(&[parse_quote!(#[input]), parse_quote!(#[serde(default = "a")])]).unwrap();
        assert!(read.default.is_none());
    }

    #[test]
    fn an_unknown_key_and_a_key_twice_are_refused() {
        let known = "#[input] takes default, min, max, unit, uniform and options";
        assert_eq!(
            refusal(&[parse_quote!(#[input(minimum = 1)])]),
            format!("no key 'minimum'; {known}")
        );
        assert_eq!(
            refusal(&[parse_quote!(#[input(min = 1, min = 2)])]),
            "'min' is stated twice"
        );
        assert_eq!(
            refusal(&[parse_quote!(#[input(uniform)]), parse_quote!(#[input(uniform)])]),
            "'uniform' is stated twice"
        );
        let node = NodeAttributes::read(&[parse_quote!(#[node(name = "a.b")])]).map(|_| ());
        assert_eq!(node.unwrap_err().to_string(), "no key 'name'; #[node] takes id");
    }
}
