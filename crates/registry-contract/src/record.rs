//! The stored types: accounts, authenticators and links.

use latchkey_webauthn::{Base64Url, Origin, OriginPolicy, UserVerification};
use near_sdk::borsh::{self, BorshDeserialize, BorshSerialize, io};
use near_sdk::{AccountId, PublicKey, env};
use serde::Serialize;

use crate::bytes::Bytes;
use crate::refusal::Refusal;
use crate::settings::VrfSettings;

/// The longest name for which a new passkey can register, in bytes. Followed by a device's ` (255)`, it still fits
/// into a passkey's user handle of 64. Latchkey's wallet takes 7 bytes of the handle for itself, and
/// registers names of up to 51. Implicit accounts have no name.
pub(crate) const MAX_NAME: usize = 58;

/// The longest account id, in bytes: an implicit account's.
#[cfg(not(feature = "deployed-dialect"))]
const MAX_ACCOUNT_ID: usize = 64;

/// The largest accepted [`Authenticator`], in stored bytes. One with a P-256 key and the default origin
/// policy takes about 350; the longest credential id with an RSA-4096 key still fits.
pub(crate) const MAX_AUTHENTICATOR_BYTES: usize = 2_048;

/// The bytes that storage charges per entry in addition to key and value (`num_extra_bytes_record`).
const ENTRY_OVERHEAD_BYTES: usize = 40;

/// A registered account, or one whose registration is in progress.
#[derive(Debug, Clone, BorshSerialize, BorshDeserialize)]
#[borsh(crate = "near_sdk::borsh")]
pub(crate) struct Account {
    pub(crate) status: Status,
    /// The number of the latest device. Numbers are never reused.
    pub(crate) device_counter: u8,
    pub(crate) authenticators: Vec<Authenticator>,
}

/// Whether the account exists on the chain. Both values take the same number of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
#[borsh(crate = "near_sdk::borsh")]
pub(crate) enum Status {
    /// The receipt that creates the account is in flight; no view shows the record.
    Reserved,
    /// The account exists.
    Registered,
}

/// A passkey with its VRF keys, as stored.
#[derive(Debug, Clone, BorshSerialize, BorshDeserialize)]
#[borsh(crate = "near_sdk::borsh")]
pub(crate) struct Authenticator {
    pub(crate) credential_id: Vec<u8>,
    pub(crate) credential_public_key: Vec<u8>,
    pub(crate) transports: Vec<String>,
    pub(crate) registered_ms: u64,
    pub(crate) rp_id: String,
    #[borsh(serialize_with = "write_policy", deserialize_with = "read_policy")]
    pub(crate) origin_policy: OriginPolicy,
    #[borsh(
        serialize_with = "write_preference",
        deserialize_with = "read_preference"
    )]
    pub(crate) user_verification: UserVerification,
    /// The key that made the registration's challenge, and the key derived from the passkey.
    pub(crate) vrf_public_keys: [[u8; 32]; 2],
    pub(crate) device_number: u8,
    pub(crate) near_public_key: PublicKey,
}

/// The account to which a device's key is being linked.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
#[borsh(crate = "near_sdk::borsh")]
pub(crate) struct Link {
    pub(crate) account: AccountId,
    /// The first block in which the mapping is no longer valid.
    pub(crate) expires_at: u64,
}

/// An authenticator as the views show it. Byte fields are arrays of numbers.
#[derive(Debug, Serialize)]
pub struct StoredAuthenticator {
    /// The public key, COSE.
    pub credential_public_key: Bytes,
    /// How the authenticator can be reached: `internal`, `hybrid`, `usb`, …
    #[cfg_attr(
        feature = "deployed-dialect",
        serde(serialize_with = "crate::dialect::null_if_empty")
    )]
    pub transports: Vec<String>,
    /// When it was registered: milliseconds since 1970, as decimal text.
    pub registered: String,
    /// The rpId of its assertions.
    pub expected_rp_id: String,
    /// Which origins its assertions may come from.
    pub origin_policy: OriginPolicy,
    /// The preference given at registration. The registry itself always requires user verification.
    pub user_verification: UserVerification,
    /// The two VRF keys, 32 bytes each: the registration's, and the one derived from the passkey.
    pub vrf_public_keys: [Bytes; 2],
    /// The device's number, from 1.
    pub device_number: u8,
    /// The access key recorded with it: `ed25519:` or `secp256k1:`, then base58.
    #[cfg_attr(feature = "deployed-dialect", serde(skip))]
    pub near_public_key: PublicKey,
}

impl Link {
    /// Whether the mapping has not expired.
    pub(crate) fn holds(&self) -> bool {
        env::block_height() < self.expires_at
    }
}

impl Account {
    /// An account without a device.
    pub(crate) const fn new(status: Status) -> Self {
        Self {
            status,
            device_counter: 0,
            authenticators: Vec::new(),
        }
    }

    /// The number of the next device.
    pub(crate) fn next_device_number(&self, settings: &VrfSettings) -> Result<u8, Refusal> {
        if self.status == Status::Reserved {
            return Err(Refusal::AccountTaken);
        }
        if self.authenticators.len() >= usize::from(settings.max_authenticators_per_account) {
            return Err(Refusal::TooManyAuthenticators);
        }
        self.device_counter
            .checked_add(1)
            .ok_or(Refusal::NoDeviceNumberLeft)
    }
}

impl Authenticator {
    /// Its size in storage, in bytes.
    pub(crate) fn stored_bytes(&self) -> usize {
        borsh::object_length(self).unwrap_or(usize::MAX)
    }

    /// The credential id as base64url text.
    pub(crate) fn id_text(&self) -> String {
        Base64Url(self.credential_id.clone()).to_text()
    }
}

impl From<Authenticator> for StoredAuthenticator {
    fn from(stored: Authenticator) -> Self {
        Self {
            credential_public_key: Bytes(stored.credential_public_key),
            transports: stored.transports,
            registered: stored.registered_ms.to_string(),
            expected_rp_id: stored.rp_id,
            origin_policy: stored.origin_policy,
            user_verification: stored.user_verification,
            vrf_public_keys: stored.vrf_public_keys.map(|key| Bytes(key.to_vec())),
            device_number: stored.device_number,
            near_public_key: stored.near_public_key,
        }
    }
}

/// The size of the largest first record, in bytes: the account's entry and the link paid for with it.
#[cfg(not(feature = "deployed-dialect"))]
pub(crate) const fn largest_record_bytes() -> usize {
    // Prefix and id; version, status, counter and the vector's length; the authenticator.
    const ACCOUNT: usize =
        ENTRY_OVERHEAD_BYTES + 1 + MAX_ACCOUNT_ID + 1 + 1 + 1 + 4 + MAX_AUTHENTICATOR_BYTES;
    ACCOUNT + link_bytes(MAX_ACCOUNT_ID)
}

/// The size of a device's link in storage, for an account id of this many bytes: its entry, and the
/// account's note of the key.
pub(crate) const fn link_bytes(account_id: usize) -> usize {
    // Curve and key.
    const KEY: usize = 1 + 32;
    // Prefix and key; the account id with its length, and the block of its expiry.
    let link = ENTRY_OVERHEAD_BYTES + 1 + KEY + 4 + account_id + 8;
    // Prefix and id; the key with its length.
    let note = ENTRY_OVERHEAD_BYTES + 1 + account_id + 4 + KEY;
    link + note
}

// The policy and the preference belong to the webauthn crate, which does not use borsh.

fn write_policy<W: io::Write>(policy: &OriginPolicy, writer: &mut W) -> io::Result<()> {
    let (tag, origins): (u8, &[Origin]) = match policy {
        OriginPolicy::AllSubdomains(_) => (0, &[]),
        OriginPolicy::Single(origin) => (1, core::slice::from_ref(origin)),
        OriginPolicy::Multiple(origins) => (2, origins),
    };
    let texts: Vec<&str> = origins.iter().map(Origin::as_str).collect();
    BorshSerialize::serialize(&(tag, texts), writer)
}

fn read_policy<R: io::Read>(reader: &mut R) -> io::Result<OriginPolicy> {
    let (tag, texts): (u8, Vec<String>) = BorshDeserialize::deserialize_reader(reader)?;
    let mut origins = Vec::with_capacity(texts.len());
    for text in texts {
        origins.push(Origin::parse(&text).map_err(|_| invalid("origin"))?);
    }
    match (tag, origins.pop()) {
        (0, None) => Ok(OriginPolicy::default()),
        (1, Some(origin)) if origins.is_empty() => Ok(OriginPolicy::Single(origin)),
        (2, Some(last)) => {
            origins.push(last);
            Ok(OriginPolicy::Multiple(origins))
        }
        _ => Err(invalid("origin policy")),
    }
}

fn write_preference<W: io::Write>(preference: &UserVerification, writer: &mut W) -> io::Result<()> {
    let tag: u8 = match preference {
        UserVerification::Required => 0,
        UserVerification::Preferred => 1,
        UserVerification::Discouraged => 2,
    };
    BorshSerialize::serialize(&tag, writer)
}

fn read_preference<R: io::Read>(reader: &mut R) -> io::Result<UserVerification> {
    match u8::deserialize_reader(reader)? {
        0 => Ok(UserVerification::Required),
        1 => Ok(UserVerification::Preferred),
        2 => Ok(UserVerification::Discouraged),
        _ => Err(invalid("user verification")),
    }
}

fn invalid(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
