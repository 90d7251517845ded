//! The doc comment of an item, as text and as it was written.

use proc_macro2::Span;
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// A doc comment.
#[derive(Default)]
pub(crate) struct Docs {
    /// The Markdown, line by line, without the space that follows `///`.
    pub(crate) text: String,
    /// The attributes, to be written on what is generated.
    pub(crate) attributes: Vec<Attribute>,
}

impl Docs {
    /// The doc comment among an item's attributes; `what` at `span` must have one.
    pub(crate) fn of(attributes: &[Attribute], span: Span, what: &str) -> syn::Result<Docs> {
        let mut docs = Docs::default();
        let mut lines: Vec<String> = Vec::new();
        for attribute in attributes {
            let Meta::NameValue(pair) = &attribute.meta else {
                continue;
            };
            if !pair.path.is_ident("doc") {
                continue;
            }
            let Expr::Lit(ExprLit {
                lit: Lit::Str(text), ..
            }) = &pair.value
            else {
                let message = format!("the doc comment of {what} must be plain text: it is held in the schema");
                return Err(syn::Error::new_spanned(&pair.value, message));
            };
            lines.extend(text.value().split('\n').map(line));
            docs.attributes.push(attribute.clone());
        }
        docs.text = lines.join("\n").trim().to_owned();
        if docs.text.is_empty() {
            let message = format!("{what} needs a doc comment: it is the description that tools show");
            return Err(syn::Error::new(span, message));
        }
        Ok(docs)
    }

    /// What the paragraph says that begins with `Cost:`, where there is one.
    pub(crate) fn cost(&self) -> Option<String> {
        let paragraph = self.text.split("\n\n").find_map(|held| held.strip_prefix("Cost:"))?;
        Some(paragraph.trim().replace('\n', " "))
    }
}

fn line(text: &str) -> String {
    text.strip_prefix(' ').unwrap_or(text).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn the_cost_is_the_paragraph_that_says_so() {
        let cost = |text: &str| {
            let docs = Docs::of(&[parse_quote!(#[doc = #text])], Span::call_site(), "node 'A'");
            docs.unwrap().cost()
        };
        let said = cost(" Points.\n\n Cost: 7 dispatches,\n one a column.\n\n More.");
        assert_eq!(said.as_deref(), Some("7 dispatches, one a column."));
        assert_eq!(cost(" Points. Cost: none is stated in a line."), None);
    }

    fn text(attributes: &[Attribute]) -> Result<String, String> {
        Docs::of(attributes, Span::call_site(), "input 'a'")
            .map(|docs| docs.text)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn lines_are_kept_and_their_first_space_dropped() {
        let attributes: Vec<Attribute> = parse_quote!(
            /// How many.
            ///
            ///   - indented
            #[doc(hidden)]
        );
        assert_eq!(text(&attributes).unwrap(), "How many.\n\n  - indented");
    }

    #[test]
    fn a_missing_an_empty_and_a_computed_doc_are_refused() {
        assert_eq!(
            text(&[]).unwrap_err(),
            "input 'a' needs a doc comment: it is the description that tools show"
        );
        assert_eq!(text(&[parse_quote!(#[doc = " "])]).unwrap_err(), text(&[]).unwrap_err());
        let computed = text(&[parse_quote!(#[doc = include_str!("a.md")])]);
        assert_eq!(
            computed.unwrap_err(),
            "the doc comment of input 'a' must be plain text: it is held in the schema"
        );
    }
}
