//! Prepared requests by handle: approved once, and signed only after that.

use std::cell::RefCell;

use base64ct::{Base64UrlUnpadded, Encoding};
use latchkey_intent::approval::Intent;
use latchkey_intent::{IntentDigest, together_digest};
use latchkey_js_values::read;
use latchkey_key_derivation::{EncryptedPrivateKey, PrfOutput, PrivateKey, is_implicit_account_id};
use latchkey_near_transaction::{SignedDelegate, SignedTransaction};
use latchkey_vrf::VrfChallenge;
use serde::{Deserialize, Serialize};
use tsify::{Ts, Tsify};

use crate::intended::{Content, Intended};
use crate::message::{self, MessageToSign, SignedMessage};
use crate::transactions::{self, TransactionsToSign};
use crate::{Outcome, SignerError, keys};

/// Something prepared, and the digest that its approval must carry.
#[derive(Serialize, Tsify)]
pub struct Prepared {
    /// Names it in the calls that follow.
    pub handle: u32,
    /// 32 bytes, base64url without padding.
    pub digest: String,
}

/// What a passkey's answer says besides the client data, and which page got it.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Answered {
    /// The authenticator data of the assertion.
    #[serde(with = "serde_bytes")]
    #[tsify(type = "Uint8Array")]
    pub authenticator_data: Vec<u8>,
    /// The wallet's own origin.
    pub own_origin: String,
}

/// The assertion that approves.
pub(crate) struct Assertion<'a> {
    pub(crate) challenge: &'a VrfChallenge,
    pub(crate) client_data_json: &'a [u8],
    /// For an account that the passkey alone makes: no registry need know of it.
    pub(crate) answered: Option<Ts<Answered>>,
}

/// The passkey approved the digest: the key is open until the handle is released.
pub(crate) struct Approved {
    /// On the heap, so that a move leaves no copy behind.
    key: Box<PrivateKey>,
    /// The height of the challenge's block.
    block_height: u64,
}

struct Entry {
    handle: u32,
    intended: Intended,
    approved: Option<Approved>,
}

#[derive(Default)]
struct Entries {
    last_handle: u32,
    /// Usually one: a worker serves one approval.
    open: Vec<Entry>,
}

thread_local! {
    static ENTRIES: RefCell<Entries> = RefCell::default();
}

pub(crate) fn prepare_transactions(request: TransactionsToSign) -> Outcome<Prepared> {
    Ok(open(request.try_into()?))
}

pub(crate) fn prepare_message(message: MessageToSign) -> Outcome<Prepared> {
    Ok(open(message.try_into()?))
}

/// Checks that the passkey answered a challenge for exactly what was prepared under these handles, then opens the account's
/// key for each. Nothing is opened unless all are.
pub(crate) fn approve(
    handles: &[u32],
    prf_first: &PrfOutput,
    assertion: Assertion<'_>,
    encrypted: &EncryptedPrivateKey,
) -> Outcome<()> {
    ENTRIES.with_borrow_mut(|Entries { open, .. }| {
        let places = handles
            .iter()
            .map(|handle| open.iter().position(|entry| entry.handle == *handle))
            .collect::<Option<Vec<_>>>()
            .ok_or(SignerError::UnknownHandle)?;
        let entries = || places.iter().filter_map(|place| open.get(*place));
        if entries().any(|entry| entry.approved.is_some()) {
            return Err(SignerError::AlreadyApproved);
        }
        let digest = shared_digest(entries().map(|entry| entry.intended.digest).collect())?;
        let is_implicit =
            |entry: &Entry| is_implicit_account_id(entry.intended.account_id.as_str());
        let answered = match assertion.answered {
            Some(answered) if entries().any(is_implicit) => Some(read(answered, "answered")?),
            _ => None,
        };
        let approved = entries()
            .map(|Entry { intended, .. }| {
                let (challenge, json) = (assertion.challenge, assertion.client_data_json);
                intended.check(&digest, challenge, json, answered.as_ref())?;
                intended.open(prf_first, challenge, encrypted)
            })
            .collect::<Outcome<Vec<_>>>()?;
        for (place, approved) in places.into_iter().zip(approved) {
            if let Some(entry) = open.get_mut(place) {
                entry.approved = Some(approved);
            }
        }
        Ok(())
    })
}

/// The digest that one approval of all of these carries: their own if there is only one.
fn shared_digest(digests: Vec<IntentDigest>) -> Outcome<IntentDigest> {
    match *digests {
        [] => Err(SignerError::UnknownHandle),
        [digest] => Ok(digest),
        _ => Ok(together_digest(&digests)),
    }
}

pub(crate) fn sign(
    handle: u32,
    nonces: &[String],
    block_hash: &str,
) -> Outcome<Vec<SignedTransaction>> {
    with(
        handle,
        |Entry {
             intended, approved, ..
         }| {
            let Content::Transactions(requests) = &intended.content else {
                return Err(SignerError::UnknownHandle);
            };
            let Approved { key, .. } = given(approved)?;
            let block_hash = block_hash.parse()?;
            transactions::sign_all(intended, requests, nonces, block_hash, key)
        },
    )
}

pub(crate) fn sign_delegates(handle: u32, nonces: &[String]) -> Outcome<Vec<SignedDelegate>> {
    let signed = with(
        handle,
        |Entry {
             intended, approved, ..
         }| {
            let Content::Delegates(delegates) = &intended.content else {
                return Err(SignerError::UnknownHandle);
            };
            let Approved { key, block_height } = given(approved)?;
            transactions::sign_delegates(intended, delegates, nonces, *block_height, key)
        },
    )?;
    release(handle);
    Ok(signed)
}

pub(crate) fn sign_message(handle: u32) -> Outcome<SignedMessage> {
    let signed = with(
        handle,
        |Entry {
             intended, approved, ..
         }| {
            let Content::Message(payload) = &intended.content else {
                return Err(SignerError::UnknownHandle);
            };
            message::sign(payload, &intended.public_key, &given(approved)?.key)
        },
    )?;
    release(handle);
    Ok(signed)
}

pub(crate) fn release(handle: u32) {
    ENTRIES.with_borrow_mut(|entries| entries.open.retain(|entry| entry.handle != handle));
}

impl Intended {
    /// `digest` is what the passkey approved: the digest of this entry, or that of several together.
    fn check(
        &self,
        digest: &IntentDigest,
        challenge: &VrfChallenge,
        client_data_json: &[u8],
        answered: Option<&Answered>,
    ) -> Outcome<()> {
        let account = self.account_id.as_str();
        let intent = Intent {
            account,
            rp_id: &self.rp_id,
            digest,
        };
        intent.check_approval(challenge, client_data_json)?;
        if is_implicit_account_id(account) {
            let answered = answered.ok_or(SignerError::NothingAnswered)?;
            let (data, origin) = (&answered.authenticator_data, &answered.own_origin);
            intent.check_ceremony(client_data_json, data, origin)?;
        }
        Ok(())
    }

    fn open(
        &self,
        prf_first: &PrfOutput,
        challenge: &VrfChallenge,
        encrypted: &EncryptedPrivateKey,
    ) -> Outcome<Approved> {
        let account = self.account_id.as_str();
        let key = keys::decrypt_expected(account, prf_first, encrypted, &self.public_key)?;
        Ok(Approved {
            key: Box::new(key),
            block_height: challenge.input()?.block_height,
        })
    }
}

fn given(approved: &Option<Approved>) -> Outcome<&Approved> {
    approved.as_ref().ok_or(SignerError::NotApproved)
}

fn open(intended: Intended) -> Prepared {
    let digest = Base64UrlUnpadded::encode_string(&intended.digest);
    let handle = ENTRIES.with_borrow_mut(|entries| {
        entries.last_handle = entries.last_handle.wrapping_add(1);
        entries.open.push(Entry {
            handle: entries.last_handle,
            intended,
            approved: None,
        });
        entries.last_handle
    });
    Prepared { handle, digest }
}

fn with<T>(handle: u32, run: impl FnOnce(&mut Entry) -> Outcome<T>) -> Outcome<T> {
    ENTRIES.with_borrow_mut(|entries| {
        let entry = entries.open.iter_mut().find(|entry| entry.handle == handle);
        run(entry.ok_or(SignerError::UnknownHandle)?)
    })
}
