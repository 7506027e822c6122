//! Canonical JSON: compact, the keys of every object sorted, array order kept.
//!
//! Strings are escaped as ECMAScript's `JSON.stringify` escapes them, so that TypeScript writes the same bytes.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter, Write};

#[cfg(test)]
mod tests;

/// A JSON value of the kinds that intents hold; printing it gives the canonical text.
#[cfg_attr(
    not(feature = "transactions"),
    expect(dead_code, reason = "labels hold only objects of texts")
)]
pub(crate) enum Json<'a> {
    Null,
    Integer(u64),
    Text(Cow<'a, str>),
    /// An array of numbers.
    Bytes(&'a [u8]),
    Array(Vec<Json<'a>>),
    /// Sorted by key. All keys are ASCII: the order of bytes is ECMAScript's order of UTF-16 units.
    Object(Vec<(&'static str, Json<'a>)>),
}

impl<'a> Json<'a> {
    pub(crate) fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self::Text(text.into())
    }

    pub(crate) fn object(entries: Vec<(&'static str, Json<'a>)>) -> Self {
        // A handful: inserting in place is less code than a sort.
        let mut sorted = Vec::with_capacity(entries.len());
        for entry in entries {
            let position = sorted.partition_point(|(key, _)| *key < entry.0);
            sorted.insert(position, entry);
        }
        Self::Object(sorted)
    }
}

impl Display for Json<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => out.write_str("null"),
            Self::Integer(value) => value.fmt(out),
            Self::Text(text) => write_text(out, text),
            Self::Bytes(bytes) => write_list(out, '[', ']', *bytes, |out, byte| byte.fmt(out)),
            Self::Array(items) => write_list(out, '[', ']', items, |out, item| item.fmt(out)),
            Self::Object(entries) => write_list(out, '{', '}', entries, |out, (key, value)| {
                write_text(out, key)?;
                out.write_char(':')?;
                value.fmt(out)
            }),
        }
    }
}

fn write_list<T>(
    out: &mut Formatter<'_>,
    open: char,
    close: char,
    items: impl IntoIterator<Item = T>,
    write_item: impl Fn(&mut Formatter<'_>, T) -> fmt::Result,
) -> fmt::Result {
    out.write_char(open)?;
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            out.write_char(',')?;
        }
        write_item(out, item)?;
    }
    out.write_char(close)
}

/// ECMA-262, `QuoteJSONString`: the two-character escapes, `\u00xx` in lower-case hex for other controls.
fn write_text(out: &mut Formatter<'_>, text: &str) -> fmt::Result {
    out.write_char('"')?;
    for character in text.chars() {
        match character {
            '"' => out.write_str("\\\"")?,
            '\\' => out.write_str("\\\\")?,
            '\u{8}' => out.write_str("\\b")?,
            '\t' => out.write_str("\\t")?,
            '\n' => out.write_str("\\n")?,
            '\u{c}' => out.write_str("\\f")?,
            '\r' => out.write_str("\\r")?,
            control @ '\0'..='\u{1f}' => write!(out, "\\u{:04x}", u32::from(control))?,
            other => out.write_char(other)?,
        }
    }
    out.write_char('"')
}
