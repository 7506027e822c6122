//! The explorer's pages: their content, and that no contract can inject markup.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod common;

use common::server::{Reply, Server};
use common::*;
use latchkey_devnet::rpc::FaultSettings;
use near_primitives::hash::hash;
use near_primitives::types::Balance;
use serde_json::json;

fn page(server: &Server, path: &str) -> Reply {
    let page = server.get(path);
    assert!(
        page.head.contains("content-type: text/html; charset=utf-8"),
        "{}",
        page.head
    );
    assert!(page.head.contains("default-src 'none'"), "{}", page.head);
    assert!(
        page.head.contains("x-content-type-options: nosniff"),
        "{}",
        page.head
    );
    assert!(!page.body.contains("<script"), "{path}");
    page
}

fn has(page: &Reply, parts: &[&str]) {
    for part in parts {
        assert!(page.body.contains(part), "no {part} in\n{}", page.body);
    }
}

#[test]
fn a_transactions_page_shows_its_actions_receipts_logs_gas_and_balances() {
    let server = Server::start();
    let chain = &server.chain;
    deploy_test_contract(chain, ALICE);
    deploy_test_contract(chain, BOB);
    let actions = vec![
        call_with("set", br#"{"name":"x"}"#, 30, near(1)),
        call("echo", b"hi"),
    ];
    let outcome = run(chain, ALICE, BOB, actions);
    let hash = outcome.transaction.hash;
    let shown = page(&server, &format!("/transactions/{hash}"));
    assert_eq!(shown.status, 200);
    let refund = outcome.receipts_outcome[1].id.to_string();
    has(
        &shown,
        &[
            &hash.to_string(),
            "<span class=\"good\">Success</span>",
            "<a href=\"/address/alice.testnet\">alice.testnet</a>",
            "<a href=\"/address/bob.testnet\">bob.testnet</a>",
            "Call <code>set</code> with 30.0 Tgas and 1 NEAR",
            // The indented JSON.
            "{\n  &quot;name&quot;: &quot;x&quot;\n}",
            "<dt>Logs</dt><dd><pre>hello</pre></dd>",
            "<dt>Result</dt><dd><pre>hi</pre></dd>",
            "Tgas, ",
            "Refund → <a href=\"/address/alice.testnet\">",
            &refund,
            "<h2>Balances now</h2>",
            &balance(chain, BOB).exact_amount_display(),
            &balance(chain, ALICE).exact_amount_display(),
            &outcome.transaction.public_key.to_string(),
            " UTC</span>",
        ],
    );
    assert!(
        !shown.body.contains("http-equiv"),
        "a settled page does not reload"
    );
}

#[test]
fn failures_and_receipts_to_the_signer_itself_are_shown_in_full() {
    let server = Server::start();
    let chain = &server.chain;
    deploy_test_contract(chain, ALICE);
    let outcome = run(chain, ALICE, ALICE, vec![call("fail", b"why")]);
    let shown = page(
        &server,
        &format!("/transactions/{}", outcome.transaction.hash),
    );
    has(
        &shown,
        &[
            "<span class=\"bad\">Failure</span>",
            "Smart contract panicked: boom",
            "alice.testnet</a> → <a href=\"/address/alice.testnet\">",
        ],
    );
    // Once in the transaction and once in its receipt.
    assert_eq!(shown.body.matches("Call <code>fail</code>").count(), 2);
}

#[test]
fn pending_running_and_refused_transactions_say_so() {
    let server = Server::start();
    let chain = &server.chain;
    let waits = sign(chain, ALICE, BOB, vec![transfer(near(1))]);
    let path = format!("/transactions/{}", waits.get_hash());
    let rival = sign(chain, ALICE, BOB, vec![transfer(near(2))]);
    has(
        &page(&server, &path),
        &["Unknown transaction", "This chain has not seen it."],
    );
    chain.submit(waits).unwrap();
    has(
        &page(&server, &path),
        &["It waits for the next block.", "http-equiv=\"refresh\""],
    );
    chain.submit(rival.clone()).unwrap();
    chain.produce_block().unwrap();

    let other = format!("/transactions/{}", rival.get_hash());
    let (taken, refused) = if page(&server, &path).body.contains("Refused") {
        (other, path)
    } else {
        (path, other)
    };
    has(
        &page(&server, &taken),
        &["Under way", "More are under way.", "http-equiv=\"refresh\""],
    );
    has(&page(&server, &refused), &["Refused: ", "nonce"]);
    chain.settle().unwrap();
    has(
        &page(&server, &taken),
        &["<span class=\"good\">Success</span>"],
    );
}

#[test]
fn logs_and_arguments_never_become_markup() {
    let server = Server::start();
    let chain = &server.chain;
    deploy_test_contract(chain, BOB);
    let hostile = "</pre><script>alert(1)</script><img src=x onerror=\"alert('2')\">&amp;";
    let hidden = "good\u{202e}dab\u{200b}\u{61c}\u{7}";
    let outcome = run(
        chain,
        ALICE,
        BOB,
        vec![
            call("shout", hostile.as_bytes()),
            call("shout", hidden.as_bytes()),
        ],
    );
    let shown = page(
        &server,
        &format!("/transactions/{}", outcome.transaction.hash),
    );
    assert!(!shown.body.contains("<img"));
    let escaped = "&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x \
                   onerror=&quot;alert(&#39;2&#39;)&quot;&gt;&amp;amp;";
    // As an argument in the transaction, in its receipt, and as a log.
    assert_eq!(shown.body.matches(escaped).count(), 3);
    has(&shown, &["good\\u{202e}dab\\u{200b}\\u{61c}\\u{7}"]);
    assert!(!shown.body.contains('\u{202e}'));

    let binary = run(chain, ALICE, BOB, vec![call("echo", &[0xff; 300])]);
    let shown = page(
        &server,
        &format!("/transactions/{}", binary.transaction.hash),
    );
    has(&shown, &["300 bytes that are no text"]);
}

#[test]
fn json_is_indented_and_otherwise_shown_as_sent() {
    let server = Server::start();
    let chain = &server.chain;
    deploy_test_contract(chain, BOB);
    let sent = r#"{"z": 123456789012345678901234567890,"a":[ ],"a":[1,{}],"s":"\\\"{, :"}"#;
    let laid_out = [
        "{",
        r#"  "z": 123456789012345678901234567890,"#,
        r#"  "a": [],"#,
        r#"  "a": ["#,
        "    1,",
        "    {}",
        "  ],",
        r#"  "s": "\\\"{, :""#,
        "}",
    ]
    .join("\n")
    .replace('"', "&quot;");
    let outcome = run(chain, ALICE, BOB, vec![call("echo", sent.as_bytes())]);
    let path = format!("/transactions/{}", outcome.transaction.hash);
    has(&page(&server, &path), &[&format!("<pre>{laid_out}</pre>")]);

    // Brackets alone cannot fill a page.
    let deep = format!("{}{}", "[".repeat(1_999), "]".repeat(1_999));
    let outcome = run(chain, ALICE, BOB, vec![call("echo", deep.as_bytes())]);
    let path = format!("/transactions/{}", outcome.transaction.hash);
    assert!(page(&server, &path).body.len() < 1_000_000);
}

#[test]
fn an_accounts_page_shows_its_balance_contract_keys_and_transactions() {
    let server = Server::start();
    let chain = &server.chain;
    deploy_test_contract(chain, ALICE);
    let limited = key("limited");
    let allowance = Some(Balance::from_millinear(250));
    let added = add_call_key(&limited, BOB, &["echo", "set"], allowance);
    value(&run(chain, ALICE, ALICE, vec![added]));
    let failed = run(chain, BOB, ALICE, vec![call("fail", b"")]);
    let shown = page(&server, "/address/alice.testnet");
    has(
        &shown,
        &[
            &balance(chain, ALICE).exact_amount_display(),
            &format!(
                "{} bytes",
                chain.view_account(&id(ALICE)).unwrap().storage_usage
            ),
            &hash(&test_contract()).to_string(),
            &key(ALICE).public_key().to_string(),
            "full access",
            &limited.public_key().to_string(),
            "may call echo, set of <a href=\"/address/bob.testnet\">bob.testnet</a>, 0.25 NEAR of allowance left",
            &format!("/transactions/{}", failed.transaction.hash),
            "call <code>fail</code></span><span class=\"bad\">Failure</span>",
            "add key</span><span class=\"good\">Success</span>",
        ],
    );
    // Newest first.
    let places: Vec<_> = ["call <code>fail", "add key", ": deploy"]
        .map(|part| shown.body.find(part).unwrap())
        .into();
    assert!(places.is_sorted(), "{places:?}");

    has(&page(&server, "/address/testnet"), &["None yet."]);
    value(&run(chain, BOB, BOB, vec![delete_key(&key(BOB))]));
    has(
        &page(&server, "/address/bob.testnet"),
        &["None: nobody can sign for it."],
    );
}

#[test]
fn an_account_lists_once_a_transaction_that_reached_it_through_others() {
    let server = Server::start();
    let chain = &server.chain;
    deploy_test_contract(chain, ALICE);
    deploy_test_contract(chain, BOB);
    let outcome = run(
        chain,
        "relayer.testnet",
        ALICE,
        vec![call("call_then", b"echo")],
    );
    let link = format!("/transactions/{}", outcome.transaction.hash);
    for name in ["relayer.testnet", ALICE, BOB] {
        let shown = page(&server, &format!("/address/{name}"));
        assert_eq!(shown.body.matches(&link).count(), 1, "{name}");
    }
    // The callback of a yield runs many blocks later.
    let waits = sign(chain, "relayer.testnet", ALICE, vec![call("wait", b"")]);
    let link = format!("/transactions/{}", chain.submit(waits).unwrap());
    chain.settle().unwrap();
    value(&run(chain, BOB, ALICE, vec![call("resume", b"data")]));
    chain.settle().unwrap();
    let shown = page(&server, "/address/alice.testnet");
    assert_eq!(shown.body.matches(&link).count(), 1);
    let nobody = page(&server, "/address/testnet");
    has(&nobody, &["None yet."]);
}

#[test]
fn the_first_page_leads_to_every_account() {
    let server = Server::start();
    let shown = page(&server, "/");
    for name in ["testnet", "w3a-v1.testnet", "relayer.testnet", ALICE, BOB] {
        has(
            &shown,
            &[&format!("<a href=\"/address/{name}\">{name}</a>")],
        );
    }
    has(
        &shown,
        &[&server.chain.head().height.to_string(), "100 NEAR"],
    );
}

#[test]
fn the_first_page_says_when_its_list_is_incomplete() {
    // The tests' two accounts and the three of every chain.
    for (more, is_cut) in [(45, false), (46, true)] {
        let mut config = config();
        for index in 0..more {
            let name = format!("a{index}.testnet");
            config.genesis = config.genesis.with_account(id(&name), near(1));
        }
        let server = Server::with(config, FaultSettings::default());
        let shown = page(&server, "/");
        assert_eq!(shown.body.matches("class=\"row\"").count(), 50);
        assert_eq!(shown.body.contains("There are more."), is_cut);
    }
}

#[test]
fn unknown_and_impossible_names_are_404_pages() {
    let server = Server::start();
    let unknown = format!("/transactions/{}", hash(b"none"));
    for (path, said) in [
        (unknown.as_str(), "This chain has not seen it."),
        ("/transactions/nonsense", "An id is 32 bytes in base58."),
        ("/transactions/%3Cscript%3E", "An id is 32 bytes in base58."),
        ("/address/no.testnet", "This chain has no such account."),
        ("/address/NOT%20AN%20ID", "No account can have this name."),
        (
            "/address/%3Cimg%20src=x%3E",
            "No account can have this name.",
        ),
    ] {
        let shown = page(&server, path);
        assert_eq!(shown.status, 404, "{path}");
        has(&shown, &[said]);
        assert!(!shown.body.contains("<img"), "{path}");
    }
}

#[test]
fn faults_leave_the_pages_alone() {
    let server = Server::start();
    let all = json!({ "refuseRate": 1 }).to_string();
    assert_eq!(
        server
            .request("PUT", "/admin/faults", "", &all)
            .unwrap()
            .status,
        200
    );
    assert_eq!(page(&server, "/").status, 200);
}
