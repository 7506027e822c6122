//! Finality, and heights without a block.

use super::*;

#[test]
fn final_is_two_blocks_behind_the_head_and_near_final_one() {
    let server = serve(node());
    let head = server.chain.produce_blocks(5).unwrap().height;
    assert_eq!(server.height("optimistic"), head);
    assert_eq!(server.height("near-final"), head - 1);
    assert_eq!(server.height("final"), head - 2);
    let header = server.block(json!({ "block_id": head }));
    let hash = |height: u64| server.block(json!({ "block_id": height }))["hash"].clone();
    assert_eq!(header["last_ds_final_block"], hash(head - 1));
    assert_eq!(header["last_final_block"], hash(head - 2));
}

#[test]
fn a_view_at_final_does_not_know_the_newest_write() {
    let server = serve(node());
    let chain = &server.chain;
    let amount = |finality: &str| {
        let params =
            json!({ "request_type": "view_account", "account_id": BOB, "finality": finality });
        server.rpc("query", params).unwrap().json()["result"]["amount"].clone()
    };
    let before = amount("final");
    server.send(&payment(chain), "NONE");
    chain.produce_blocks(2).unwrap();
    assert_ne!(amount("optimistic"), before);
    assert_eq!(amount("final"), before);
    chain.produce_blocks(2).unwrap();
    assert_eq!(amount("final"), amount("optimistic"));
}

#[test]
fn skipped_heights_have_no_block_and_delay_finality() {
    let server = serve(NetworkSettings {
        skip_rate: 0.4,
        ..node()
    });
    let head = server.chain.produce_blocks(60).unwrap().height;
    let mut skipped = 0;
    let mut previous: Vec<Value> = vec![];
    for height in GENESIS_HEIGHT..=head {
        let reply = server.rpc("block", json!({ "block_id": height })).unwrap();
        let header = reply.json()["result"]["header"].clone();
        if header.is_null() {
            assert_eq!(reply.status, 422);
            skipped += 1;
            continue;
        }
        // The rule of a block's header: a successor at the next height makes a block near-final, and two
        // in a row make it final.
        if let [.., before, prev] = previous.as_slice() {
            assert_eq!(header["prev_height"], prev["height"]);
            let next_to = |a: &Value, b: &Value| {
                a["height"].as_u64().unwrap() + 1 == b["height"].as_u64().unwrap()
            };
            let near_final = if next_to(prev, &header) {
                &prev["hash"]
            } else {
                &prev["last_ds_final_block"]
            };
            assert_eq!(header["last_ds_final_block"], *near_final, "{height}");
            let last_final = if next_to(prev, &header) && next_to(before, prev) {
                &before["hash"]
            } else {
                &prev["last_final_block"]
            };
            assert_eq!(header["last_final_block"], *last_final, "{height}");
        }
        previous.push(header);
    }
    assert!(skipped > 10, "{skipped}");
    let newest = previous.last().unwrap();
    let finalized = server.block(json!({ "finality": "final" }));
    assert_eq!(finalized["hash"], newest["last_final_block"]);
}

#[test]
fn the_same_seed_skips_the_same_heights() {
    let heights = |seed: u64| {
        let network = NetworkSettings {
            skip_rate: 0.3,
            seed: Some(seed),
            ..node()
        };
        let chain = Chain::open(ChainConfig {
            network,
            ..config()
        })
        .unwrap();
        (0..20)
            .map(|_| chain.produce_block().unwrap().height)
            .collect::<Vec<_>>()
    };
    assert_eq!(heights(1), heights(1));
    assert_ne!(heights(1), heights(2));
}
