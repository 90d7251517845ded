//! [`At`]: a value with the place it was read from.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::Position;

/// A value and where it is in its text. As a field of a struct it lets a check made after reading name line
/// and column. Inside `flatten`, `untagged` or internally tagged types serde loses the place: it is then the
/// start of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct At<T> {
    /// The value.
    pub value: T,
    /// Where it begins.
    pub at: Position,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for At<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = serde_saphyr::Spanned::<T>::deserialize(deserializer)?;
        let place = spanned.referenced;
        Ok(Self {
            value: spanned.value,
            at: Position::new(place.line(), place.column()),
        })
    }
}

/// Written as the value alone.
impl<T: Serialize> Serialize for At<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}
