//! Values in DER.

use crate::{Part, WebAuthnError, der::Der};

/// The length of the contents of a value with this head and as many bytes after it as asked.
fn length_of(head: &[u8], contents: usize) -> Result<usize, WebAuthnError> {
    let value = [head, &vec![0; contents]].concat();
    let mut der = Der::new(&value, Part::Certificate);
    let (_, contents) = der.any()?;
    der.finish()?;
    Ok(contents.len())
}

#[test]
fn accepts_lengths_in_their_shortest_form_only() {
    for (head, length) in [
        (&[4, 0][..], 0),
        (&[4, 0x7f], 0x7f),
        (&[4, 0x81, 0x80], 0x80),
        (&[4, 0x81, 0xff], 0xff),
        (&[4, 0x82, 1, 0], 0x100),
        (&[4, 0x82, 0xff, 0xff], 0xffff),
    ] {
        assert_eq!(length_of(head, length), Ok(length), "{head:02x?}");
    }
    for (head, length) in [
        (&[4, 0x80][..], 0),
        (&[4, 0x81, 0x7f], 0x7f),
        (&[4, 0x82, 0, 0xff], 0xff),
        (&[4, 0x83, 1, 0, 0], 0x10000),
    ] {
        let malformed = Err(WebAuthnError::Malformed(Part::Certificate));
        assert_eq!(length_of(head, length), malformed, "{head:02x?}");
    }
}

#[test]
fn accepts_tags_of_one_byte_only() {
    for tag in 0..=0xff {
        let has_more_bytes = tag & 0x1f == 0x1f;
        assert_eq!(
            length_of(&[tag, 1], 1).is_err(),
            has_more_bytes,
            "{tag:02x}"
        );
    }
}
