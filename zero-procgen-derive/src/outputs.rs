//! `#[derive(Outputs)]`.

use crate::kind::Socket;
use crate::names::camel_case;
use crate::node::{Errors, graph_lifetime};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DataStruct, DeriveInput, Error, Field, Fields, Ident, Result, Type};

/// The sockets of a struct, in order.
pub(crate) fn expand(input: DeriveInput) -> Result<TokenStream> {
    let Data::Struct(DataStruct {
        fields: Fields::Named(fields),
        ..
    }) = &input.data
    else {
        return Err(Error::new_spanned(&input.ident, SHAPE));
    };
    let mut errors = Errors::default();
    let lifetime = errors
        .take(graph_lifetime(&input.generics, "a struct of outputs"))
        .flatten();
    let sockets: Vec<(&Ident, &Type)> = fields
        .named
        .iter()
        .filter_map(|field| errors.take(socket(field)))
        .collect();
    errors.finish()?;
    let (Some(lifetime), false) = (lifetime, sockets.is_empty()) else {
        return Err(Error::new_spanned(&input.ident, SHAPE));
    };
    let ident = &input.ident;
    let (names, types): (Vec<_>, Vec<_>) = sockets.into_iter().unzip();
    let places = 0..names.len();
    let called = names.iter().map(|name| camel_case(name));
    Ok(quote! {
        #[automatically_derived]
        impl<#lifetime> ::zero_procgen::Sockets<#lifetime> for #ident<#lifetime> {
            fn types() -> ::std::vec::Vec<::zero_procgen::Type> {
                ::std::vec![#(<#types as ::zero_procgen::Socket<#lifetime>>::TYPE),*]
            }
            fn names() -> ::std::vec::Vec<::std::string::String> {
                ::std::vec![#(::std::string::String::from(#called)),*]
            }
            fn wires(&self) -> ::std::vec::Vec<::zero_procgen::Wire> {
                ::std::vec![#(::zero_procgen::Socket::wire(self.#names)),*]
            }
            fn from_wires(graph: &#lifetime ::zero_procgen::Graph, wires: &[::zero_procgen::Wire]) -> Self {
                let at = |place: usize| wires.get(place).copied().unwrap_or(::zero_procgen::Wire::Refused);
                Self { #(#names: ::zero_procgen::Socket::from_wire(graph, at(#places))),* }
            }
        }
    })
}

const SHAPE: &str = "a struct of outputs has the lifetime of its graph and one named field or more, each a socket";

fn socket(field: &Field) -> Result<(&Ident, &Type)> {
    match (&field.ident, Socket::of(&field.ty)) {
        (Some(ident), Some(_)) => Ok((ident, &field.ty)),
        _ => Err(Error::new_spanned(
            &field.ty,
            "an output is a socket: a number, a truth, a vector, a Geo, a Raster or a Col",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assert_holds, messages};
    use syn::parse_quote;

    #[test]
    fn the_sockets_keep_their_order() {
        let code = expand(parse_quote! {
            struct Split<'a> {
                inside: Geo<'a>,
                share_kept: Float<'a>,
            }
        });
        assert_holds(
            code,
            &[
                "impl<'a> ::zero_procgen::Sockets<'a> for Split<'a>",
                "::std::vec![<Geo<'a> as ::zero_procgen::Socket<'a>>::TYPE, <Float<'a> as ::zero_procgen::Socket<'a>>::TYPE]",
                "::std::vec![::zero_procgen::Socket::wire(self.inside), ::zero_procgen::Socket::wire(self.share_kept)]",
                "::std::vec![::std::string::String::from(\"inside\"), ::std::string::String::from(\"shareKept\")]",
                "unwrap_or(::zero_procgen::Wire::Refused)",
                "inside: ::zero_procgen::Socket::from_wire(graph, at(0usize)), share_kept: ::zero_procgen::Socket::from_wire(graph, at(1usize))",
            ],
        );
    }

    #[test]
    fn what_is_no_struct_of_sockets_is_refused() {
        let check = |input: DeriveInput, expected: &str| assert_eq!(messages(expand(input)), [expected]);
        check(
            parse_quote!(
                enum A {}
            ),
            SHAPE,
        );
        check(
            parse_quote!(
                struct A<'g>(Geo<'g>);
            ),
            SHAPE,
        );
        check(
            parse_quote!(
                struct A<'g> {}
            ),
            SHAPE,
        );
        check(
            parse_quote!(
                struct A<'g> {
                    a: Option<Geo<'g>>,
                }
            ),
            "an output is a socket: a number, a truth, a vector, a Geo, a Raster or a Col",
        );
        check(
            parse_quote!(
                struct A<'g, T> {
                    a: Geo<'g>,
                }
            ),
            "a struct of outputs has at most one generic parameter, the lifetime of its graph",
        );
    }
}
