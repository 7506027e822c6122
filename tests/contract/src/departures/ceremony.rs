//! The ceremony.

use latchkey_webauthn::CeremonyType;

use super::{Departure, ORIGIN, asserting, attesting, every};
use crate::Edit;

const NO_ORIGIN: &str = "the origin is not https";

pub(super) const CEREMONY: &[Departure] = &[
    every(
        "another challenge",
        "challenge is not the expected",
        Edit::Ceremony(|ceremony| ceremony.challenge[0] ^= 1),
    ),
    every(
        "a longer challenge",
        "challenge is not the expected",
        Edit::Ceremony(|ceremony| ceremony.challenge.push(0)),
    ),
    attesting(
        "an assertion's client data",
        "of another ceremony",
        Edit::Ceremony(|ceremony| ceremony.kind = Some(CeremonyType::Get)),
    ),
    asserting(
        "a registration's client data",
        "of another ceremony",
        Edit::Ceremony(|ceremony| ceremony.kind = Some(CeremonyType::Create)),
    ),
    every(
        "a look-alike origin",
        ORIGIN,
        Edit::Ceremony(|ceremony| ceremony.origin = "https://evil-wallet.example".to_owned()),
    ),
    every(
        "an origin that starts with the site",
        ORIGIN,
        Edit::Ceremony(|ceremony| ceremony.origin = "https://wallet.example.evil".to_owned()),
    ),
    every(
        "an origin without TLS",
        NO_ORIGIN,
        Edit::Ceremony(|ceremony| ceremony.origin = "http://wallet.example".to_owned()),
    ),
    every(
        "an opaque origin",
        NO_ORIGIN,
        Edit::Ceremony(|ceremony| ceremony.origin = "null".to_owned()),
    ),
    every(
        "a stranger's frame",
        "top origin is not allowed",
        Edit::Ceremony(|ceremony| {
            ceremony.cross_origin = Some(true);
            ceremony.top_origin = Some("https://evil.example".to_owned());
        }),
    ),
    every(
        "a frame with an opaque origin",
        NO_ORIGIN,
        Edit::Ceremony(|ceremony| {
            ceremony.cross_origin = Some(true);
            ceremony.top_origin = Some("null".to_owned());
        }),
    ),
    every(
        "another site's authenticator data",
        "of another rpId",
        Edit::Ceremony(|ceremony| ceremony.rp_id = "example".to_owned()),
    ),
    every(
        "an absent user",
        "user was not present",
        Edit::Ceremony(|ceremony| ceremony.user_present = false),
    ),
    every(
        "an unverified user",
        "user was not verified",
        Edit::Ceremony(|ceremony| ceremony.user_verified = false),
    ),
    every(
        "a backup of an ineligible credential",
        "not eligible for backup",
        Edit::Ceremony(|ceremony| ceremony.backup_eligible = false),
    ),
];
