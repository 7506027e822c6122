//! A strict and small JSON reader (RFC 8259) for text with only a few relevant members.
//!
//! The signer's bundle needs two things: whether a function call's arguments are valid JSON, and four members of
//! a passkey's client data. serde_json does both, at 12 KB of compressed WASM for numbers and error texts that have
//! no reader (`docs/maintainers/performance.md`). This crate needs 1 KB; a property test compares it with serde_json.

#![forbid(unsafe_code)]

use std::borrow::Cow;

use thiserror::Error;

#[cfg(test)]
mod tests;

/// The maximum nesting depth of arrays and objects.
pub const MAX_DEPTH: usize = 128;

/// The text is not JSON, nests too deep, or does not have the requested shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("not valid JSON")]
pub struct JsonError;

/// A member's value, as far as this reader parses it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A string with escapes resolved; half a surrogate pair becomes U+FFFD.
    Text(Cow<'a, str>),
    /// A valid number, array or object.
    Other,
}

/// Checks that `text` is one JSON value.
///
/// # Errors
/// [`JsonError`].
pub fn validate(text: &str) -> Result<(), JsonError> {
    let mut reader = Reader { rest: text };
    reader.value(0)?;
    reader.finish()
}

/// Checks that `text` is one JSON object and passes its members to `visit`, in order.
///
/// # Errors
/// [`JsonError`], from the text or from `visit`.
pub fn read_members<'a>(
    text: &'a str,
    mut visit: impl FnMut(&str, Value<'a>) -> Result<(), JsonError>,
) -> Result<(), JsonError> {
    let mut reader = Reader { rest: text };
    reader.skip_space();
    reader.object(0, &mut visit)?;
    reader.finish()
}

type Visit<'v, 'a> = &'v mut dyn FnMut(&str, Value<'a>) -> Result<(), JsonError>;

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn value(&mut self, depth: usize) -> Result<Value<'a>, JsonError> {
        self.skip_space();
        match self.rest.as_bytes().first() {
            Some(b'"') => self.string().map(Value::Text),
            Some(b'{') => self
                .object(depth, &mut |_, _| Ok(()))
                .map(|()| Value::Other),
            Some(b'[') => self.array(depth).map(|()| Value::Other),
            Some(b'-' | b'0'..=b'9') => self.number().map(|()| Value::Other),
            _ if self.eat("null") => Ok(Value::Null),
            _ if self.eat("true") => Ok(Value::Bool(true)),
            _ if self.eat("false") => Ok(Value::Bool(false)),
            _ => Err(JsonError),
        }
    }

    fn object(&mut self, depth: usize, visit: Visit<'_, 'a>) -> Result<(), JsonError> {
        self.list(depth, "{", "}", &mut |reader| {
            reader.skip_space();
            let name = reader.string()?;
            reader.skip_space();
            reader.expect(":")?;
            let value = reader.value(depth.saturating_add(1))?;
            visit(&name, value)
        })
    }

    fn array(&mut self, depth: usize) -> Result<(), JsonError> {
        self.list(depth, "[", "]", &mut |reader| {
            reader.value(depth.saturating_add(1)).map(drop)
        })
    }

    fn list(
        &mut self,
        depth: usize,
        open: &str,
        close: &str,
        item: &mut dyn FnMut(&mut Self) -> Result<(), JsonError>,
    ) -> Result<(), JsonError> {
        if depth >= MAX_DEPTH {
            return Err(JsonError);
        }
        self.expect(open)?;
        self.skip_space();
        if self.eat(close) {
            return Ok(());
        }
        loop {
            item(self)?;
            self.skip_space();
            if self.eat(close) {
                return Ok(());
            }
            self.expect(",")?;
        }
    }

    fn string(&mut self) -> Result<Cow<'a, str>, JsonError> {
        self.expect("\"")?;
        let mut text = Cow::Borrowed("");
        loop {
            let plain = self.take_while(|byte| byte >= 0x20 && byte != b'"' && byte != b'\\')?;
            if text.is_empty() {
                text = Cow::Borrowed(plain);
            } else {
                text.to_mut().push_str(plain);
            }
            if self.eat("\"") {
                return Ok(text);
            }
            self.expect("\\")?;
            let escaped = self.escape()?;
            text.to_mut().push(escaped);
        }
    }

    fn escape(&mut self) -> Result<char, JsonError> {
        let mut characters = self.rest.chars();
        let escaped = match characters.next().ok_or(JsonError)? {
            same @ ('"' | '\\' | '/') => same,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                self.rest = characters.as_str();
                return self.unicode_escape();
            }
            _ => return Err(JsonError),
        };
        self.rest = characters.as_str();
        Ok(escaped)
    }

    fn unicode_escape(&mut self) -> Result<char, JsonError> {
        let first = self.hex_digits()?;
        if let 0xd800..0xdc00 = first
            && let Some(after) = self.rest.strip_prefix("\\u")
        {
            let mut ahead = Reader { rest: after };
            if let second @ 0xdc00..0xe000 = ahead.hex_digits()? {
                self.rest = ahead.rest;
                let pair = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                return char::from_u32(pair).ok_or(JsonError);
            }
        }
        Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn hex_digits(&mut self) -> Result<u32, JsonError> {
        let (digits, rest) = self.rest.split_at_checked(4).ok_or(JsonError)?;
        self.rest = rest;
        digits
            .chars()
            .try_fold(0, |number, digit| Some(number << 4 | digit.to_digit(16)?))
            .ok_or(JsonError)
    }

    fn number(&mut self) -> Result<(), JsonError> {
        self.eat("-");
        if !self.eat("0") {
            self.digits()?;
        }
        if self.eat(".") {
            self.digits()?;
        }
        if self.eat("e") || self.eat("E") {
            let _sign = self.eat("+") || self.eat("-");
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), JsonError> {
        if self.take_while(|byte| byte.is_ascii_digit())?.is_empty() {
            Err(JsonError)
        } else {
            Ok(())
        }
    }

    fn finish(mut self) -> Result<(), JsonError> {
        self.skip_space();
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(JsonError)
        }
    }

    fn skip_space(&mut self) {
        // Whitespace is ASCII, so the string is always cut at a character boundary.
        let _ = self.take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
    }

    /// Takes bytes up to the first one that `belongs` refuses, or to the end. Fails if that splits a
    /// character.
    fn take_while(&mut self, belongs: fn(u8) -> bool) -> Result<&'a str, JsonError> {
        let length = self
            .rest
            .bytes()
            .position(|byte| !belongs(byte))
            .unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(JsonError)?;
        self.rest = rest;
        Ok(taken)
    }

    fn eat(&mut self, token: &str) -> bool {
        let rest = self.rest.strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn expect(&mut self, token: &str) -> Result<(), JsonError> {
        if self.eat(token) {
            Ok(())
        } else {
            Err(JsonError)
        }
    }
}
