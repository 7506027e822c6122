//! The chain action checks, with the texts of the specification (core-wallet.md, section 5).
// Specification: core 3, core 5
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

use latchkey_near_transaction::{
    Action, ActionFields, Args, TransactionError, TransactionRequest, TransactionRequestFields,
};
use serde_json::{Value, json};

const KEY: &str = "ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2";

fn read(action: &Value) -> Result<Action, TransactionError> {
    serde_json::from_value::<ActionFields>(action.clone())
        .unwrap()
        .try_into()
}

fn good_actions() -> [Value; 17] {
    let bounds = json!({ "allowance": "1", "receiverId": "bob.testnet", "methodNames": [] });
    [
        json!({ "type": "CreateAccount" }),
        json!({ "type": "DeployContract", "code": [1] }),
        json!({ "type": "FunctionCall", "methodName": "m", "args": "{}", "gas": "1", "deposit": "0" }),
        json!({ "type": "Transfer", "amount": "1" }),
        json!({ "type": "Stake", "stake": "1", "publicKey": KEY }),
        json!({ "type": "AddKey", "publicKey": KEY, "accessKey": { "permission": "FullAccess" } }),
        json!({ "type": "AddKey", "publicKey": KEY, "accessKey": { "permission": { "FunctionCall": bounds } } }),
        json!({ "type": "DeleteKey", "publicKey": KEY }),
        json!({ "type": "DeleteAccount", "beneficiaryId": "bob.testnet" }),
        json!({ "type": "DeployGlobalContract", "code": [1], "deployMode": "CodeHash" }),
        json!({ "type": "UseGlobalContract", "contractIdentifier": { "AccountId": "bob.testnet" } }),
        state_init(&json!([]), HASH),
        gas_key(&json!({ "GasKeyFullAccess": { "numNonces": 1024 } })),
        gas_key(
            &json!({ "GasKeyFunctionCall": { "numNonces": 1, "receiverId": "bob.testnet", "methodNames": [] } }),
        ),
        json!({ "type": "TransferToGasKey", "publicKey": KEY, "deposit": "1" }),
        json!({ "type": "WithdrawFromGasKey", "publicKey": KEY, "amount": "1" }),
        universal(&json!([KEY])),
    ]
}

fn gas_key(permission: &Value) -> Value {
    json!({ "type": "AddKey", "publicKey": KEY, "accessKey": { "permission": permission } })
}

fn universal(keys: &Value) -> Value {
    let state = json!({ "V1": { "code": null, "data": [], "accessKeys": keys } });
    json!({ "type": "UniversalStateInit", "stateInit": state, "deposit": "1" })
}

const HASH: &str = "11111111111111111111111111111111";

fn state_init(data: &Value, hash: &str) -> Value {
    let state = json!({ "V1": { "code": { "CodeHash": hash }, "data": data } });
    json!({ "type": "DeterministicStateInit", "stateInit": state, "deposit": "1" })
}

#[test]
fn takes_every_type() {
    for action in good_actions() {
        assert!(read(&action).is_ok(), "{action}");
    }
}

#[test]
fn says_what_arguments_may_be() {
    let action =
        json!({ "type": "FunctionCall", "methodName": "m", "args": 5, "gas": "1", "deposit": "0" });
    let refusal = serde_json::from_value::<ActionFields>(action).unwrap_err();
    assert!(
        refusal
            .to_string()
            .ends_with("expected JSON text or a Uint8Array"),
        "{refusal}"
    );
}

#[test]
fn names_each_field_that_is_missing_or_empty() {
    let mut texts = Vec::new();
    for action in good_actions() {
        for field in action
            .as_object()
            .unwrap()
            .keys()
            .filter(|field| *field != "type")
        {
            let mut without = action.clone();
            without.as_object_mut().unwrap().remove(field);
            texts.push(read(&without).unwrap_err().to_string());
            if field != "deployMode" && (action[field].is_string() || action[field].is_array()) {
                let mut empty = action.clone();
                empty[field] = if action[field].is_string() {
                    json!("")
                } else {
                    json!([])
                };
                assert_eq!(
                    read(&empty).unwrap_err().to_string(),
                    *texts.last().unwrap()
                );
            }
        }
    }
    texts.sort();
    texts.dedup();
    assert_eq!(
        texts,
        [
            "access_key required for AddKey",
            "amount required for WithdrawFromGasKey",
            "args required for FunctionCall",
            "beneficiary_id required for DeleteAccount",
            "code required for DeployContract",
            "code required for DeployGlobalContract",
            "contract_identifier required for UseGlobalContract",
            "deploy_mode required for DeployGlobalContract",
            "deposit required for DeterministicStateInit",
            "deposit required for FunctionCall",
            "deposit required for Transfer",
            "deposit required for TransferToGasKey",
            "deposit required for UniversalStateInit",
            "gas required for FunctionCall",
            "method_name required for FunctionCall",
            "public_key required for AddKey",
            "public_key required for DeleteKey",
            "public_key required for Stake",
            "public_key required for TransferToGasKey",
            "public_key required for WithdrawFromGasKey",
            "stake required for Stake",
            "state_init required for DeterministicStateInit",
            "state_init required for UniversalStateInit",
        ]
    );
}

#[test]
fn args_must_be_json() {
    let call = |args: &str| {
        read(
            &json!({ "type": "FunctionCall", "methodName": "m", "args": args, "gas": "1", "deposit": "0" }),
        )
    };
    for args in [
        "{}",
        "[]",
        "null",
        " 1 ",
        "\"\"",
        "{\"a\":[1.5e3,true,{\"b\":\"\\u00e9\"}]}",
    ] {
        assert!(call(args).is_ok(), "{args}");
    }
    for args in [
        "{",
        "{}{}",
        "{a:1}",
        "{'a':1}",
        "undefined",
        "01",
        "[1,]",
        "\"\u{1}\"",
        "{\"a\":1,}",
    ] {
        assert_eq!(
            call(args).unwrap_err().to_string(),
            "FunctionCall action args must be valid JSON string"
        );
    }
}

#[test]
fn args_may_be_any_bytes_and_empty_and_are_json_where_they_are_json() {
    let call = |args: Value| {
        let fields = json!({ "type": "FunctionCall", "methodName": "m", "args": args, "gas": "1", "deposit": "0" });
        match read(&fields).unwrap() {
            Action::FunctionCall { args, .. } => args,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(call(json!([0, 255])), Args::Bytes(vec![0, 255]));
    assert_eq!(call(json!([])), Args::Bytes(Vec::new()));
    // `{` alone is text, and not JSON.
    assert_eq!(call(json!([123])), Args::Bytes(vec![123]));
    assert_eq!(call(json!([123, 125])), call(json!("{}")));
}

#[test]
fn refuses_any_other_type() {
    for action in [
        json!({ "type": "Delegate" }),
        json!({ "type": "transfer" }),
        json!({}),
    ] {
        assert_eq!(
            read(&action).unwrap_err().to_string(),
            "Unsupported action type"
        );
    }
}

#[test]
fn a_first_state_names_each_key_once_in_order() {
    let entry = |key: u8| json!({ "key": [key], "value": [] });
    assert!(read(&state_init(&json!([entry(1), entry(2)]), HASH)).is_ok());
    for data in [json!([entry(2), entry(1)]), json!([entry(1), entry(1)])] {
        let error = read(&state_init(&data, HASH)).unwrap_err();
        assert_eq!(error, TransactionError::UnsortedState);
    }
}

#[test]
fn a_global_contract_is_a_hash_or_an_account() {
    let error = read(&state_init(&json!([]), "bob.testnet")).unwrap_err();
    assert_eq!(error, TransactionError::InvalidCodeHash);
    let used = json!({ "type": "UseGlobalContract", "contractIdentifier": { "AccountId": "B" } });
    let field = "contract_identifier";
    assert_eq!(
        read(&used),
        Err(TransactionError::InvalidAccountId { field })
    );
}

#[test]
fn a_function_call_key_needs_its_list_of_methods() {
    let bounds = json!({ "allowance": null, "receiverId": "bob.testnet" });
    let action = json!({ "type": "AddKey", "publicKey": KEY, "accessKey": { "permission": { "FunctionCall": bounds } } });
    assert_eq!(
        read(&action).unwrap_err().to_string(),
        "method_names required for AddKey"
    );
}

#[test]
fn refuses_keys_and_account_ids_of_another_form() {
    for key in [
        "ed25519:",
        "ed25519:111",
        "secp256k1:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2",
        "x",
        "ed25519:0OIl",
    ] {
        let action = json!({ "type": "DeleteKey", "publicKey": key });
        assert_eq!(
            read(&action),
            Err(TransactionError::InvalidPublicKey),
            "{key}"
        );
    }
    for id in [
        "a",
        "A.testnet",
        "a..b",
        "a-.b",
        "-a",
        "a b",
        &"a".repeat(65),
    ] {
        let action = json!({ "type": "DeleteAccount", "beneficiaryId": id });
        assert_eq!(
            read(&action),
            Err(TransactionError::InvalidAccountId {
                field: "beneficiary_id"
            }),
            "{id}"
        );
    }
}

#[test]
fn each_transaction_needs_a_receiver() {
    for request in [
        json!({ "actions": [] }),
        json!({ "receiverId": "", "actions": [] }),
    ] {
        let fields: TransactionRequestFields = serde_json::from_value(request).unwrap();
        assert_eq!(
            TransactionRequest::try_from(fields),
            Err(TransactionError::MissingReceiver)
        );
    }
}

#[test]
fn no_error_holds_what_came_in() {
    let secret = "do-not-repeat-me";
    for action in [
        json!({ "type": secret }),
        json!({ "type": "Transfer", "amount": secret }),
        json!({ "type": "DeleteKey", "publicKey": secret }),
        json!({ "type": "DeleteAccount", "beneficiaryId": format!("{secret}!") }),
        json!({ "type": "FunctionCall", "methodName": "m", "args": secret, "gas": "1", "deposit": "0" }),
    ] {
        let error = read(&action).unwrap_err();
        assert!(!format!("{error} {error:?}").contains(secret));
    }
}

#[test]
fn a_gas_key_has_1_to_1024_lanes_and_no_allowance() {
    for num_nonces in [0, 1025] {
        let lanes = json!({ "GasKeyFullAccess": { "numNonces": num_nonces } });
        assert_eq!(
            read(&gas_key(&lanes)),
            Err(TransactionError::InvalidLaneCount)
        );
    }
    let absent = json!({ "GasKeyFullAccess": {} });
    assert_eq!(
        read(&gas_key(&absent)),
        Err(TransactionError::InvalidLaneCount)
    );
    let limited =
        json!({ "numNonces": 1, "receiverId": "bob.testnet", "methodNames": [], "allowance": "1" });
    assert_eq!(
        read(&gas_key(&json!({ "GasKeyFunctionCall": limited }))),
        Err(TransactionError::GasKeyAllowance)
    );
}

#[test]
fn a_first_state_names_stored_keys_in_order_and_its_own_account() {
    let hash = format!("ml-dsa-65-hash:{HASH}");
    let before = "ed25519:11111111111111111111111111111112";
    assert!(read(&universal(&json!([before, KEY, hash]))).is_ok());
    for keys in [json!([KEY, before]), json!([KEY, KEY]), json!([hash, KEY])] {
        assert_eq!(read(&universal(&keys)), Err(TransactionError::UnsortedKeys));
    }
    let whole = format!("ml-dsa-65:{HASH}");
    assert_eq!(
        read(&universal(&json!([whole]))),
        Err(TransactionError::InvalidHandle)
    );
}
