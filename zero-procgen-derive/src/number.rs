//! Constants of attributes, as the types they are wanted in.

use crate::kind::Scalar;
use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprArray, ExprGroup, ExprLit, ExprParen, ExprUnary, Lit, LitFloat, UnOp};

/// The constant as the scalar: a whole literal becomes a float where floats are wanted, one number a vector of it.
pub(crate) fn typed(expr: &Expr, scalar: Scalar) -> TokenStream {
    match scalar {
        Scalar::Float => float(expr),
        Scalar::Int | Scalar::UInt | Scalar::Bool | Scalar::Text => quote!(#expr),
        vector => lanes(expr, vector.lanes()),
    }
}

fn lanes(expr: &Expr, count: usize) -> TokenStream {
    match expr {
        Expr::Array(ExprArray { elems, .. }) => {
            let lanes = elems.iter().map(float);
            quote_spanned!(expr.span()=> [#(#lanes),*])
        }
        _ if literal(expr).is_some() => {
            let (lane, count) = (float(expr), Literal::usize_unsuffixed(count));
            quote_spanned!(expr.span()=> [#lane; #count])
        }
        _ => quote!(#expr),
    }
}

fn float(expr: &Expr) -> TokenStream {
    match expr {
        Expr::Lit(ExprLit {
            lit: Lit::Int(whole), ..
        }) if whole.suffix().is_empty() => {
            let float = LitFloat::new(&format!("{}.0", whole.base10_digits()), whole.span());
            quote!(#float)
        }
        Expr::Unary(ExprUnary {
            op: UnOp::Neg(minus),
            expr,
            ..
        }) => {
            let inner = float(expr);
            quote!(#minus #inner)
        }
        Expr::Group(ExprGroup { expr, .. }) | Expr::Paren(ExprParen { expr, .. }) => {
            let inner = float(expr);
            quote!((#inner))
        }
        _ => quote!(#expr),
    }
}

/// A bound as the schema holds it: an f64 that the scalar can be. A bound such as 0.7 is not an f32; were it compared
/// as it stands, the f32 nearest to it would be outside its own range.
pub(crate) fn bound(expr: &Expr, scalar: Scalar) -> TokenStream {
    match scalar {
        Scalar::Int | Scalar::Bool | Scalar::Text => quote!({ let bound: i32 = #expr; bound as f64 }),
        Scalar::UInt => quote!({ let bound: u32 = #expr; bound as f64 }),
        _ => {
            let value = float(expr);
            quote!({ let bound: f32 = #value; bound as f64 })
        }
    }
}

/// The number of a literal, with or without a minus; nothing for a constant's name or a sum.
pub(crate) fn literal(expr: &Expr) -> Option<f64> {
    match expr {
        Expr::Lit(ExprLit {
            lit: Lit::Int(whole), ..
        }) => whole.base10_digits().parse().ok(),
        Expr::Lit(ExprLit {
            lit: Lit::Float(float), ..
        }) => float.base10_digits().parse().ok(),
        Expr::Unary(ExprUnary {
            op: UnOp::Neg(_), expr, ..
        }) => literal(expr).map(|value| -value),
        Expr::Group(ExprGroup { expr, .. }) | Expr::Paren(ExprParen { expr, .. }) => literal(expr),
        _ => None,
    }
}

/// The numbers of a literal: one, or the lanes of an array of literals.
pub(crate) fn literals(expr: &Expr) -> Vec<f64> {
    match expr {
        Expr::Array(ExprArray { elems, .. }) => elems.iter().filter_map(literal).collect(),
        _ => literal(expr).into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::squeezed;
    use syn::parse_str;

    fn check(expr: &str, scalar: Scalar, expected: &str) {
        let found = typed(&parse_str(expr).unwrap(), scalar);
        assert_eq!(
            squeezed(found.to_string()),
            squeezed(expected.to_owned()),
            "{expr} as {scalar:?}"
        );
    }

    #[test]
    fn a_whole_literal_becomes_a_float_where_one_is_wanted() {
        check("64", Scalar::Int, "64");
        check("64", Scalar::Float, "64.0");
        check("-(64)", Scalar::Float, "-(64.0)");
        check("0.5", Scalar::Float, "0.5");
        check("HALF", Scalar::Float, "HALF");
    }

    #[test]
    fn a_vector_is_three_numbers_one_number_or_a_constant() {
        check("[1, -2.5, H]", Scalar::Vec3, "[1.0, -2.5, H]");
        check("1", Scalar::Vec3, "[1.0; 3]");
        check("0.5", Scalar::Color, "[0.5; 4]");
        check("UP", Scalar::Vec3, "UP");
    }

    #[test]
    fn a_bound_is_rounded_to_what_the_scalar_can_be() {
        let check = |expr: &str, scalar: Scalar, expected: &str| {
            let found = bound(&parse_str(expr).unwrap(), scalar).to_string();
            assert_eq!(squeezed(found), squeezed(expected.to_owned()));
        };
        check("0.7", Scalar::Float, "{ let bound: f32 = 0.7; bound as f64 }");
        check("1", Scalar::Vec3, "{ let bound: f32 = 1.0; bound as f64 }");
        check("-1", Scalar::Int, "{ let bound: i32 = -1; bound as f64 }");
    }

    #[test]
    fn the_number_of_a_literal_is_known_here_and_of_a_name_is_not() {
        let number = |expr: &str| literal(&parse_str(expr).unwrap());
        assert_eq!(number("-(1_000)"), Some(-1000.0));
        assert_eq!(number("2.5f32"), Some(2.5));
        assert_eq!(number("MOST"), None);
        assert_eq!(literals(&parse_str("[1, 2.5, H]").unwrap()), [1.0, 2.5]);
    }
}
