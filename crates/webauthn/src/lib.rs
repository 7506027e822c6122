//! WebAuthn: parses and verifies client data, authenticator data, attestation objects and COSE keys.
//!
//! All input counts as hostile: every length has a limit ([`limits`]), trailing bytes and duplicate keys
//! are refused, and nothing panics. The checks follow W3C Web Authentication Level 3,
//! sections 7.1 (registration) and 7.2 (authentication).
//!
//! Parsing is the same everywhere. Signature checks go through [`SignatureVerifier`], which the registry
//! contract implements with the chain's host functions, and native code with [`NativeVerifier`] (feature
//! `native-verify`). A caller that checks no signature links no curve: [`check_registration`] does all
//! that [`verify_registration`] does, except for the attestation's signature.
//!
//! An attestation proves only that its signature matches the certificate it carries. This crate has no
//! list of trusted manufacturers, so an attestation does not prove who made the authenticator.
#![forbid(unsafe_code)]

mod attestation;
mod authenticator_data;
mod base64url;
mod cbor;
mod client_data;
mod cose;
mod credential;
mod der;
mod error;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
pub mod limits;
mod origin;
mod p256_point;
mod signature;
mod verify;
mod x509;

#[cfg(feature = "testing")]
pub mod testing;

pub use attestation::{AttestationFormat, AttestationObject, AttestationStatement};
pub use authenticator_data::{AttestedCredential, AuthenticatorData, Flags};
pub use base64url::Base64Url;
pub use client_data::{CeremonyType, ClientData};
pub use cose::{Algorithm, CosePublicKey};
pub use credential::{
    AssertionResponse, AttestationResponse, UserVerification, WebAuthnAuthentication,
    WebAuthnRegistration, check_transports,
};
pub use der::ecdsa_signature_from_der;
pub use error::{Part, WebAuthnError};
pub use origin::{Origin, OriginPolicy, OriginPolicyOption, RpId, True};
#[cfg(feature = "native-verify")]
pub use signature::NativeVerifier;
pub use signature::SignatureVerifier;
#[cfg(feature = "es256-verify")]
pub use signature::verify_es256;
#[cfg(feature = "rs256-verify")]
pub use signature::verify_rs256;
pub use verify::{
    Expectations, TopOrigins, VerifiedAuthentication, VerifiedCeremony, VerifiedRegistration,
    check_registration, verify_authentication, verify_registration,
};

#[cfg(test)]
mod tests;
