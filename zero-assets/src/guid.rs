//! [`Guid`]: which asset it is, whatever it is called and wherever it lies.

use std::fmt;
use std::str::FromStr;

use uuid::Uuid;

/// The name of an asset that never changes: 128 bits, random (UUID version 4), written into its `.refs` when
/// it is made. It outlives a move, a rename and any change of content; a copy gets one of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Guid(Uuid);

impl Guid {
    /// A new one. This is the one place in this crate that asks the system for random bits.
    #[must_use]
    pub fn random() -> Self {
        Self(Uuid::new_v4())
    }

    /// Reads the form that [`Guid`] is written in: 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12. `None` for
    /// any other text, the all-zero guid included.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        // The library also takes braces, urn: and no hyphens; one guid has one form here.
        let uuid = Uuid::parse_str(text).ok()?;
        (text.len() == 36 && !uuid.is_nil()).then_some(Self(uuid))
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Guid({self})")
    }
}

impl FromStr for Guid {
    type Err = crate::Error;
    fn from_str(text: &str) -> crate::Result<Self> {
        Self::parse(text).ok_or_else(|| crate::Error::Guid { text: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_form_is_read_and_written() {
        let text = "0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d";
        assert_eq!(Guid::parse(text).unwrap().to_string(), text);
        assert_eq!(Guid::parse(&text.to_uppercase()).unwrap().to_string(), text);
        for bad in [
            "",
            "0b1c2d3e4f504a6b8c7d9e0f1a2b3c4d",
            "{0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d}",
            "00000000-0000-0000-0000-000000000000",
            "0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4x",
        ] {
            assert_eq!(Guid::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn two_are_never_the_same() {
        let (one, two) = (Guid::random(), Guid::random());
        assert_ne!(one, two);
        assert_eq!(&one.to_string()[14..15], "4", "version 4");
    }
}
