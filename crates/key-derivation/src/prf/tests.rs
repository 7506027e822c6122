#![allow(clippy::unwrap_used)]

use super::*;

#[test]
fn accepts_32_bytes_that_are_not_all_zero() {
    let mut bytes = vec![0; 32];
    *bytes.last_mut().unwrap() = 1;
    assert_eq!(
        PrfOutput::new(bytes.clone()).unwrap().as_bytes().as_slice(),
        bytes
    );
}

#[test]
fn rejects_an_all_zero_output() {
    assert_eq!(
        PrfOutput::new(vec![0; 32]).err(),
        Some(PrfError::WeakPrfOutput)
    );
}

#[test]
fn rejects_every_other_length() {
    for length in (0..=96).filter(|length| *length != 32) {
        assert_eq!(
            PrfOutput::new(vec![7; length]).err(),
            Some(PrfError::InvalidPrfLength),
            "{length}"
        );
    }
}
