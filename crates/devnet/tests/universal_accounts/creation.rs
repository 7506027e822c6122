//! What a transfer creates.

use super::*;

#[test]
fn ids_are_those_of_the_known_answers() {
    use near_crypto::{MlDsa65PublicKeyHandle, PublicKeyHandle};
    let vectors: Value = serde_json::from_str(include_str!(
        "../../../../tests/vectors/universal-accounts.json"
    ))
    .unwrap();
    let handle = PublicKeyHandle::MlDsa65(MlDsa65PublicKeyHandle([0x11; 32]));
    let key_only = UniversalStateInit::V1(UniversalStateInitV1 {
        code: None,
        data: BTreeMap::new(),
        access_keys: BTreeSet::from([handle]),
    });
    let code = near_primitives::hash::CryptoHash([0x22; 32]);
    let contract = UniversalStateInit::V1(UniversalStateInitV1 {
        code: Some(near_primitives::action::GlobalContractIdentifier::CodeHash(
            code,
        )),
        data: BTreeMap::from([(b"key".to_vec(), b"value".to_vec())]),
        access_keys: BTreeSet::new(),
    });
    assert_eq!(universal_name(&key_only), vectors["derived"]["keyOnly"]);
    assert_eq!(universal_name(&contract), vectors["derived"]["contract"]);

    let chain = open();
    for known in vectors["ids"].as_array().unwrap() {
        let known = known.as_str().unwrap();
        value(&run(&chain, ALICE, known, vec![transfer(near(1))]));
        assert_eq!(view(&chain, known).state, AccountState::Uninitialized);
        // With bits of padding in its last symbol it is a name like any other.
        let named = format!("{}1", &known[..known.len() - 1]);
        let error = failure(&run(&chain, ALICE, &named, vec![transfer(near(1))]));
        assert!(error.contains("AccountDoesNotExist"), "{error}");
    }
}

#[test]
fn a_transfer_creates_one_from_protocol_88_and_is_refused_before() {
    for protocol in [84, 85, 86, 87, 88] {
        let chain = open_at(protocol);
        let name = universal_name(&owned());
        let before = balance(&chain, ALICE);
        let signed = sign(&chain, ALICE, &name, vec![transfer(near(3))]);
        // A block takes the transaction, and the next one its receipt.
        let height = chain.head().height + 2;
        if protocol == 87 {
            let account_id = id(&name);
            let error = ActionsValidationError::TransferToUniversalAccountNotAllowed { account_id };
            let expected = InvalidTxError::ActionsValidation(error);
            assert_eq!(refused(&chain, signed), expected);
            // Nor does a delegate action get there.
            let inner = delegate(&chain, &key(ALICE), 1, &name, vec![transfer(near(1))]);
            let signed = sign(&chain, RELAYER, ALICE, vec![inner]);
            assert_eq!(refused(&chain, signed), expected);
            continue;
        }
        let outcome = chain.run(signed).unwrap();
        if protocol < 87 {
            let error = failure(&outcome);
            assert!(error.contains("AccountDoesNotExist"), "{error}");
            assert_eq!(balance(&chain, ALICE), minus(before, burnt(&outcome)));
            continue;
        }
        value(&outcome);
        let shown = view(&chain, &name);
        assert_eq!((shown.amount, shown.storage_usage), (near(3), 100));
        assert_eq!(shown.state, AccountState::Uninitialized);
        assert_eq!(shown.bootstrap_nonce, Some((height - 1) * 1_000_000));

        // 0.007 NEAR for the creation, with the gas that it executes.
        let gas = 2 * RECEIPT + 2 * 115_123_062_500 + 500_000_000_000 + 7_200_000_000_000;
        let charge = 7_000_000_000_000_000_000_000 - 7_200_000_000_000 * PRICE;
        assert_eq!(burnt(&outcome), yocto(gas * PRICE + charge));
        let paid = plus(near(3), burnt(&outcome));
        assert_eq!(balance(&chain, ALICE), minus(before, paid));
        assert_eq!(held(&chain), chain.total_supply());
    }
}

#[test]
fn a_transfer_of_nothing_or_in_a_batch_creates_one_too() {
    let chain = open();
    let name = universal_name(&owned());
    value(&run(&chain, ALICE, &name, vec![transfer(near(0))]));
    assert_eq!(view(&chain, &name).amount, near(0));

    let other = with_keys(&[owner(), key(BOB)]);
    let name = universal_name(&other);
    let actions = vec![
        transfer(near(1)),
        initialise_universal(&other, near(0)),
        transfer(near(1)),
    ];
    value(&run(&chain, ALICE, &name, actions));
    assert_eq!(view(&chain, &name).amount, near(2));
    assert!(is_initialised(&chain, &name));
}

#[test]
fn an_account_without_its_state_init_takes_transfers_only() {
    let chain = open();
    let (name, nonce) = fund(&chain, near(1));
    value(&run(&chain, BOB, &name, vec![transfer(near(1))]));
    let before = chain.state_root_dump().len();
    for action in [
        add_full_key(&owner()),
        add_gas_key(&owner(), 1),
        delete_key(&owner()),
        fill_gas_key(&owner(), near(1)),
        withdraw(&owner(), near(1)),
        call("get", b""),
        deploy(test_contract()),
        adopt(by_account(ALICE)),
        delete_account(ALICE),
    ] {
        let error = failure(&run(&chain, ALICE, &name, vec![action]));
        let expected = format!(r#""AccountNotInitialized":{{"account_id":"{name}"}}"#);
        assert!(error.contains(&expected), "{error}");
    }
    let error = failure(&run(&chain, ALICE, &name, vec![create()]));
    assert!(error.contains("AccountAlreadyExists"), "{error}");
    assert_eq!(chain.state_root_dump().len(), before);
    let shown = view(&chain, &name);
    assert_eq!(
        (shown.amount, shown.bootstrap_nonce),
        (near(2), Some(nonce))
    );
    assert_eq!(held(&chain), chain.total_supply());
}

#[test]
fn it_is_created_by_no_action_and_by_no_refund() {
    let chain = open();
    let name = universal_name(&owned());
    let error = failure(&run(&chain, ALICE, &name, vec![create()]));
    assert!(
        error.contains("OnlyImplicitAccountCreationAllowed"),
        "{error}"
    );
    // What a beneficiary that does not exist would get burns.
    let supply = chain.total_supply();
    let left = balance(&chain, BOB);
    value(&run(&chain, BOB, BOB, vec![delete_account(&name)]));
    chain.settle().unwrap();
    assert!(matches!(
        chain.view_account(&id(&name)),
        Err(ViewError::UnknownAccount)
    ));
    assert_eq!(chain.total_supply(), minus(supply, left));
    assert_eq!(held(&chain), chain.total_supply());
}

#[test]
fn the_rpc_and_the_pages_show_that_it_waits_for_its_state_init() {
    let server = Server::start();
    let chain = &server.chain;
    let (name, nonce) = fund(chain, near(1));
    let query = |request: &str| {
        let params = json!({ "request_type": request, "finality": "final", "account_id": name,
            "public_key": owner().public_key().to_string() });
        server.rpc("query", params).unwrap().json()
    };
    let shown = query("view_account");
    assert_eq!(shown["result"]["state"], "uninitialized");
    assert_eq!(shown["result"]["bootstrap_nonce"], nonce);
    let list = query("view_access_key_list");
    assert_eq!(list["result"]["keys"], json!([]));
    let absent = query("view_access_key");
    let error = absent["result"]["error"].as_str().unwrap();
    assert!(error.starts_with("access key ed25519:"), "{error}");
    let page = server.get(&format!("/address/{name}")).body;
    assert!(
        page.contains(&format!("uninitialised, nonce {nonce}")),
        "{page}"
    );

    let signed = sign_own(
        chain,
        nonce + 1,
        vec![initialise_universal(&owned(), near(0))],
    );
    let transaction = signed.get_hash();
    value(&chain.run(signed).unwrap());
    let shown = query("view_account");
    assert_eq!(shown["result"].get("state"), None);
    assert_eq!(shown["result"].get("bootstrap_nonce"), None);
    let page = server.get(&format!("/transactions/{transaction}")).body;
    assert!(page.contains("Initialise the universal account"), "{page}");
    let page = server.get(&format!("/address/{name}")).body;
    assert!(!page.contains("uninitialised"), "{page}");
}
