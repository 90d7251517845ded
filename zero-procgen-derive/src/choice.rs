//! `#[derive(Choice)]`.

use crate::names::snake_case;
use crate::node::Errors;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, Result};

/// The names of an enum's variants.
pub(crate) fn expand(input: DeriveInput) -> Result<TokenStream> {
    let Data::Enum(data) = &input.data else {
        return Err(Error::new_spanned(&input.ident, "a choice is an enum without fields"));
    };
    let mut errors = Errors::default();
    if !input.generics.params.is_empty() {
        errors.push(Error::new_spanned(&input.generics, "a choice is not generic"));
    }
    if data.variants.is_empty() {
        errors.push(Error::new_spanned(&input.ident, "a choice has at least one variant"));
    }
    let mut names: Vec<String> = Vec::new();
    for variant in &data.variants {
        let name = snake_case(&variant.ident);
        if !matches!(variant.fields, Fields::Unit) {
            errors.push(Error::new_spanned(
                &variant.fields,
                "a variant of a choice has no fields",
            ));
        }
        if names.contains(&name) {
            errors.push(Error::new_spanned(
                &variant.ident,
                format!("two variants are named '{name}'"),
            ));
        }
        names.push(name);
    }
    errors.finish()?;
    let ident = &input.ident;
    let variants: Vec<_> = data.variants.iter().map(|variant| &variant.ident).collect();
    Ok(quote! {
        #[automatically_derived]
        impl ::zero_procgen::Choice for #ident {
            const OPTIONS: &'static [&'static str] = &[#(#names),*];
            fn from_name(name: &str) -> ::core::option::Option<Self> {
                match name {
                    #(#names => ::core::option::Option::Some(Self::#variants),)*
                    _ => ::core::option::Option::None,
                }
            }
            fn name(self) -> &'static str {
                match self {
                    #(Self::#variants => #names,)*
                }
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assert_holds, messages};
    use syn::parse_quote;

    #[test]
    fn a_variant_has_its_name_both_ways() {
        let code = expand(parse_quote! {
            enum Fill {
                Sunflower,
                PolarGrid = 7,
            }
        });
        assert_holds(
            code,
            &[
                r#"impl ::zero_procgen::Choice for Fill"#,
                r#"const OPTIONS: &'static [&'static str] = &["sunflower", "polar_grid"];"#,
                r#""polar_grid" => ::core::option::Option::Some(Self::PolarGrid),"#,
                r#"_ => ::core::option::Option::None,"#,
                r#"Self::Sunflower => "sunflower","#,
            ],
        );
    }

    #[test]
    fn what_has_no_plain_names_is_refused() {
        let check = |input: DeriveInput, expected: &[&str]| assert_eq!(messages(expand(input)), expected);
        check(
            parse_quote!(
                struct A;
            ),
            &["a choice is an enum without fields"],
        );
        check(
            parse_quote!(
                enum A {}
            ),
            &["a choice has at least one variant"],
        );
        check(
            parse_quote!(
                enum A {
                    B(i32),
                    C,
                }
            ),
            &["a variant of a choice has no fields"],
        );
        check(
            parse_quote!(
                enum A {
                    Xz,
                    XZ,
                }
            ),
            &["two variants are named 'xz'"],
        );
        check(
            parse_quote!(
                enum A<T> {
                    B { t: T },
                }
            ),
            &["a choice is not generic", "a variant of a choice has no fields"],
        );
    }
}
