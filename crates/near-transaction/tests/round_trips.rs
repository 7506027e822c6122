//! Every encoder comes back, and no bytes make a decoder panic.
// Specification: core 3, core 9
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use ed25519_dalek::{Signature as Ed25519Signature, SigningKey};
use latchkey_near_transaction::{
    AccessKey, AccessKeyPermission, Action, ActionFields, Args, Balance, CryptoHash,
    DeterministicStateInit, FunctionCallPermission, Gas, GasKeyFunctionCallPermission,
    GasKeyPermission, GlobalContractDeployMode, GlobalContractIdentifier, ML_DSA_65_KEY_BYTES,
    Nonce, NonceMode, PublicKey, PublicKeyHandle, Signature, SignedTransaction, StateEntry,
    StateInitV1, Transaction, UniversalStateInit, UniversalStateInitV1, Version1,
};
use proptest::collection::vec;
use proptest::prelude::*;

fn account_id() -> impl Strategy<Value = latchkey_near_transaction::AccountId> {
    "[a-z0-9]{2,8}([-_.][a-z0-9]{1,6}){0,3}".prop_map(|text| text.parse().unwrap())
}

fn public_key() -> impl Strategy<Value = PublicKey> {
    prop_oneof![
        any::<[u8; 32]>().prop_map(PublicKey::Ed25519),
        (any::<[u8; 32]>(), any::<[u8; 32]>()).prop_map(|(x, y)| {
            let mut bytes = [0; 64];
            bytes
                .iter_mut()
                .zip(x.into_iter().chain(y))
                .for_each(|(to, from)| *to = from);
            PublicKey::Secp256k1(bytes)
        }),
        any::<u8>().prop_map(|byte| PublicKey::MlDsa65(Box::new([byte; ML_DSA_65_KEY_BYTES]))),
    ]
}

fn version_1() -> impl Strategy<Value = Option<Version1>> {
    let mode = prop_oneof![Just(NonceMode::Monotonic), Just(NonceMode::Strict)];
    let version = (any::<Option<u16>>(), mode);
    prop::option::of(version.prop_map(|(lane, nonce_mode)| Version1 { lane, nonce_mode }))
}

fn permission() -> impl Strategy<Value = AccessKeyPermission> {
    prop_oneof![
        Just(AccessKeyPermission::FullAccess),
        (
            any::<Option<u128>>(),
            account_id(),
            vec(any::<String>(), 0..4)
        )
            .prop_map(|(allowance, receiver_id, method_names)| {
                AccessKeyPermission::FunctionCall(FunctionCallPermission {
                    allowance: allowance.map(Balance),
                    receiver_id,
                    method_names,
                })
            }),
        (1..=1024_u16).prop_map(|num_nonces| {
            AccessKeyPermission::GasKeyFullAccess(GasKeyPermission {
                balance: Balance(0),
                num_nonces,
            })
        }),
        (1..=1024_u16, account_id(), vec(any::<String>(), 0..4)).prop_map(
            |(num_nonces, receiver_id, method_names)| {
                AccessKeyPermission::GasKeyFunctionCall(GasKeyFunctionCallPermission {
                    balance: Balance(0),
                    num_nonces,
                    allowance: None,
                    receiver_id,
                    method_names,
                })
            }
        ),
    ]
}

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        Just(Action::CreateAccount),
        vec(any::<u8>(), 1..64).prop_map(|code| Action::DeployContract { code }),
        (
            any::<String>(),
            prop_oneof![
                vec(any::<u8>(), 0..32),
                any::<String>().prop_map(String::into_bytes),
                any::<i64>().prop_map(|number| format!("[{number}]").into_bytes())
            ]
            .prop_map(Args::from_bytes),
            any::<u64>(),
            any::<u128>()
        )
            .prop_map(|(method_name, args, gas, deposit)| Action::FunctionCall {
                method_name,
                args,
                gas: Gas(gas),
                deposit: Balance(deposit),
            }),
        any::<u128>().prop_map(|amount| Action::Transfer {
            amount: Balance(amount)
        }),
        (any::<u128>(), public_key()).prop_map(|(stake, public_key)| Action::Stake {
            stake: Balance(stake),
            public_key
        }),
        (public_key(), any::<u64>(), permission()).prop_map(|(public_key, nonce, permission)| {
            Action::AddKey {
                public_key,
                access_key: AccessKey { nonce, permission },
            }
        }),
        public_key().prop_map(|public_key| Action::DeleteKey { public_key }),
        account_id().prop_map(|beneficiary_id| Action::DeleteAccount { beneficiary_id }),
        (vec(any::<u8>(), 1..64), deploy_mode())
            .prop_map(|(code, deploy_mode)| Action::DeployGlobalContract { code, deploy_mode }),
        global_contract().prop_map(|contract_identifier| Action::UseGlobalContract {
            contract_identifier
        }),
        (state_init(), any::<u128>()).prop_map(|(state_init, deposit)| {
            Action::DeterministicStateInit {
                state_init,
                deposit: Balance(deposit),
            }
        }),
        (public_key(), any::<u128>()).prop_map(|(public_key, deposit)| {
            Action::TransferToGasKey {
                public_key,
                deposit: Balance(deposit),
            }
        }),
        (public_key(), any::<u128>()).prop_map(|(public_key, amount)| {
            Action::WithdrawFromGasKey {
                public_key,
                amount: Balance(amount),
            }
        }),
        (universal_state_init(), any::<u128>()).prop_map(|(state_init, deposit)| {
            Action::UniversalStateInit {
                state_init,
                deposit: Balance(deposit),
            }
        }),
    ]
}

fn universal_state_init() -> impl Strategy<Value = UniversalStateInit> {
    let keys = prop::collection::btree_set(handle(), 0..4);
    let code = prop::option::of(global_contract());
    (code, entries(), keys).prop_map(|(code, data, keys)| {
        UniversalStateInit::V1(UniversalStateInitV1 {
            code,
            data,
            access_keys: keys.into_iter().collect(),
        })
    })
}

fn handle() -> impl Strategy<Value = PublicKeyHandle> {
    prop_oneof![
        any::<[u8; 32]>().prop_map(PublicKeyHandle::Ed25519),
        any::<([u8; 32], [u8; 32])>()
            .prop_map(|(x, y)| { PublicKeyHandle::Secp256k1([x, y].concat().try_into().unwrap()) }),
        any::<[u8; 32]>().prop_map(PublicKeyHandle::MlDsa65),
    ]
}

fn deploy_mode() -> impl Strategy<Value = GlobalContractDeployMode> {
    prop_oneof![
        Just(GlobalContractDeployMode::CodeHash),
        Just(GlobalContractDeployMode::AccountId)
    ]
}

fn global_contract() -> impl Strategy<Value = GlobalContractIdentifier> {
    prop_oneof![
        any::<[u8; 32]>().prop_map(|hash| GlobalContractIdentifier::CodeHash(CryptoHash(hash))),
        account_id().prop_map(GlobalContractIdentifier::AccountId),
    ]
}

fn state_init() -> impl Strategy<Value = DeterministicStateInit> {
    (global_contract(), entries())
        .prop_map(|(code, data)| DeterministicStateInit::V1(StateInitV1 { code, data }))
}

fn entries() -> impl Strategy<Value = Vec<StateEntry>> {
    let bytes = || vec(any::<u8>(), 0..8);
    prop::collection::btree_map(bytes(), bytes(), 0..4).prop_map(|entries| {
        let entries = entries.into_iter();
        entries
            .map(|(key, value)| StateEntry { key, value })
            .collect()
    })
}

proptest! {
    #[test]
    fn a_signed_transaction_comes_back_and_its_signature_is_good(
        seed: [u8; 32],
        nonce: u64,
        block_hash: [u8; 32],
        signer_id in account_id(),
        receiver_id in account_id(),
        actions in vec(action(), 0..5),
        version_1 in version_1(),
    ) {
        let key = SigningKey::from_bytes(&seed);
        let public_key = PublicKey::Ed25519(key.verifying_key().to_bytes());
        let block_hash = CryptoHash(block_hash);
        let nonce = Nonce(nonce);
        let transaction = Transaction { signer_id, public_key, nonce, receiver_id, block_hash, actions, version_1 };
        let signed = transaction.clone().sign(&key).unwrap();

        let read = SignedTransaction::from_borsh(&signed.borsh_bytes).unwrap();
        prop_assert_eq!(&read, &signed);
        prop_assert_eq!(&read.transaction, &transaction);
        prop_assert_eq!(read.hash, CryptoHash::of(&borsh::to_vec(&transaction).unwrap()));
        let Signature::Ed25519(signature) = read.signature else { panic!("another curve") };
        key.verifying_key().verify_strict(&read.hash.0, &Ed25519Signature::from_bytes(&signature)).unwrap();
    }

    /// Ties the names that are read to the names that are written, which TypeScript's `Action` is typed from.
    #[test]
    fn an_action_is_read_back_from_the_form_that_is_written(action in action()) {
        let written = serde_json::to_value(&action).unwrap();
        let fields: ActionFields = serde_json::from_value(written).unwrap();
        let unchecked = match action {
            Action::AddKey { public_key, access_key: AccessKey { permission, .. } } => {
                Action::AddKey { public_key, access_key: AccessKey { nonce: 0, permission } }
            }
            Action::FunctionCall { ref method_name, .. } if method_name.is_empty() => {
                prop_assert!(Action::try_from(fields).is_err());
                return Ok(());
            }
            other => other,
        };
        prop_assert_eq!(Action::try_from(fields).unwrap(), unchecked);
    }

    /// The chain sees the bytes; here they have one form, whichever way they came in.
    #[test]
    fn bytes_of_arguments_have_one_form_which_is_json_where_they_are_json_s14(bytes: Vec<u8>, number: i64) {
        for bytes in [bytes, format!(" [{number}] ").into_bytes()] {
            let args = Args::from_bytes(bytes.clone());
            prop_assert_eq!(args.as_bytes(), bytes.as_slice());
            let is_json = serde_json::from_slice::<serde_json::Value>(&bytes).is_ok();
            prop_assert_eq!(matches!(args, Args::Json(_)), is_json);
            prop_assert_eq!(borsh::to_vec(&args).unwrap(), borsh::to_vec(&bytes).unwrap());
        }
    }

    #[test]
    fn no_bytes_make_the_decoder_panic(bytes: Vec<u8>) {
        let _ = SignedTransaction::from_borsh(&bytes);
    }

    #[test]
    fn a_cut_or_longer_encoding_is_refused(
        actions in vec(action(), 0..3),
        version_1 in version_1(),
        cut: prop::sample::Index,
    ) {
        let key = SigningKey::from_bytes(&[7; 32]);
        let transaction = Transaction {
            signer_id: "alice.testnet".parse().unwrap(),
            public_key: PublicKey::Ed25519(key.verifying_key().to_bytes()),
            nonce: Nonce(1),
            receiver_id: "bob.testnet".parse().unwrap(),
            block_hash: CryptoHash([0; 32]),
            actions,
            version_1,
        };
        let mut bytes = transaction.sign(&key).unwrap().borsh_bytes;
        let cut = cut.index(bytes.len());
        prop_assert!(SignedTransaction::from_borsh(bytes.get(..cut).unwrap()).is_err());
        bytes.push(0);
        prop_assert!(SignedTransaction::from_borsh(&bytes).is_err());
    }

    #[test]
    fn a_public_key_comes_back_from_its_text(key in public_key(), handle in handle()) {
        prop_assert_eq!(key.to_string().parse::<PublicKey>().unwrap(), key);
        prop_assert_eq!(handle.to_string().parse::<PublicKeyHandle>().unwrap(), handle);
    }

    #[test]
    fn a_hash_comes_back_from_its_text(bytes: [u8; 32]) {
        prop_assert_eq!(CryptoHash(bytes).to_string().parse::<CryptoHash>().unwrap(), CryptoHash(bytes));
    }

    #[test]
    fn numbers_come_back_from_their_digits(balance: u128, gas: u64, nonce: u64) {
        prop_assert_eq!(Balance::parse(&balance.to_string(), "deposit").unwrap(), Balance(balance));
        prop_assert_eq!(Gas::parse(&gas.to_string(), "gas").unwrap(), Gas(gas));
        prop_assert_eq!(Nonce::parse(&nonce.to_string(), "nonce").unwrap(), Nonce(nonce));
    }

    #[test]
    fn digits_are_read_only_in_the_one_form_that_is_written(text in "[-+ 0-9eE._x]{0,6}") {
        if let Ok(number) = Balance::parse(&text, "deposit") {
            prop_assert_eq!(number.to_string(), text);
        }
    }
}

#[test]
fn rejects_numbers_out_of_range_or_in_another_form() {
    for text in [
        "", "+1", "-1", "01", "00", "1e3", "1.0", " 1", "1 ", "0x1", "1_000", "١", "１",
    ] {
        assert!(Balance::parse(text, "deposit").is_err(), "{text}");
    }
    assert!(Balance::parse("340282366920938463463374607431768211455", "deposit").is_ok());
    assert!(Balance::parse("340282366920938463463374607431768211456", "deposit").is_err());
    assert!(Gas::parse("18446744073709551615", "gas").is_ok());
    assert!(Gas::parse("18446744073709551616", "gas").is_err());
}

proptest! {
    #[test]
    fn numbers_are_written_and_read_as_the_standard_library_does(number: u128, text in "[0-9]{0,41}|.*") {
        prop_assert_eq!(Balance(number).to_string(), number.to_string());
        prop_assert_eq!(Balance::parse(&number.to_string(), "n").unwrap(), Balance(number));
        let canonical = text.parse::<u128>().ok().filter(|number| number.to_string() == text);
        prop_assert_eq!(Balance::parse(&text, "n").ok(), canonical.map(Balance));
        let small = text.parse::<u64>().ok().filter(|number| number.to_string() == text);
        prop_assert_eq!(Gas::parse(&text, "n").ok(), small.map(Gas));
    }
}

#[test]
fn the_ends_of_the_number_ranges_are_written_and_read() {
    for number in [
        0,
        9,
        10,
        u128::from(u32::MAX),
        u128::from(u64::MAX),
        1 << 64,
        u128::MAX,
    ] {
        assert_eq!(Balance(number).to_string(), number.to_string());
        assert_eq!(
            Balance::parse(&number.to_string(), "n").unwrap(),
            Balance(number)
        );
    }
    for text in [
        "340282366920938463463374607431768211456",
        "00",
        "01",
        "",
        "+1",
        "1 ",
        "١",
    ] {
        assert!(Balance::parse(text, "n").is_err(), "{text}");
    }
    assert!(Gas::parse("18446744073709551616", "n").is_err());
}
