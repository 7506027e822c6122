//! What the relay reads of a delegate is what its sender signed, and hostile bytes come back as an error that names them.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

use borsh::BorshDeserialize;
use ed25519_dalek::SigningKey;
use latchkey_near_transaction::{
    Action, ActionKind, CryptoHash, DelegateAction, DelegateError, Nonce, PublicKey,
    ReceivedAction, ReceivedDelegate,
};
use proptest::prelude::*;
use serde_json::Value;

/// The borsh bytes and hashes of `tests/vectors/delegates.json`, by near-api-js.
fn vectors() -> Vec<(Vec<u8>, String)> {
    let file: Value =
        serde_json::from_str(include_str!("../../../tests/vectors/delegates.json")).unwrap();
    let cases = file["cases"].as_array().unwrap();
    let text = |case: &Value, name: &str| case[name].as_str().unwrap().to_owned();
    cases
        .iter()
        .map(|case| {
            (
                hex::decode(text(case, "borsh")).unwrap(),
                text(case, "hash"),
            )
        })
        .collect()
}

fn several_actions() -> Vec<u8> {
    vectors().into_iter().map(|(bytes, _)| bytes).max().unwrap()
}

#[test]
fn reads_every_delegate_of_near_api_js_with_its_hash_and_signature() {
    for (bytes, hash) in vectors() {
        let received = ReceivedDelegate::from_borsh(&bytes).unwrap();
        let signed = DelegateAction::deserialize(&mut bytes.as_slice()).unwrap();
        assert_eq!(received.hash.to_string(), hash);
        assert!(received.is_signature_valid());
        assert_eq!(received.sender_id, signed.sender_id);
        assert_eq!(received.receiver_id, signed.receiver_id);
        assert_eq!(received.nonce, signed.nonce.0);
        assert_eq!(received.max_block_height, signed.max_block_height);
        assert_eq!(received.public_key, signed.public_key);
        let actions: Vec<_> = signed.actions.iter().map(summary).collect();
        assert_eq!(received.actions, actions);
    }
}

fn summary(action: &Action) -> ReceivedAction {
    let kind = match action {
        Action::CreateAccount => ActionKind::CreateAccount,
        Action::DeployContract { .. } => ActionKind::DeployContract,
        Action::FunctionCall { .. } => ActionKind::FunctionCall,
        Action::Transfer { .. } => ActionKind::Transfer,
        Action::Stake { .. } => ActionKind::Stake,
        Action::AddKey { .. } => ActionKind::AddKey,
        Action::DeleteKey { .. } => ActionKind::DeleteKey,
        Action::DeleteAccount { .. } => ActionKind::DeleteAccount,
        other => panic!("the vectors hold no {other:?}"),
    };
    let (method_name, gas, deposit_yocto) = match action {
        Action::FunctionCall {
            method_name,
            gas,
            deposit,
            ..
        } => (Some(method_name.clone()), gas.0, deposit.0),
        Action::Transfer { amount } => (None, 0, amount.0),
        _ => (None, 0, 0),
    };
    ReceivedAction {
        kind,
        method_name,
        gas,
        deposit_yocto,
    }
}

#[test]
fn the_carrier_holds_the_delegate_byte_for_byte_under_its_signers_hash() {
    let bytes = several_actions();
    let received = ReceivedDelegate::from_borsh(&bytes).unwrap();
    let key = SigningKey::from_bytes(&[7; 32]);
    let signer_id = "relayer.testnet".parse().unwrap();
    let carrier = received
        .sign_carrier(&signer_id, Nonce(12), CryptoHash([3; 32]), &key)
        .unwrap();
    let unsigned = &carrier.borsh_bytes[..carrier.borsh_bytes.len() - 65];
    assert!(unsigned.ends_with(&[&[1, 0, 0, 0, 8], bytes.as_slice()].concat()));
    assert_eq!(carrier.hash, CryptoHash::of(unsigned));
    let signature = carrier.borsh_bytes.last_chunk::<64>().unwrap();
    key.verifying_key()
        .verify_strict(&carrier.hash.0, &signature.into())
        .unwrap();
}

fn error_of(bytes: &[u8]) -> String {
    ReceivedDelegate::from_borsh(bytes).unwrap_err().to_string()
}

/// A delegate's bytes around `actions`, whose count is given.
fn with_actions(count: u32, actions: &[u8]) -> Vec<u8> {
    let head = ("alice.testnet", "bob.testnet", count);
    let tail = (7_u64, 1000_u64, PublicKey::Ed25519([1; 32]));
    let signature = [0; 65];
    let (head, tail) = (borsh::to_vec(&head).unwrap(), borsh::to_vec(&tail).unwrap());
    [head.as_slice(), actions, &tail, &signature].concat()
}

#[test]
fn names_what_is_wrong() {
    let call = |method: &[u8]| {
        let method = borsh::to_vec(method).unwrap();
        [&[2], method.as_slice(), &[0; 28]].concat()
    };
    let malformed = |problem: &str| format!("signedDelegate is malformed: {problem}.");
    assert!(ReceivedDelegate::from_borsh(&with_actions(1, &call(&[b'm'; 256]))).is_ok());
    assert!(ReceivedDelegate::from_borsh(&with_actions(100, &[0; 100])).is_ok());
    for (bytes, problem) in [
        (
            with_actions(1, &call(&[b'm'; 257])),
            "a text or list has more than 256 bytes",
        ),
        (with_actions(1, &call(&[0xff])), "a text is not UTF-8"),
        (
            with_actions(101, &[0; 101]),
            "a text or list has more than 100 items",
        ),
        (
            with_actions(u32::MAX, &[]),
            "a text or list has more than 100 items",
        ),
        (with_actions(1, &[16]), "Unexpected variant tag: 16"),
        (
            with_actions(1, &[7, 1, 0, 0, 0, b'A']),
            "an account id is malformed",
        ),
        (
            [with_actions(0, &[]).as_slice(), &[0]].concat(),
            "there are bytes after the end",
        ),
        (vec![], "Unexpected length of input"),
    ] {
        assert_eq!(error_of(&bytes), malformed(problem));
    }
    let mut signature = with_actions(0, &[]);
    *signature.last_mut().unwrap() = 0x20;
    assert_eq!(
        error_of(&signature),
        malformed("the signature is not an ed25519 signature")
    );
    for (tag, kind) in [
        (8, "a delegate inside a delegate"),
        (9, "DeployGlobalContract"),
        (10, "UseGlobalContract"),
        (11, "DeterministicStateInit"),
        (12, "TransferToGasKey"),
        (13, "WithdrawFromGasKey"),
        (14, "a delegate inside a delegate"),
        (15, "UniversalStateInit"),
    ] {
        let error = ReceivedDelegate::from_borsh(&with_actions(1, &[tag])).unwrap_err();
        assert_eq!(error, DelegateError::Unsupported(kind));
    }
}

#[test]
fn reads_arguments_that_are_not_utf_8() {
    let call = [&[2, 1, 0, 0, 0, b'm', 2, 0, 0, 0, 0xff, 0xfe][..], &[0; 24]].concat();
    let received = ReceivedDelegate::from_borsh(&with_actions(1, &call)).unwrap();
    assert_eq!(received.actions[0].method_name.as_deref(), Some("m"));
}

proptest! {
    #[test]
    fn changed_bytes_give_an_error_or_a_delegate_without_a_valid_signature(at: prop::sample::Index, byte: u8) {
        let mut bytes = several_actions();
        let at = at.index(bytes.len());
        prop_assume!(bytes[at] != byte);
        bytes[at] = byte;
        if let Ok(received) = ReceivedDelegate::from_borsh(&bytes) {
            prop_assert!(!received.is_signature_valid());
        }
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes: Vec<u8>) {
        if let Ok(received) = ReceivedDelegate::from_borsh(&bytes) {
            prop_assert_eq!(received.borsh_bytes, bytes);
        }
    }
}
