//! Bytes in the registry's JSON.

use core::fmt;
use core::ops::Deref;

use latchkey_webauthn::Base64Url;
use serde::{Deserialize, Deserializer, Serialize, de};

use crate::dialect;

/// Bytes read from an array of JSON numbers or from base64url text without padding; written as
/// numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Bytes(pub Vec<u8>);

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if dialect::SPOKEN {
            return deserializer.deserialize_seq(NumbersOrText);
        }
        deserializer.deserialize_any(NumbersOrText)
    }
}

struct NumbersOrText;

impl<'de> de::Visitor<'de> for NumbersOrText {
    type Value = Bytes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes: an array of numbers from 0 to 255, or base64url text without padding")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Bytes, E> {
        Base64Url::from_text(text)
            .map(|bytes| Bytes(bytes.0))
            .ok_or_else(|| E::invalid_value(de::Unexpected::Other("other text"), &self))
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, mut numbers: A) -> Result<Bytes, A::Error> {
        let mut bytes = Vec::new();
        while let Some(byte) = numbers.next_element()? {
            bytes.push(byte);
        }
        Ok(Bytes(bytes))
    }
}
