//! What the tests of the macros share: generated code is compared as text, whatever its spaces.

use proc_macro2::TokenStream;

/// The text without its spaces.
pub(crate) fn squeezed(text: String) -> String {
    text.chars().filter(|letter| !letter.is_whitespace()).collect()
}

/// Asserts that the code is code, and holds each of the parts.
pub(crate) fn assert_holds(code: syn::Result<TokenStream>, parts: &[&str]) {
    let code = code.unwrap();
    syn::parse2::<syn::File>(code.clone()).unwrap();
    let text = squeezed(code.to_string());
    for part in parts {
        assert!(
            text.contains(&squeezed((*part).to_owned())),
            "expected\n{part}\nin\n{code}"
        );
    }
}

/// Every message of a refusal, in order; none for code.
pub(crate) fn messages(code: syn::Result<TokenStream>) -> Vec<String> {
    match code {
        Ok(_) => Vec::new(),
        Err(error) => error.into_iter().map(|error| error.to_string()).collect(),
    }
}
