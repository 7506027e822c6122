#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use base64ct::{Base64UrlUnpadded, Encoding};
use latchkey_near_transaction::TransactionRequestFields;
use serde_json::Value;

use super::*;

/// `tests/vectors/intent-digests.json`: interop.md, section 4. TypeScript reads the same file.
#[test]
fn gives_the_pinned_texts_and_digests_of_all_eight_actions() {
    let file: Value = serde_json::from_str(include_str!(
        "../../../../tests/vectors/intent-digests.json"
    ))
    .unwrap();
    for case in file["transactions"].as_array().unwrap() {
        let requests = requests(&case["transactions"]);
        assert_eq!(
            transactions_text(&requests),
            case["text"].as_str().unwrap(),
            "{}",
            case["name"]
        );
        let digest = Base64UrlUnpadded::encode_string(&transactions_digest(&requests));
        assert_eq!(digest, case["digest"].as_str().unwrap(), "{}", case["name"]);
    }
}

#[test]
fn the_text_is_what_a_json_reader_and_sorted_keys_make_of_it() {
    let file: Value = serde_json::from_str(include_str!(
        "../../../../tests/vectors/intent-digests.json"
    ))
    .unwrap();
    for case in file["transactions"].as_array().unwrap() {
        let text = transactions_text(&requests(&case["transactions"]));
        // serde_json keeps the keys of its objects sorted.
        assert_eq!(
            serde_json::from_str::<Value>(&text).unwrap().to_string(),
            text
        );
    }
}

#[test]
fn gives_the_pinned_texts_and_digests_of_delegates() {
    let file: Value = serde_json::from_str(include_str!(
        "../../../../tests/vectors/intent-digests.json"
    ))
    .unwrap();
    for case in file["delegates"].as_array().unwrap() {
        let delegates = delegates(case);
        let text = delegates_text(&delegates);
        assert_eq!(text, case["text"].as_str().unwrap(), "{}", case["name"]);
        let digest = Base64UrlUnpadded::encode_string(&delegates_digest(&delegates));
        assert_eq!(digest, case["digest"].as_str().unwrap(), "{}", case["name"]);
        // Every delegate has a kind, and no transaction has one: no approval of one is one of the other.
        let requests: Vec<_> = delegates.into_iter().map(|one| one.request).collect();
        assert!(text.contains("\"kind\":\"delegate\""));
        assert!(!transactions_text(&requests).contains("\"kind\":"));
    }
}

#[test]
fn the_order_of_transactions_and_actions_counts() {
    let transfer = |amount: &str| serde_json::json!({ "type": "Transfer", "amount": amount });
    let request = |actions: Vec<Value>| serde_json::json!({ "receiverId": "bob.testnet", "actions": actions });
    let digest = |value: Value| transactions_digest(&requests(&value));
    let digests = [
        digest(serde_json::json!([request(vec![
            transfer("1"),
            transfer("2")
        ])])),
        digest(serde_json::json!([request(vec![
            transfer("2"),
            transfer("1")
        ])])),
        digest(serde_json::json!([
            request(vec![transfer("1")]),
            request(vec![transfer("2")])
        ])),
        digest(serde_json::json!([
            request(vec![transfer("2")]),
            request(vec![transfer("1")])
        ])),
    ];
    for (index, digest) in digests.iter().enumerate() {
        assert!(!digests[index + 1..].contains(digest), "{index}");
    }
}

fn delegates(case: &Value) -> Vec<DelegateRequest> {
    let of = |case: &Value| DelegateRequest {
        request: requests(&serde_json::json!([case["transaction"]])).remove(0),
        end: match &case["maxBlockHeight"] {
            Value::String(height) => DelegateEnd::Height(height.parse().unwrap()),
            _ => DelegateEnd::Blocks(case["validForBlocks"].as_u64().unwrap()),
        },
    };
    match case["delegates"].as_array() {
        Some(several) => several.iter().map(of).collect(),
        None => vec![of(case)],
    }
}

fn requests(value: &Value) -> Vec<TransactionRequest> {
    let fields: Vec<TransactionRequestFields> = serde_json::from_value(value.clone()).unwrap();
    fields
        .into_iter()
        .map(|fields| fields.try_into().unwrap())
        .collect()
}
