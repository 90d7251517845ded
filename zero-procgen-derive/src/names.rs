//! Names as documents write them.

use proc_macro2::Ident;
use syn::ext::IdentExt;

/// The name of an input in documents: `min_dist` is `minDist`, `r#type` is `type`.
pub(crate) fn camel_case(field: &Ident) -> String {
    let mut name = String::new();
    let mut upper = false;
    for letter in field.unraw().to_string().trim_start_matches('_').chars() {
        match letter {
            '_' => upper = true,
            _ if upper => {
                name.extend(letter.to_uppercase());
                upper = false;
            }
            _ => name.push(letter),
        }
    }
    name
}

/// The name of a choice in documents: `PointUp` is `point_up`, `UVSphere` is `uv_sphere`.
pub(crate) fn snake_case(variant: &Ident) -> String {
    let letters: Vec<char> = variant.unraw().to_string().chars().collect();
    let mut name = String::new();
    for (index, letter) in letters.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|at| letters.get(at));
        let after = letters.get(index + 1);
        let word_ends = before.is_some_and(|c| c.is_lowercase() || c.is_numeric());
        let acronym_ends = before.is_some_and(|c| c.is_uppercase()) && after.is_some_and(|c| c.is_lowercase());
        if letter.is_uppercase() && (word_ends || acronym_ends) {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    name
}

/// Whether a text is a node's id: two words or more, joined by dots, each of letters, digits and `_` and beginning
/// with a small letter.
pub(crate) fn is_node_id(text: &str) -> bool {
    let word = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_lowercase())
            && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    text.contains('.') && text.split('.').all(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_str;

    #[test]
    fn a_field_is_named_in_camel_case() {
        let check = |field: &str, name: &str| assert_eq!(camel_case(&parse_str(field).unwrap()), name, "{field}");
        check("count", "count");
        check("min_dist", "minDist");
        check("a_b_c", "aBC");
        check("spacing_2d", "spacing2d");
        check("_hidden", "hidden");
        assert_eq!(
            camel_case(&Ident::new_raw("type", proc_macro2::Span::call_site())),
            "type"
        );
    }

    #[test]
    fn a_variant_is_named_in_snake_case() {
        let check = |variant: &str, name: &str| assert_eq!(snake_case(&parse_str(variant).unwrap()), name, "{variant}");
        check("Sunflower", "sunflower");
        check("PointUp", "point_up");
        check("UVSphere", "uv_sphere");
        check("XZ", "xz");
        check("Ring3", "ring3");
        check("Ring3Tall", "ring3_tall");
    }

    #[test]
    fn an_id_is_words_joined_by_dots() {
        for id in ["points.disc", "points.on_curve", "game.city.tower2", "field.sampleGrid"] {
            assert!(is_node_id(id), "{id}");
        }
        for id in [
            "",
            "disc",
            "points.",
            ".disc",
            "points..disc",
            "Points.disc",
            "points.2d",
            "points.a b",
            "points/a.b",
        ] {
            assert!(!is_node_id(id), "{id}");
        }
    }
}
