use super::ShamirError;

#[test]
fn a_code_is_the_name_of_its_variant() {
    for error in [
        ShamirError::NumberInvalid,
        ShamirError::PrimeTooSmall,
        ShamirError::PrimeTooLarge,
        ShamirError::PrimeNotSafe,
        ShamirError::ElementOutOfRange,
        ShamirError::LockMissing,
        ShamirError::ExponentInvalid,
        ShamirError::DecryptionFailed,
        ShamirError::BlobMalformed,
        ShamirError::EncryptionFailed,
        ShamirError::NoRandomness,
    ] {
        assert_eq!(error.code(), in_screaming_snake_case(&format!("{error:?}")));
    }
}

fn in_screaming_snake_case(name: &str) -> String {
    let letter = |(at, letter): (usize, char)| {
        let separator = (at > 0 && letter.is_ascii_uppercase()).then_some('_');
        separator.into_iter().chain([letter.to_ascii_uppercase()])
    };
    name.char_indices().flat_map(letter).collect()
}
