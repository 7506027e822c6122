//! Delegate actions of version 2, which may name a lane of a gas key: nodes take them at protocols 85 and 86 alone.

use near_primitives::action::delegate::{
    DelegateActionV2, NonDelegateAction, VersionedDelegateActionPayload,
    VersionedSignedDelegateAction,
};

use super::*;

/// One NEAR from ALICE to BOB.
fn signed_by(chain: &Chain, key: &SecretKey, nonce: TransactionNonce) -> Action {
    let delegate_action = VersionedDelegateActionPayload::V2(DelegateActionV2 {
        sender_id: id(ALICE),
        receiver_id: id(BOB),
        actions: vec![NonDelegateAction::try_from(transfer(near(1))).unwrap()],
        nonce,
        max_block_height: chain.head().height + 100,
        public_key: key.public_key(),
    });
    let signature = key.sign(delegate_action.get_nep461_hash().as_bytes());
    Action::DelegateV2(Box::new(VersionedSignedDelegateAction {
        delegate_action,
        signature,
    }))
}

#[test]
fn a_lane_authorises_a_delegate_action_and_its_key_pays_nothing() {
    for protocol in [85, 86] {
        let chain = open_at(protocol);
        let key = add_filled(&chain, 3, near(1));
        let lanes = lane_nonces(&chain, &key);
        let (alice, bob) = (balance(&chain, ALICE), balance(&chain, BOB));
        let nonce = TransactionNonce::from_nonce_and_index(lanes[2] + 7, 2);
        let action = signed_by(&chain, &key, nonce);
        value(&run(&chain, RELAYER, ALICE, vec![action.clone()]));
        assert_eq!(balance(&chain, ALICE), alice);
        assert_eq!(balance(&chain, BOB), bob.checked_add(near(1)).unwrap());
        assert_eq!(key_balance(&chain, &key), near(1));
        assert_eq!(
            lane_nonces(&chain, &key),
            [lanes[0], lanes[1], lanes[2] + 7]
        );
        let again = failure(&run(&chain, RELAYER, ALICE, vec![action]));
        assert!(again.contains("DelegateActionInvalidNonce"), "{again}");
        assert_eq!(held(&chain), chain.total_supply());
    }
}

#[test]
fn a_plain_key_signs_version_2_with_its_own_nonce() {
    let chain = open_at(85);
    let key = key(ALICE);
    let nonce_of = || {
        let view = chain.view_access_key(&id(ALICE), &key.public_key());
        view.unwrap().nonce
    };
    let next = nonce_of() + 1;
    let action = signed_by(&chain, &key, TransactionNonce::from_nonce(next));
    value(&run(&chain, RELAYER, ALICE, vec![action]));
    assert_eq!(nonce_of(), next);
}

#[test]
fn version_2_is_refused_for_a_nonce_of_the_other_kind_a_lane_that_is_not_there_and_other_bytes() {
    let chain = open_at(85);
    let gas_key = add_filled(&chain, 3, near(1));
    let next = lane_nonces(&chain, &gas_key)[0] + 1;
    let on = |lane| TransactionNonce::from_nonce_and_index(next, lane);
    let plain = TransactionNonce::from_nonce(next);
    let Action::DelegateV2(mut other) = signed_by(&chain, &gas_key, on(0)) else {
        panic!("not of version 2");
    };
    other.signature = gas_key.sign(b"other bytes");
    for (action, expected) in [
        (signed_by(&chain, &gas_key, plain), "RequiresNonGasKey"),
        (signed_by(&chain, &key(ALICE), on(0)), "RequiresGasKey"),
        (
            signed_by(&chain, &gas_key, on(3)),
            r#"{"nonce_index":3,"num_nonces":3}"#,
        ),
        (Action::DelegateV2(other), "DelegateActionInvalidSignature"),
    ] {
        let error = failure(&run(&chain, RELAYER, ALICE, vec![action]));
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn version_2_is_unknown_before_protocol_85_and_removed_from_87_on() {
    for version in [84, 87, 88] {
        let chain = open_at(version);
        let action = signed_by(&chain, &key(ALICE), TransactionNonce::from_nonce(1));
        let protocol_feature = "DelegateV2".to_owned();
        let expected = if version == 84 {
            ActionsValidationError::UnsupportedProtocolFeature {
                protocol_feature,
                version,
            }
        } else {
            ActionsValidationError::RemovedProtocolFeature {
                protocol_feature,
                version,
            }
        };
        assert_eq!(refused_actions(&chain, ALICE, vec![action]), expected);
    }
}
