//! The largest of everything that is accepted. Lengths are in bytes.
//!
//! Our own: decoding libraries limit nesting at most; only WebAuthn knows how long each field may be.

/// `clientDataJSON`: browsers send about 150 to 400.
pub const CLIENT_DATA_JSON: usize = 2_048;
/// Authenticator data: 37 fixed, a credential id, an RSA-4096 key and some extensions.
pub const AUTHENTICATOR_DATA: usize = 3_072;
/// An attestation object, including its certificates.
pub const ATTESTATION_OBJECT: usize = 12_288;
/// A credential id (Level 3, section 4, "Credential ID": at most 1023).
pub const CREDENTIAL_ID: usize = 1_023;
/// A COSE public key: RSA with 4096 bits takes about 530.
pub const COSE_KEY: usize = 600;
/// A signature: RSA with 4096 bits.
pub const SIGNATURE: usize = 512;
/// A user handle (Level 3, section 5.4.3).
pub const USER_HANDLE: usize = 64;
/// The number of certificates in an attestation.
pub const CERTIFICATES: usize = 4;
/// One certificate.
pub const CERTIFICATE: usize = 2_048;
/// The number of transports of a credential.
pub const TRANSPORTS: usize = 8;
/// The name of one transport, or of an attachment.
pub const HINT: usize = 32;
/// An origin, `scheme://host[:port]`.
pub const ORIGIN: usize = 255;
/// An rpId: the longest domain name (RFC 1035).
pub const RP_ID: usize = 253;
/// The number of origins in an origin policy.
pub const POLICY_ORIGINS: usize = 16;
/// A challenge. The wallet's have 32.
pub const CHALLENGE: usize = 64;
/// The nesting depth of CBOR.
pub const CBOR_DEPTH: usize = 8;
/// The number of entries in a CBOR map.
pub const CBOR_MAP_ENTRIES: usize = 32;
/// The size of an RSA modulus, in bits.
pub const RSA_MODULUS_BITS: core::ops::RangeInclusive<usize> = 2_048..=4_096;
