//! CBOR (RFC 8949) in the form of CTAP2: numbers and lengths in their shortest form, definite lengths, little nesting,
//! no duplicate keys. Keys may come in any order.

use std::ops::Range;

use minicbor::{Decoder, data::Type};

use crate::{Part, WebAuthnError, limits};

/// A reader over one part of a credential. Its errors name that part.
pub(crate) struct Reader<'b> {
    decoder: Decoder<'b>,
    part: Part,
}

/// A key of a CBOR map: an integer in COSE, text in attestation objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key<'b> {
    Int(i64),
    Text(&'b str),
}

impl<'b> Reader<'b> {
    pub(crate) fn new(bytes: &'b [u8], part: Part) -> Self {
        Self {
            decoder: Decoder::new(bytes),
            part,
        }
    }

    fn malformed(&self) -> WebAuthnError {
        WebAuthnError::Malformed(self.part)
    }

    pub(crate) fn position(&self) -> usize {
        self.decoder.position()
    }

    /// Reads one item, whose head must be in its shortest form.
    fn item<T>(
        &mut self,
        read: impl FnOnce(&mut Decoder<'b>) -> Result<T, minicbor::decode::Error>,
    ) -> Result<T, WebAuthnError> {
        let input = self.decoder.input().get(self.position()..);
        if !has_shortest_head(input.unwrap_or_default()) {
            return Err(self.malformed());
        }
        read(&mut self.decoder).map_err(|_| self.malformed())
    }

    pub(crate) fn bytes(&mut self) -> Result<&'b [u8], WebAuthnError> {
        self.item(Decoder::bytes)
    }

    pub(crate) fn text(&mut self) -> Result<&'b str, WebAuthnError> {
        self.item(Decoder::str)
    }

    pub(crate) fn int(&mut self) -> Result<i64, WebAuthnError> {
        let int = self.item(Decoder::int)?;
        int.try_into().map_err(|_| self.malformed())
    }

    /// An integer or a byte string.
    pub(crate) fn int_or_bytes(&mut self) -> Result<Result<i64, &'b [u8]>, WebAuthnError> {
        match self.decoder.datatype().map_err(|_| self.malformed())? {
            Type::Bytes => self.bytes().map(Err),
            _ => self.int().map(Ok),
        }
    }

    /// The number of entries of a definite-length array.
    pub(crate) fn array(&mut self) -> Result<usize, WebAuthnError> {
        let entries = self.item(Decoder::array)?.ok_or(self.malformed())?;
        usize::try_from(entries).map_err(|_| self.malformed())
    }

    /// Reads a map. Calls `entry` with each key; `entry` must read the value.
    pub(crate) fn map(
        &mut self,
        mut entry: impl FnMut(Key<'b>, &mut Self) -> Result<(), WebAuthnError>,
    ) -> Result<(), WebAuthnError> {
        let entries = self.map_entries()?;
        let mut seen = Vec::with_capacity(entries);
        for _ in 0..entries {
            let key = self.key()?;
            if seen.contains(&key) {
                return Err(WebAuthnError::DuplicateKey(self.part));
            }
            seen.push(key);
            entry(key, self)?;
        }
        Ok(())
    }

    fn map_entries(&mut self) -> Result<usize, WebAuthnError> {
        let entries = self.item(Decoder::map)?.ok_or(self.malformed())?;
        let entries = usize::try_from(entries).map_err(|_| self.malformed())?;
        if entries > limits::CBOR_MAP_ENTRIES {
            return Err(WebAuthnError::TooLarge(self.part));
        }
        Ok(entries)
    }

    fn key(&mut self) -> Result<Key<'b>, WebAuthnError> {
        match self.decoder.datatype().map_err(|_| self.malformed())? {
            Type::String => self.text().map(Key::Text),
            _ => self.int().map(Key::Int),
        }
    }

    /// Skips one well-formed value and returns its range.
    pub(crate) fn skip(&mut self) -> Result<Range<usize>, WebAuthnError> {
        let start = self.position();
        self.skip_nested(limits::CBOR_DEPTH)?;
        Ok(start..self.position())
    }

    fn skip_nested(&mut self, depth: usize) -> Result<(), WebAuthnError> {
        let inner = depth
            .checked_sub(1)
            .ok_or(WebAuthnError::TooLarge(self.part))?;
        match self.decoder.datatype().map_err(|_| self.malformed())? {
            Type::Array => (0..self.array()?).try_for_each(|_| self.skip_nested(inner)),
            Type::Map => self.map(|_, reader| reader.skip_nested(inner)),
            Type::Bytes => self.bytes().map(drop),
            Type::String => self.text().map(drop),
            Type::Bool => self.item(Decoder::bool).map(drop),
            Type::Null => self.item(Decoder::null),
            Type::U8
            | Type::U16
            | Type::U32
            | Type::U64
            | Type::I8
            | Type::I16
            | Type::I32
            | Type::I64
            | Type::Int => self.item(Decoder::int).map(drop),
            _ => Err(self.malformed()),
        }
    }

    /// Fails if bytes follow the value.
    pub(crate) fn finish(self) -> Result<(), WebAuthnError> {
        if self.decoder.position() == self.decoder.input().len() {
            Ok(())
        } else {
            Err(WebAuthnError::TrailingBytes(self.part))
        }
    }
}

/// Whether the head of an item holds its number in as few bytes as possible (RFC 8949, section 4.2.1). A head that is
/// cut short is left to the decoder.
fn has_shortest_head(item: &[u8]) -> bool {
    let Some((first, rest)) = item.split_first() else {
        return true;
    };
    match (first & 0x1f, rest) {
        (24, [number, ..]) => *number >= 24,
        // In twice as many bytes as the form before it, so the upper half is not zero.
        (25, [upper, _, ..]) => *upper != 0,
        (26, [a, b, _, _, ..]) => [*a, *b] != [0; 2],
        (27, [a, b, c, d, _, _, _, _, ..]) => [*a, *b, *c, *d] != [0; 4],
        _ => true,
    }
}
