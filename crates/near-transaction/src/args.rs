//! The arguments of a function call: JSON text, or bytes of any other kind.

use std::fmt::{self, Formatter};

use borsh::io::{self, Read, Write};
use borsh::{BorshDeserialize, BorshSerialize};
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The arguments of a function call. The chain knows only bytes; here every byte string has exactly one form, so that
/// no app can have JSON signed that the confirmation shows as unreadable bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Args {
    /// JSON text (RFC 8259), sent as its UTF-8 bytes.
    Json(String),
    /// Bytes that are not JSON text; may be empty.
    Bytes(Vec<u8>),
}

impl Args {
    /// The form of `bytes`: JSON where they are JSON text.
    #[must_use]
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) if latchkey_json::validate(&text).is_ok() => Self::Json(text),
            Ok(text) => Self::Bytes(text.into_bytes()),
            Err(error) => Self::Bytes(error.into_bytes()),
        }
    }

    /// What the chain gets.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Json(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }
}

impl BorshSerialize for Args {
    fn serialize<W: Write>(&self, writer: &mut W) -> io::Result<()> {
        BorshSerialize::serialize(self.as_bytes(), writer)
    }
}

impl BorshDeserialize for Args {
    fn deserialize_reader<R: Read>(reader: &mut R) -> io::Result<Self> {
        Vec::deserialize_reader(reader).map(Self::from_bytes)
    }
}

/// A string for JSON text, a `Uint8Array` for bytes.
impl Serialize for Args {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Json(text) => serializer.serialize_str(text),
            Self::Bytes(bytes) => serializer.serialize_bytes(bytes),
        }
    }
}

/// Arguments as input: a text, which must turn out to be JSON, or bytes.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the variants are the kinds of input")]
pub enum ArgsFields {
    Text(String),
    Bytes(Vec<u8>),
}

impl<'de> Deserialize<'de> for ArgsFields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ArgsVisitor)
    }
}

struct ArgsVisitor;

impl<'de> Visitor<'de> for ArgsVisitor {
    type Value = ArgsFields;

    fn expecting(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str("JSON text or a Uint8Array")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<ArgsFields, E> {
        Ok(ArgsFields::Text(text.to_owned()))
    }

    fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<ArgsFields, E> {
        Ok(ArgsFields::Bytes(bytes))
    }

    /// JSON has no bytes: vectors keep them as an array of numbers.
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<ArgsFields, A::Error> {
        let mut bytes = Vec::new();
        while let Some(byte) = items.next_element()? {
            bytes.push(byte);
        }
        Ok(ArgsFields::Bytes(bytes))
    }
}
