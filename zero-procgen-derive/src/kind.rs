//! What a field takes, read from its type.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{GenericArgument, Path, PathArguments, Type};

/// What travels along a socket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Socket {
    Float,
    Int,
    UInt,
    Bool,
    Vec2,
    Vec3,
    Vec4,
    Quat,
    Color,
    Geometry,
    Raster,
    Column,
}

impl Socket {
    /// The socket of a type such as `Float<'g>`. Without its lifetime a name such as `Vec3` is some other type.
    pub(crate) fn of(ty: &Type) -> Option<Socket> {
        let (name, arguments) = last_segment(ty)?;
        let [GenericArgument::Lifetime(_)] = arguments.as_slice() else {
            return None;
        };
        Some(match name.to_string().as_str() {
            "Float" => Socket::Float,
            "Int" => Socket::Int,
            "UInt" => Socket::UInt,
            "Bool" => Socket::Bool,
            "Vec2" => Socket::Vec2,
            "Vec3" => Socket::Vec3,
            "Vec4" => Socket::Vec4,
            "Quat" => Socket::Quat,
            "Color" => Socket::Color,
            "Geo" => Socket::Geometry,
            "Raster" => Socket::Raster,
            "Col" => Socket::Column,
            _ => return None,
        })
    }

    /// The name of the variant of `Type`, which is also the name that errors use.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Socket::Float => "Float",
            Socket::Int => "Int",
            Socket::UInt => "UInt",
            Socket::Bool => "Bool",
            Socket::Vec2 => "Vec2",
            Socket::Vec3 => "Vec3",
            Socket::Vec4 => "Vec4",
            Socket::Quat => "Quat",
            Socket::Color => "Color",
            Socket::Geometry => "Geometry",
            Socket::Raster => "Raster",
            Socket::Column => "Column",
        }
    }

    /// The scalar it is made of, if it can be a constant.
    pub(crate) fn scalar(self) -> Option<Scalar> {
        match self {
            Socket::Float => Some(Scalar::Float),
            Socket::Int => Some(Scalar::Int),
            Socket::UInt => Some(Scalar::UInt),
            Socket::Bool => Some(Scalar::Bool),
            Socket::Vec2 => Some(Scalar::Vec2),
            Socket::Vec3 => Some(Scalar::Vec3),
            Socket::Vec4 => Some(Scalar::Vec4),
            Socket::Quat => Some(Scalar::Quat),
            Socket::Color => Some(Scalar::Color),
            Socket::Geometry | Socket::Raster | Socket::Column => None,
        }
    }
}

/// What a constant is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scalar {
    Float,
    Int,
    UInt,
    Bool,
    Vec2,
    Vec3,
    Vec4,
    Quat,
    Color,
    Text,
}

impl Scalar {
    /// Whether it is a number, which has a range and a unit.
    pub(crate) fn is_number(self) -> bool {
        !matches!(self, Scalar::Bool | Scalar::Text)
    }

    /// How many floats it is made of; 1 for what is no vector.
    pub(crate) fn lanes(self) -> usize {
        match self {
            Scalar::Vec2 => 2,
            Scalar::Vec3 => 3,
            Scalar::Vec4 | Scalar::Quat | Scalar::Color => 4,
            Scalar::Float | Scalar::Int | Scalar::UInt | Scalar::Bool | Scalar::Text => 1,
        }
    }

    /// The name that errors use, which is also that of the variant of `InputDefault`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Scalar::Float => "Float",
            Scalar::Int => "Int",
            Scalar::UInt => "UInt",
            Scalar::Bool => "Bool",
            Scalar::Vec2 => "Vec2",
            Scalar::Vec3 => "Vec3",
            Scalar::Vec4 => "Vec4",
            Scalar::Quat => "Quat",
            Scalar::Color => "Color",
            Scalar::Text => "Text",
        }
    }
}

/// What a field takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A socket.
    Socket(Socket),
    /// A socket that may be left out.
    Optional(Socket),
    /// Any number of sockets.
    List(Socket),
    /// A value the build reads.
    Plain(Scalar),
    /// One of the names of an enum; any type that is none of the others, until `options` confirms it.
    Choice,
}

impl Kind {
    /// What a type takes. An `Option` or a `Vec` of something else than a socket is refused.
    pub(crate) fn of(ty: &Type) -> syn::Result<Kind> {
        if let Some(socket) = Socket::of(ty) {
            return Ok(Kind::Socket(socket));
        }
        let Some((name, arguments)) = last_segment(ty) else {
            return Err(syn::Error::new_spanned(ty, format!("no input has this type; {TYPES}")));
        };
        let wrapped = match arguments.as_slice() {
            [GenericArgument::Type(inner)] => Socket::of(inner),
            _ => None,
        };
        match (name.to_string().as_str(), wrapped) {
            ("Option", Some(socket)) => Ok(Kind::Optional(socket)),
            ("Vec", Some(socket)) => Ok(Kind::List(socket)),
            ("Option", None) => Err(syn::Error::new_spanned(
                ty,
                "an optional input is an Option of a socket, such as Option<Float<'g>>",
            )),
            ("Vec", None) => Err(syn::Error::new_spanned(
                ty,
                "a list is a Vec of sockets, such as Vec<Geo<'g>>",
            )),
            ("i32", _) => Ok(Kind::Plain(Scalar::Int)),
            ("f32", _) => Ok(Kind::Plain(Scalar::Float)),
            ("bool", _) => Ok(Kind::Plain(Scalar::Bool)),
            ("String", _) => Ok(Kind::Plain(Scalar::Text)),
            _ => Ok(Kind::Choice),
        }
    }

    /// What one constant of it is; nothing for a geometry and the like, and for a choice.
    pub(crate) fn scalar(self) -> Option<Scalar> {
        match self {
            Kind::Socket(socket) | Kind::Optional(socket) | Kind::List(socket) => socket.scalar(),
            Kind::Plain(scalar) => Some(scalar),
            Kind::Choice => None,
        }
    }

    /// The kind as the schema states it.
    pub(crate) fn schema(self) -> TokenStream {
        let socket = |variant: &str, socket: Socket| {
            let (variant, ty) = (word(variant), word(socket.name()));
            quote!(::zero_procgen::InputKind::#variant(::zero_procgen::Type::#ty))
        };
        let variant = match self {
            Kind::Socket(ty) | Kind::Optional(ty) => return socket("Socket", ty),
            Kind::List(ty) => return socket("List", ty),
            Kind::Plain(scalar) => word(&format!("Plain{}", scalar.name())),
            Kind::Choice => word("Choice"),
        };
        quote!(::zero_procgen::InputKind::#variant)
    }

    /// What an input of this kind expects, as the errors of `Wires` word it; a choice lists its names instead.
    pub(crate) fn expected(self) -> String {
        match self {
            Kind::Socket(socket) | Kind::Optional(socket) => format!("a {}", socket.name()),
            Kind::List(socket) => format!("a list of {}", socket.name()),
            Kind::Plain(Scalar::Text) => "a String".to_owned(),
            Kind::Plain(scalar) => format!("a {}", scalar.name()),
            Kind::Choice => "one of its options".to_owned(),
        }
    }
}

pub(crate) const TYPES: &str = "an input is a socket (Float, Int, UInt, Bool, Vec2, Vec3, Vec4, Quat, Color, Geo, Raster or Col, \
    with the graph's lifetime), an Option or a Vec of one, an i32, an f32, a bool, a String, or an enum that derives Choice, marked \
    #[input(options)]";

/// An identifier of the generated code.
pub(crate) fn word(text: &str) -> Ident {
    Ident::new(text, proc_macro2::Span::call_site())
}

/// The last name of a type's path and what it is generic over.
fn last_segment(ty: &Type) -> Option<(&Ident, Vec<&GenericArgument>)> {
    let path: &Path = match ty {
        Type::Path(path) if path.qself.is_none() => &path.path,
        Type::Group(group) => return last_segment(&group.elem),
        Type::Paren(paren) => return last_segment(&paren.elem),
        _ => return None,
    };
    let segment = path.segments.last()?;
    let arguments = match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => arguments.args.iter().collect(),
        _ => Vec::new(),
    };
    Some((&segment.ident, arguments))
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_str;

    fn kind(ty: &str) -> Result<Kind, String> {
        Kind::of(&parse_str(ty).unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_type_says_what_a_field_takes() {
        assert_eq!(kind("Float<'g>"), Ok(Kind::Socket(Socket::Float)));
        assert_eq!(kind("Color<'g>"), Ok(Kind::Socket(Socket::Color)));
        assert_eq!(kind("zero_procgen::Geo<'g>"), Ok(Kind::Socket(Socket::Geometry)));
        assert_eq!(kind("Option<Col<'g>>"), Ok(Kind::Optional(Socket::Column)));
        assert_eq!(kind("std::vec::Vec<Raster<'g>>"), Ok(Kind::List(Socket::Raster)));
        assert_eq!(kind("i32"), Ok(Kind::Plain(Scalar::Int)));
        assert_eq!(kind("f32"), Ok(Kind::Plain(Scalar::Float)));
        assert_eq!(kind("bool"), Ok(Kind::Plain(Scalar::Bool)));
        assert_eq!(kind("String"), Ok(Kind::Plain(Scalar::Text)));
        assert_eq!(kind("Fill"), Ok(Kind::Choice));
    }

    #[test]
    fn a_vector_without_a_lifetime_is_no_socket() {
        assert_eq!(kind("glam::Vec3"), Ok(Kind::Choice));
    }

    #[test]
    fn what_no_input_can_be_is_refused() {
        assert_eq!(
            kind("Option<i32>").unwrap_err(),
            "an optional input is an Option of a socket, such as Option<Float<'g>>"
        );
        assert_eq!(
            kind("Vec<String>").unwrap_err(),
            "a list is a Vec of sockets, such as Vec<Geo<'g>>"
        );
        assert_eq!(
            kind("[f32; 3]").unwrap_err(),
            format!("no input has this type; {TYPES}")
        );
        assert_eq!(kind("&'g str").unwrap_err(), format!("no input has this type; {TYPES}"));
    }
}
