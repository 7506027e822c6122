//! Bytes with base64url text as their wire form.

use core::fmt;
use std::ops::Deref;

use base64ct::{Base64UrlUnpadded, Encoding};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Bytes whose wire form is base64url text without padding (RFC 4648, section 5).
///
/// Parsing is strict: it refuses padding, line breaks, the standard alphabet and stray trailing bits, so
/// a value has exactly one text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Base64Url(pub Vec<u8>);

impl Base64Url {
    /// Parses the text form; `None` unless it is strict base64url.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        Base64UrlUnpadded::decode_vec(text).ok().map(Self)
    }

    /// The text form.
    #[must_use]
    pub fn to_text(&self) -> String {
        Base64UrlUnpadded::encode_string(&self.0)
    }
}

impl Deref for Base64Url {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl Serialize for Base64Url {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.to_text())
    }
}

impl<'de> Deserialize<'de> for Base64Url {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl de::Visitor<'_> for Text {
            type Value = Base64Url;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("base64url text without padding")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Base64Url, E> {
                Base64Url::from_text(text)
                    .ok_or_else(|| E::custom("not base64url text without padding"))
            }
        }
        deserializer.deserialize_str(Text)
    }
}
