//! The part of strict DER (ITU-T X.690) that ECDSA signatures and attestation certificates need.

use crate::{Part, WebAuthnError};

pub(crate) const BOOLEAN: u8 = 0x01;
const INTEGER: u8 = 0x02;
pub(crate) const BIT_STRING: u8 = 0x03;
pub(crate) const OCTET_STRING: u8 = 0x04;
pub(crate) const NULL: u8 = 0x05;
pub(crate) const OID: u8 = 0x06;
pub(crate) const SEQUENCE: u8 = 0x30;
pub(crate) const SET: u8 = 0x31;

/// A reader over DER. Its errors name `part`.
#[derive(Clone, Copy)]
pub(crate) struct Der<'b> {
    rest: &'b [u8],
    part: Part,
}

impl<'b> Der<'b> {
    pub(crate) const fn new(bytes: &'b [u8], part: Part) -> Self {
        Self { rest: bytes, part }
    }

    const fn malformed(&self) -> WebAuthnError {
        WebAuthnError::Malformed(self.part)
    }

    /// The tag of the next value.
    pub(crate) fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    /// Whether the input is used up.
    pub(crate) const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next value of any tag, as (tag, contents). Supports one-byte tags, and lengths up to 65535 in
    /// their shortest form.
    pub(crate) fn any(&mut self) -> Result<(u8, &'b [u8]), WebAuthnError> {
        let malformed = self.malformed();
        let (&[tag, first], rest) = self.rest.split_first_chunk::<2>().ok_or(malformed)?;
        if tag & 0x1f == 0x1f {
            return Err(malformed);
        }
        // The length, and the smallest one that has no shorter form.
        let (length, smallest, rest) = match first {
            0..=0x7f => (usize::from(first), 0, rest),
            0x81 => {
                let (&length, rest) = rest.split_first().ok_or(malformed)?;
                (usize::from(length), 0x80, rest)
            }
            0x82 => {
                let (length, rest) = rest.split_first_chunk::<2>().ok_or(malformed)?;
                (usize::from(u16::from_be_bytes(*length)), 0x100, rest)
            }
            _ => return Err(malformed),
        };
        if length < smallest {
            return Err(malformed);
        }
        let (contents, rest) = rest.split_at_checked(length).ok_or(malformed)?;
        self.rest = rest;
        Ok((tag, contents))
    }

    /// The contents of the next value, which must have this tag.
    pub(crate) fn expect(&mut self, tag: u8) -> Result<&'b [u8], WebAuthnError> {
        match self.any()? {
            (found, contents) if found == tag => Ok(contents),
            _ => Err(self.malformed()),
        }
    }

    /// A reader over the contents of the next value, which must have this tag.
    pub(crate) fn enter(&mut self, tag: u8) -> Result<Der<'b>, WebAuthnError> {
        self.expect(tag)
            .map(|contents| Der::new(contents, self.part))
    }

    /// An integer in two's complement, big-endian.
    pub(crate) fn integer(&mut self) -> Result<&'b [u8], WebAuthnError> {
        match self.expect(INTEGER)? {
            // X.690, section 8.3.2: the first nine bits are neither all zeros nor all ones.
            [] | [0, 0..=0x7f, ..] | [0xff, 0x80..=0xff, ..] => Err(self.malformed()),
            number => Ok(number),
        }
    }

    /// A positive integer, big-endian, without its sign byte.
    pub(crate) fn positive_integer(&mut self) -> Result<&'b [u8], WebAuthnError> {
        match self.integer()? {
            [0x80..=0xff, ..] | [0] => Err(self.malformed()),
            [0, magnitude @ ..] => Ok(magnitude),
            magnitude => Ok(magnitude),
        }
    }

    /// A bit string of whole bytes.
    pub(crate) fn bit_string(&mut self) -> Result<&'b [u8], WebAuthnError> {
        match self.expect(BIT_STRING)? {
            [0, bytes @ ..] => Ok(bytes),
            _ => Err(self.malformed()),
        }
    }

    /// Fails if bytes follow the value.
    pub(crate) fn finish(self) -> Result<(), WebAuthnError> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(WebAuthnError::TrailingBytes(self.part))
        }
    }
}

/// Converts a P-256 ECDSA signature from DER (RFC 3279, section 2.2.3) to `r || s`, 64 bytes.
///
/// # Errors
/// [`WebAuthnError::Malformed`] unless it is strict DER of two positive integers of at most 32 bytes;
/// [`WebAuthnError::TrailingBytes`].
pub fn ecdsa_signature_from_der(der: &[u8]) -> Result<[u8; 64], WebAuthnError> {
    let mut outer = Der::new(der, Part::Signature);
    let mut numbers = outer.enter(SEQUENCE)?;
    outer.finish()?;
    let r = numbers.positive_integer()?;
    let s = numbers.positive_integer()?;
    numbers.finish()?;
    let mut signature = [0; 64];
    let (left, right) = signature.split_at_mut(32);
    place(left, r)?;
    place(right, s)?;
    Ok(signature)
}

/// Right-aligns `number` in `target`, padded with zeros.
fn place(target: &mut [u8], number: &[u8]) -> Result<(), WebAuthnError> {
    let start = target.len().checked_sub(number.len());
    let slot = start.and_then(|start| target.get_mut(start..));
    slot.ok_or(WebAuthnError::Malformed(Part::Signature))?
        .copy_from_slice(number);
    Ok(())
}
