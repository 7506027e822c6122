//! Lists in pages.

use super::*;

#[test]
fn lists_come_in_pages_and_state_beyond_the_limit_is_refused() {
    let server = Server::start();
    let chain = &server.chain;
    deploy_test_contract(chain, ALICE);
    let keys: Vec<_> = (0..5)
        .map(|n| add_full_key(&key(&format!("key{n}"))))
        .collect();
    value(&run(chain, ALICE, ALICE, keys));
    let query = |fields: Value| {
        let mut params = json!({ "account_id": ALICE, "finality": "final" });
        let map = params.as_object_mut().unwrap();
        map.extend(fields.as_object().unwrap().clone());
        server.rpc("query", params).unwrap().json()
    };
    let all = query(json!({ "request_type": "view_access_key_list" }))["result"]["keys"].clone();
    assert_eq!(all.as_array().unwrap().len(), 6);
    let mut paged = Vec::new();
    let mut after = Value::Null;
    loop {
        let mut fields = json!({ "request_type": "view_access_key_list", "limit": 4 });
        if !after.is_null() {
            fields["after_key"] = after;
        }
        let answer = query(fields);
        paged.extend(answer["result"]["keys"].as_array().unwrap().clone());
        after = answer["result"]["last_key"].clone();
        if after.is_null() {
            break;
        }
    }
    assert_eq!(json!(paged), all);

    let state = json!({ "request_type": "view_state", "prefix_base64": "" });
    value(&run(
        chain,
        BOB,
        ALICE,
        vec![call_with("set", &[7; 60_000], 300, near(0))],
    ));
    let error = query(state)["error"].clone();
    assert_eq!(error["cause"]["name"], "TOO_LARGE_CONTRACT_STATE");
    assert_eq!(
        error["data"],
        "State of contract alice.testnet is too large to be viewed"
    );
}

#[test]
fn a_page_of_keys_starts_after_its_cursor_even_if_that_key_is_deleted() {
    let server = Server::start();
    let chain = &server.chain;
    let keys = [key(ALICE), key("a"), key("b"), key("c")];
    let added = keys[1..].iter().map(add_full_key).collect();
    value(&run(chain, ALICE, ALICE, added));
    let list = |more: Value| {
        let mut params = json!({ "request_type": "view_access_key_list", "finality": "final",
            "account_id": ALICE });
        let map = params.as_object_mut().unwrap();
        map.extend(more.as_object().unwrap().clone());
        let keys = server.rpc("query", params).unwrap().json()["result"]["keys"].clone();
        let name = |key: &Value| key["public_key"].as_str().unwrap().to_owned();
        keys.as_array()
            .unwrap()
            .iter()
            .map(name)
            .collect::<Vec<_>>()
    };
    let all = list(json!({}));
    let cursor = &all[1];
    let gone = keys
        .iter()
        .find(|key| key.public_key().to_string() == *cursor)
        .unwrap();
    value(&run(chain, ALICE, ALICE, vec![delete_key(gone)]));
    assert_eq!(list(json!({ "after_key": cursor })), all[2..]);
}

#[test]
fn a_page_of_state_is_an_error_if_its_first_entry_is_too_large() {
    let server = Server::start();
    let chain = &server.chain;
    deploy_test_contract(chain, ALICE);
    let large = call_with("set", &[7; 60_000], 300, near(0));
    value(&run(chain, BOB, ALICE, vec![large]));
    let params = json!({ "request_type": "view_state", "finality": "final", "account_id": ALICE,
        "prefix_base64": "", "limit": 10 });
    let answer = server.rpc("query", params).unwrap().json();
    assert_eq!(
        answer["error"]["cause"]["name"], "TOO_LARGE_CONTRACT_STATE",
        "{answer}"
    );
}
