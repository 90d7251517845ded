//! `#[derive(Node)]`.

use crate::attributes::NodeAttributes;
use crate::docs::Docs;
use crate::input::Input;
use crate::names::is_node_id;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, GenericParam, Generics, Lifetime, Result, Visibility};

/// A node as its struct states it.
struct Node {
    ident: Ident,
    vis: Visibility,
    /// The lifetime of the graph, if the struct has one.
    lifetime: Option<Lifetime>,
    id: String,
    docs: Docs,
    inputs: Vec<Input>,
}

/// The implementations of a node's struct.
pub(crate) fn expand(input: DeriveInput) -> Result<TokenStream> {
    let node = Node::read(input)?;
    let parts = [
        node.constructor(),
        node.default(),
        node.info(),
        node.wires(),
        node.node_type(),
    ];
    Ok(parts.into_iter().collect())
}

impl Node {
    fn read(input: DeriveInput) -> Result<Node> {
        let mut errors = Errors::default();
        let lifetime = errors.take(graph_lifetime(&input.generics, "a node")).flatten();
        let what = format!("node '{}'", input.ident);
        let docs = errors.take(Docs::of(&input.attrs, input.ident.span(), &what));
        let id = errors.take(id(&input));
        let mut inputs: Vec<Input> = Vec::new();
        match &input.data {
            Data::Struct(data) if !matches!(data.fields, Fields::Unnamed(_)) => {
                inputs.extend(data.fields.iter().filter_map(|field| errors.take(Input::read(field))));
            }
            _ => errors.push(Error::new_spanned(
                &input.ident,
                "a node is a struct with named fields, or with none",
            )),
        }
        for (index, later) in inputs.iter().enumerate() {
            if inputs.iter().take(index).any(|earlier| earlier.name == later.name) {
                errors.push(Error::new(
                    later.span(),
                    format!("two inputs are named '{}' in documents", later.name),
                ));
            }
        }
        errors.finish()?;
        let (docs, id) = (docs.unwrap_or_default(), id.unwrap_or_default());
        Ok(Node {
            ident: input.ident,
            vis: input.vis,
            lifetime,
            id,
            docs,
            inputs,
        })
    }

    /// The struct's type with the lifetime given, or without one if it has none.
    fn ty(&self, lifetime: &str) -> TokenStream {
        let ident = &self.ident;
        let lifetime = Lifetime::new(lifetime, Span::call_site());
        match self.lifetime {
            Some(_) => quote!(#ident<#lifetime>),
            None => quote!(#ident),
        }
    }

    fn constructor(&self) -> TokenStream {
        let Node {
            ident,
            vis,
            lifetime,
            docs,
            inputs,
            ..
        } = self;
        let generics = lifetime.as_ref().map(|lifetime| quote!(<#lifetime>));
        let docs = &docs.attributes;
        let arguments = inputs.iter().filter_map(Input::argument);
        let made = inputs.iter().map(Input::made);
        let setters = inputs.iter().filter_map(|input| input.setter(vis));
        quote! {
            #[allow(dead_code, reason = "a crate need not call every setter of its nodes")]
            #[allow(clippy::too_many_arguments, reason = "as many as the node requires")]
            impl #generics #ident #generics {
                #(#docs)*
                #[must_use]
                #[track_caller]
                #vis fn new(#(#arguments),*) -> Self {
                    Self { #(#made),* }
                }
                #(#setters)*
            }
        }
    }

    fn default(&self) -> TokenStream {
        if self.inputs.iter().any(Input::required) {
            return TokenStream::new();
        }
        let ty = self.ty("'_");
        quote! {
            #[automatically_derived]
            impl ::core::default::Default for #ty {
                fn default() -> Self {
                    Self::new()
                }
            }
        }
    }

    fn info(&self) -> TokenStream {
        let (ty, id, text) = (self.ty("'_"), &self.id, &self.docs.text);
        let given = self.inputs.iter().map(Input::given);
        let cost = self.docs.cost().map(|cost| quote!(.cost(#cost)));
        let inputs = self.inputs.iter().map(Input::schema);
        let count = self.inputs.len();
        let checks: Vec<TokenStream> = self
            .inputs
            .iter()
            .enumerate()
            .filter_map(|(index, input)| input.range_check(index))
            .collect();
        let schema = (!checks.is_empty()).then(|| quote!(let schema = <Self as ::zero_procgen::NodeInfo>::schema();));
        quote! {
            #[automatically_derived]
            impl ::zero_procgen::NodeInfo for #ty {
                fn schema() -> &'static ::zero_procgen::Schema {
                    static INPUTS: [::zero_procgen::InputSchema; #count] = [#(#inputs),*];
                    static SCHEMA: ::zero_procgen::Schema = ::zero_procgen::Schema::new(#id, #text, &INPUTS) #cost;
                    &SCHEMA
                }
                fn check(&self) -> ::zero_procgen::Result<()> {
                    #schema
                    #(#checks)*
                    ::core::result::Result::Ok(())
                }
                fn given(
                    &self,
                ) -> ::core::option::Option<::std::vec::Vec<(&'static str, ::zero_procgen::Given)>> {
                    let given: [::core::option::Option<(&'static str, ::zero_procgen::Given)>; #count] = [#(#given),*];
                    ::core::option::Option::Some(given.into_iter().flatten().collect())
                }
            }
        }
    }

    fn wires(&self) -> TokenStream {
        let lifetime = self
            .lifetime
            .clone()
            .unwrap_or_else(|| Lifetime::new("'g", Span::call_site()));
        let ty = self.ty(&lifetime.to_string());
        let wired = self.inputs.iter().map(|input| input.wired(&self.id));
        let wires = match self.inputs.is_empty() {
            true => quote!(_wires),
            false => quote!(mut wires),
        };
        quote! {
            #[automatically_derived]
            impl<#lifetime> ::zero_procgen::FromWires<#lifetime> for #ty {
                fn from_wires(#wires: ::zero_procgen::Wires<#lifetime>) -> ::zero_procgen::Result<Self> {
                    ::core::result::Result::Ok(Self { #(#wired),* })
                }
            }
        }
    }

    fn node_type(&self) -> TokenStream {
        let (any, of_graph) = (self.ty("'_"), self.ty("'graph"));
        quote! {
            #[automatically_derived]
            impl ::zero_procgen::NodeType for #any {
                type On<'graph> = #of_graph;
            }
        }
    }
}

fn id(input: &DeriveInput) -> Result<String> {
    let Some(id) = NodeAttributes::read(&input.attrs)?.id else {
        let message = "a node needs an id: add #[node(id = \"family.name\")]";
        return Err(Error::new_spanned(&input.ident, message));
    };
    let text = id.value();
    match is_node_id(&text) {
        true => Ok(text),
        false => Err(Error::new_spanned(
            id,
            format!("'{text}' is no id: expected words of letters, digits and _ joined by dots, such as points.disc"),
        )),
    }
}

/// The one lifetime that a struct over a graph may have.
pub(crate) fn graph_lifetime(generics: &Generics, what: &str) -> Result<Option<Lifetime>> {
    let refuse = |at: &dyn quote::ToTokens| {
        let message = format!("{what} has at most one generic parameter, the lifetime of its graph");
        Err(Error::new_spanned(at.to_token_stream(), message))
    };
    if let Some(clause) = &generics.where_clause {
        return refuse(clause);
    }
    let mut params = generics.params.iter();
    match (params.next(), params.next()) {
        (None, _) => Ok(None),
        (Some(GenericParam::Lifetime(param)), None) => Ok(Some(param.lifetime.clone())),
        (Some(GenericParam::Lifetime(_)), Some(second)) => refuse(second),
        (Some(first), _) => refuse(first),
    }
}

/// Gathers errors, so that a struct's author sees all of them at once.
#[derive(Default)]
pub(crate) struct Errors(Option<Error>);

impl Errors {
    pub(crate) fn push(&mut self, error: Error) {
        match &mut self.0 {
            Some(first) => first.combine(error),
            None => self.0 = Some(error),
        }
    }

    pub(crate) fn take<T>(&mut self, result: Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    pub(crate) fn finish(self) -> Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests;
