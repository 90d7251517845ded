//! [`ContentHash`]: what a file holds, as 32 bytes.

use std::fmt;
use std::str::FromStr;

/// The BLAKE3 hash of a file's bytes. Equal content has equal hashes wherever it lies; the text form is 64
/// lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// The hash of `bytes`.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }

    /// The 32 bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl FromStr for ContentHash {
    type Err = NotAHash;

    /// Reads the text form: 64 lower-case hexadecimal digits.
    fn from_str(text: &str) -> Result<Self, NotAHash> {
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Ok(byte - b'0'),
            b'a'..=b'f' => Ok(byte - b'a' + 10),
            _ => Err(NotAHash),
        };
        let pairs: &[u8; 64] = text.as_bytes().try_into().map_err(|_| NotAHash)?;
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(pairs.chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Ok(Self(bytes))
    }
}

/// A text is not that of a [`ContentHash`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a content hash is 64 lower-case hexadecimal digits")]
pub struct NotAHash;

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ContentHash({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value for empty input in BLAKE3's published test vectors.
    #[test]
    fn empty_input_has_the_published_hash() {
        assert_eq!(
            ContentHash::of(b"").to_string(),
            "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"
        );
    }

    #[test]
    fn the_text_form_is_read_back_and_no_other() {
        let hash = ContentHash::of(b"text");
        let text = hash.to_string();
        assert_eq!(text.parse(), Ok(hash));
        let spaced = format!(" {}", &text[1..]);
        for wrong in ["", &text[1..], &text.to_uppercase(), &format!("{text}0"), &spaced] {
            assert_eq!(wrong.parse::<ContentHash>(), Err(NotAHash), "{wrong}");
        }
    }
}
