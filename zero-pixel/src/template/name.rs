//! What a template may be called.

use crate::error::{Error, Result};

/// The longest name, in bytes: with the suffix and a temporary's additions a folder's name stays below the 255 that
/// file systems allow.
const MAX_BYTES: usize = 128;

/// Names that Windows keeps for devices, with any ending.
const DEVICES: [&str; 22] = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "lpt1", "lpt2",
    "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// Letters and digits of any script, `_` and `-`: what every file system, and every path, can name.
pub(super) fn check(name: &str) -> Result<()> {
    let problem = if name.is_empty() {
        "it is empty".to_owned()
    } else if name.len() > MAX_BYTES {
        format!("it has {} bytes, more than {MAX_BYTES}", name.len())
    } else if let Some(other) = name.chars().find(|c| !c.is_alphanumeric() && *c != '_' && *c != '-') {
        format!("it has {other:?}; letters, digits, `_` and `-` are taken")
    } else if DEVICES.contains(&name.to_lowercase().as_str()) {
        "Windows keeps this name for a device".to_owned()
    } else {
        return Ok(());
    };
    Err(Error::BadName {
        what: "template",
        name: name.to_owned(),
        problem,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_a_path_cannot_hold_are_refused() {
        for good in ["camp-fire_2", "火", "Éclair", "console"] {
            assert!(check(good).is_ok(), "{good}");
        }
        let long = "a".repeat(129);
        for bad in [
            "", "..", "a/b", "a\\b", "a b", ".hidden", "a.b", "CON", "lpt9", "a\n", &long,
        ] {
            assert!(check(bad).is_err(), "{bad}");
        }
        assert_eq!(
            check("a/b").unwrap_err().to_string(),
            "\"a/b\" cannot name a template: it has '/'; letters, digits, `_` and `-` are taken"
        );
    }
}
