//! One input of a node: a field, and the pieces of code that come of it.

use crate::attributes::InputAttributes;
use crate::docs::Docs;
use crate::kind::{Kind, Scalar, Socket, word};
use crate::names::{camel_case, snake_case};
use crate::{check, number};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;
use syn::{Error, Field, Result, Type, Visibility};

/// A field of a node.
pub(crate) struct Input {
    pub(crate) field: Ident,
    pub(crate) ty: Type,
    /// The name in documents, scripts and errors.
    pub(crate) name: String,
    pub(crate) docs: Docs,
    pub(crate) kind: Kind,
    pub(crate) attributes: InputAttributes,
}

impl Input {
    pub(crate) fn read(field: &Field) -> Result<Input> {
        let Some(ident) = &field.ident else {
            return Err(Error::new_spanned(
                field,
                "an input has a name: give the struct named fields",
            ));
        };
        if ident == "new" {
            return Err(Error::new_spanned(
                ident,
                "'new' is the name of the constructor; name the input otherwise",
            ));
        }
        let name = camel_case(ident);
        let input = Input {
            field: ident.clone(),
            ty: field.ty.clone(),
            docs: Docs::of(&field.attrs, ident.span(), &format!("input '{name}'"))?,
            name,
            kind: Kind::of(&field.ty)?,
            attributes: InputAttributes::read(&field.attrs)?,
        };
        check::input(&input)?;
        Ok(input)
    }

    /// Whether every call must state it.
    pub(crate) fn required(&self) -> bool {
        self.attributes.default.is_none() && !matches!(self.kind, Kind::Optional(_))
    }

    /// The input as the schema states it.
    pub(crate) fn schema(&self) -> TokenStream {
        let (name, text, kind) = (&self.name, &self.docs.text, self.kind.schema());
        let required = self.required().then(|| quote!(.required()));
        let default = self.default_data().map(|data| quote!(.default(#data)));
        let bound = |expr| number::bound(expr, self.kind.scalar().unwrap_or(Scalar::Float));
        let min = self.attributes.min.as_ref().map(bound).map(|min| quote!(.min(#min)));
        let max = self.attributes.max.as_ref().map(bound).map(|max| quote!(.max(#max)));
        let unit = self.attributes.unit.as_ref().map(|unit| quote!(.unit(#unit)));
        let ty = &self.ty;
        let options = (self.kind == Kind::Choice).then(|| quote!(.options(<#ty as ::zero_procgen::Choice>::OPTIONS)));
        let uniform = self.attributes.uniform.map(|_| quote!(.uniform()));
        quote!(::zero_procgen::InputSchema::new(#name, #text, #kind) #required #default #min #max #unit #options #uniform)
    }

    /// The default as the schema holds it.
    fn default_data(&self) -> Option<TokenStream> {
        let default = self.attributes.default.as_ref()?;
        let (variant, value) = match self.kind.scalar() {
            Some(scalar) => (scalar.name(), number::typed(default, scalar)),
            None => {
                let name = snake_case(check::variant(default)?);
                ("Text", quote!(#name))
            }
        };
        let variant = word(variant);
        Some(quote!(::zero_procgen::InputDefault::#variant(#value)))
    }

    /// What the field is where a call leaves it out; nothing for a required one.
    fn default_value(&self) -> Option<TokenStream> {
        if matches!(self.kind, Kind::Optional(_)) {
            return Some(quote!(::core::option::Option::None));
        }
        let default = self.attributes.default.as_ref()?;
        let ty = &self.ty;
        Some(match self.kind {
            Kind::Socket(socket) => {
                let constant = match socket {
                    Socket::Float => quote!(f32),
                    Socket::Int => quote!(i32),
                    Socket::UInt => quote!(u32),
                    Socket::Bool => quote!(bool),
                    vector => {
                        let lanes = Literal::usize_unsuffixed(vector.scalar()?.lanes());
                        quote!([f32; #lanes])
                    }
                };
                let value = number::typed(default, socket.scalar()?);
                quote!(<#ty as ::core::convert::From<#constant>>::from(#value))
            }
            Kind::Plain(Scalar::Text) => quote!(<#ty as ::core::convert::From<&str>>::from(#default)),
            Kind::Plain(scalar) => number::typed(default, scalar),
            _ => quote!(#default),
        })
    }

    /// The parameter by which `new` or the setter takes it, and the field's value made of that. Numbers and truths
    /// that the build reads are taken as they are: a literal such as 1.0 would not know what to be.
    fn parameter(&self) -> (TokenStream, TokenStream) {
        let (field, ty) = (&self.field, &self.ty);
        let into = quote!(::core::convert::Into::into(#field));
        match self.kind {
            Kind::Plain(Scalar::Text) => (quote!(#field: impl ::core::convert::Into<#ty>), into),
            Kind::Plain(_) => (quote!(#field: #ty), quote!(#field)),
            Kind::Optional(_) => {
                let inner = inner(ty);
                (
                    quote!(#field: impl ::core::convert::Into<#inner>),
                    quote!(::core::option::Option::Some(#into)),
                )
            }
            _ => (quote!(#field: impl ::core::convert::Into<#ty>), into),
        }
    }

    /// The argument of `new`, for a required input.
    pub(crate) fn argument(&self) -> Option<TokenStream> {
        self.required().then(|| self.parameter().0)
    }

    /// The field as `new` makes it.
    pub(crate) fn made(&self) -> TokenStream {
        let field = &self.field;
        let value = self.default_value().unwrap_or_else(|| self.parameter().1);
        quote!(#field: #value)
    }

    /// The setter, for an input that is not required.
    pub(crate) fn setter(&self, vis: &Visibility) -> Option<TokenStream> {
        if self.required() {
            return None;
        }
        let (field, docs) = (&self.field, &self.docs.attributes);
        let (parameter, value) = self.parameter();
        Some(quote! {
            #(#docs)*
            #[must_use]
            #[track_caller]
            #vis fn #field(mut self, #parameter) -> Self {
                self.#field = #value;
                self
            }
        })
    }

    /// The field as `from_wires` makes it, from a variable named `wires`.
    pub(crate) fn wired(&self, id: &str) -> TokenStream {
        let (field, ty, name) = (&self.field, &self.ty, &self.name);
        let given = match self.kind {
            Kind::Socket(_) if self.required() => return quote!(#field: wires.required::<#ty>(#name)?),
            Kind::Socket(_) => quote!(wires.socket::<#ty>(#name)?),
            Kind::Optional(_) => {
                let inner = inner(ty);
                return quote!(#field: wires.socket::<#inner>(#name)?);
            }
            Kind::List(_) => {
                let inner = inner(ty);
                quote!(wires.list::<#inner>(#name)?)
            }
            Kind::Plain(_) => quote!(wires.plain::<#ty>(#name)?),
            Kind::Choice => quote!(wires.choice::<#ty>(#name)?),
        };
        let missing = self.default_value().unwrap_or_else(|| self.missing(id));
        quote! {
            #field: match #given {
                ::core::option::Option::Some(given) => given,
                ::core::option::Option::None => #missing,
            }
        }
    }

    /// The refusal of a call that leaves a required input out, in the words of `Wires::required`.
    fn missing(&self, id: &str) -> TokenStream {
        let name = &self.name;
        let message = match self.kind {
            Kind::Choice => {
                let ty = &self.ty;
                quote!(::std::format!(
                    "{}.{}: expected one of {}, got nothing",
                    #id,
                    #name,
                    <#ty as ::zero_procgen::Choice>::OPTIONS.join(", "),
                ))
            }
            kind => {
                let text = format!("{id}.{name}: expected {}, got nothing", kind.expected());
                quote!(::std::string::String::from(#text))
            }
        };
        quote!(return ::core::result::Result::Err(::zero_procgen::Error::Refused(#message)))
    }

    /// The statement that holds its constants against its range, `schema` and `index` being its place; nothing for
    /// what is no number.
    pub(crate) fn range_check(&self, index: usize) -> Option<TokenStream> {
        if !self.kind.scalar().is_some_and(Scalar::is_number) {
            return None;
        }
        let field = &self.field;
        let check = |wire: TokenStream| quote!(::zero_procgen::check_range(schema, &schema.inputs[#index], #wire)?;);
        Some(match self.kind {
            Kind::Socket(_) => check(quote!(::zero_procgen::Socket::wire(self.#field))),
            Kind::Optional(_) => {
                let check = check(quote!(::zero_procgen::Socket::wire(socket)));
                quote!(if let ::core::option::Option::Some(socket) = self.#field { #check })
            }
            Kind::List(_) => {
                let check = check(quote!(::zero_procgen::Socket::wire(*socket)));
                quote!(for socket in &self.#field { #check })
            }
            Kind::Plain(Scalar::Int) => check(quote!(::zero_procgen::Wire::Int(self.#field))),
            Kind::Plain(Scalar::UInt) => check(quote!(::zero_procgen::Wire::UInt(self.#field))),
            _ => check(quote!(::zero_procgen::Wire::Float(self.#field))),
        })
    }

    /// What the field holds, as an `Option` of its name and that.
    pub(crate) fn given(&self) -> TokenStream {
        let (field, name) = (&self.field, &self.name);
        let plain = |value: TokenStream| quote!(::zero_procgen::Given::Plain(::std::boxed::Box::new(<::zero_procgen::InputValue as ::core::convert::From<_>>::from(#value))));
        let given = match self.kind {
            Kind::Socket(_) => quote!(::zero_procgen::Given::Wire(::zero_procgen::Socket::wire(self.#field))),
            Kind::Optional(_) => {
                return quote! {
                    self.#field.map(|socket| {
                        (#name, ::zero_procgen::Given::Wire(::zero_procgen::Socket::wire(socket)))
                    })
                };
            }
            Kind::List(_) => quote! {
                ::zero_procgen::Given::Wires(
                    self.#field.iter().map(|socket| ::zero_procgen::Socket::wire(*socket)).collect(),
                )
            },
            Kind::Plain(Scalar::Text) => plain(quote!(::std::string::String::clone(&self.#field))),
            Kind::Plain(_) => plain(quote!(self.#field)),
            Kind::Choice => plain(quote!(::zero_procgen::Choice::name(self.#field))),
        };
        quote!(::core::option::Option::Some((#name, #given)))
    }

    /// Where errors about the field as a whole point.
    pub(crate) fn span(&self) -> Span {
        self.field.span()
    }
}

/// What an `Option` or a `Vec` holds; any other type is its own.
fn inner(ty: &Type) -> &Type {
    let Type::Path(path) = ty else { return ty };
    let Some(syn::PathArguments::AngleBracketed(arguments)) = path.path.segments.last().map(|last| &last.arguments)
    else {
        return ty;
    };
    match arguments.args.first() {
        Some(syn::GenericArgument::Type(inner)) => inner,
        _ => ty,
    }
}
