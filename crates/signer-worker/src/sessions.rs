//! What was prepared and waits for its approval, by handle.

use std::cell::RefCell;

use base64ct::{Base64UrlUnpadded, Encoding};
use latchkey_intent::IntentDigest;
use latchkey_key_derivation::PrfOutput;
use latchkey_near_transaction::{SignedDelegate, SignedTransaction};
use serde::Serialize;
use tsify::Tsify;

use crate::message::{MessageApproval, MessageSession, MessageToSign, SignedMessage};
use crate::transactions::{TransactionApproval, TransactionSession, TransactionsToSign};
use crate::{Outcome, SignerError};

/// Something prepared, and the digest that its approval must carry.
#[derive(Serialize, Tsify)]
pub struct Prepared {
    /// Names it in the calls that follow.
    pub handle: u32,
    /// 32 bytes, base64url without padding.
    pub digest: String,
}

enum Session {
    Transactions(TransactionSession),
    Message(MessageSession),
}

#[derive(Default)]
struct Sessions {
    last_handle: u32,
    /// One, as a rule: a worker serves one approval.
    open: Vec<(u32, Session)>,
}

thread_local! {
    static SESSIONS: RefCell<Sessions> = RefCell::default();
}

pub(crate) fn prepare_transactions(request: TransactionsToSign) -> Outcome<Prepared> {
    let session = TransactionSession::prepare(request)?;
    let digest = *session.digest();
    Ok(open(Session::Transactions(session), &digest))
}

pub(crate) fn prepare_message(message: MessageToSign) -> Outcome<Prepared> {
    let session = MessageSession::prepare(message)?;
    let digest = *session.digest();
    Ok(open(Session::Message(session), &digest))
}

pub(crate) fn sign_transactions(
    handle: u32,
    prf_first: &PrfOutput,
    approval: &TransactionApproval,
) -> Outcome<Vec<SignedTransaction>> {
    with(handle, |session| match session {
        Session::Transactions(session) => session.sign(prf_first, approval),
        Session::Message(_) => Err(SignerError::UnknownHandle),
    })
}

pub(crate) fn resign_transactions(
    handle: u32,
    nonces: &[String],
    block_hash: &str,
) -> Outcome<Vec<SignedTransaction>> {
    with(handle, |session| match session {
        Session::Transactions(session) => session.resign(nonces, block_hash),
        Session::Message(_) => Err(SignerError::UnknownHandle),
    })
}

pub(crate) fn sign_delegate(
    handle: u32,
    prf_first: &PrfOutput,
    approval: &TransactionApproval,
) -> Outcome<SignedDelegate> {
    let signed = with(handle, |session| match session {
        Session::Transactions(session) => session.sign_delegate(prf_first, approval),
        Session::Message(_) => Err(SignerError::UnknownHandle),
    })?;
    release(handle);
    Ok(signed)
}

pub(crate) fn sign_message(
    handle: u32,
    prf_first: &PrfOutput,
    approval: &MessageApproval,
) -> Outcome<SignedMessage> {
    let signed = with(handle, |session| match session {
        Session::Message(session) => session.sign(prf_first, approval),
        Session::Transactions(_) => Err(SignerError::UnknownHandle),
    })?;
    release(handle);
    Ok(signed)
}

pub(crate) fn release(handle: u32) {
    SESSIONS.with_borrow_mut(|sessions| sessions.open.retain(|(open, _)| *open != handle));
}

fn open(session: Session, digest: &IntentDigest) -> Prepared {
    let handle = SESSIONS.with_borrow_mut(|sessions| {
        sessions.last_handle = sessions.last_handle.wrapping_add(1);
        sessions.open.push((sessions.last_handle, session));
        sessions.last_handle
    });
    Prepared {
        handle,
        digest: Base64UrlUnpadded::encode_string(digest.as_ref()),
    }
}

fn with<T>(handle: u32, run: impl FnOnce(&mut Session) -> Outcome<T>) -> Outcome<T> {
    SESSIONS.with_borrow_mut(|sessions| {
        let open = sessions.open.iter_mut().find(|(open, _)| *open == handle);
        run(&mut open.ok_or(SignerError::UnknownHandle)?.1)
    })
}
