//! The two lists of origins: each rule of their form (host-surfaces.md, section 5), and who maintains
//! them.

use latchkey_contract_tests::{RELAYER, World, at_each_protocol};
use latchkey_devnet::REGISTRY;
use near_primitives::types::Gas;
use serde_json::{Value, json};

use crate::administration::assert_ends;

at_each_protocol![
    the_scheme_is_https_or_http_on_this_machine,
    an_origin_is_stored_in_lower_case,
    a_default_port_is_left_out,
    a_port_is_from_1_to_65535,
    nothing_follows_the_port,
    wildcards_spaces_and_user_names_are_refused,
    a_host_has_letters_digits_dots_and_hyphens,
    a_host_begins_and_ends_with_a_letter_or_digit,
    an_origin_has_at_most_255_characters,
    a_list_holds_an_origin_once_and_sorted,
    a_list_holds_5000_origins_and_no_more,
    the_lists_are_independent,
    only_admins_change_a_list_and_everyone_sees_it,
];

/// The nouns in the names of the lists' methods.
const NOUNS: [&str; 2] = ["origin", "host"];

fn listed(world: &World, noun: &str) -> Value {
    world
        .view(&format!("get_allowed_{noun}s"), &json!({}))
        .value
}

/// Asserts that both lists accept these and store them in this form.
#[track_caller]
fn takes(version: u32, origins: &[(&str, &str)]) {
    let world = World::open(version);
    for noun in NOUNS {
        let [add, remove] = ["add", "remove"].map(|verb| format!("{verb}_allowed_{noun}"));
        for (given, kept) in origins {
            let change = |method: &str, origin: &str| {
                world.expect(REGISTRY, method, &json!({"origin": origin}))
            };
            assert_eq!(change(&add, given), true, "{given}");
            assert_eq!(change(&add, kept), false, "{given}");
            assert_eq!(listed(&world, noun), json!([kept]), "{given}");
            assert_eq!(change(&remove, given), true, "{given}");
            assert_eq!(change(&remove, kept), false, "{given}");
        }
    }
}

/// Asserts that no method of either list accepts any of these.
#[track_caller]
fn refuses(version: u32, origins: &[&str]) {
    let world = World::open(version);
    for noun in NOUNS {
        for origin in origins {
            for verb in ["add", "remove"] {
                let method = format!("{verb}_allowed_{noun}");
                let args = json!({"origin": origin});
                assert_ends(&world, REGISTRY, &method, &args, "not an origin");
            }
            let args = json!({"origins": ["https://a.example", origin]});
            let method = format!("set_allowed_{noun}s");
            assert_ends(&world, REGISTRY, &method, &args, "not an origin");
        }
    }
}

fn the_scheme_is_https_or_http_on_this_machine(version: u32) {
    let same = |origin| (origin, origin);
    takes(
        version,
        &[
            "https://a.example",
            "http://localhost:5173",
            "http://app.localhost",
            "http://127.0.0.1:5173",
            "https://localhost",
        ]
        .map(same),
    );
    refuses(
        version,
        &[
            "",
            "null",
            "a.example",
            "https://",
            "https:/a.example",
            "//a.example",
            "ftp://a.example",
            "http://a.example",
            "http://127.0.0.2",
            "http://localhost.example",
            "http://127.0.0.1.example",
            "http://notlocalhost",
        ],
    );
}

fn an_origin_is_stored_in_lower_case(version: u32) {
    takes(
        version,
        &[
            ("https://B.Example", "https://b.example"),
            ("HTTPS://b.example", "https://b.example"),
            ("HTTP://LocalHost:5173", "http://localhost:5173"),
        ],
    );
}

fn a_default_port_is_left_out(version: u32) {
    takes(
        version,
        &[
            ("https://c.example:443", "https://c.example"),
            ("https://c.example:80", "https://c.example:80"),
            ("http://127.0.0.1:80", "http://127.0.0.1"),
            ("http://localhost:443", "http://localhost:443"),
            ("https://c.example:00443", "https://c.example"),
        ],
    );
}

fn a_port_is_from_1_to_65535(version: u32) {
    takes(
        version,
        &[
            ("https://a.example:1", "https://a.example:1"),
            ("https://a.example:08", "https://a.example:8"),
            ("https://a.example:65535", "https://a.example:65535"),
        ],
    );
    refuses(
        version,
        &[
            "https://a.example:0",
            "https://a.example:65536",
            "https://a.example:",
            "https://a.example:+1",
            "https://a.example:0x50",
            "https://a.example:http",
            "https://a.example:1:2",
        ],
    );
}

fn nothing_follows_the_port(version: u32) {
    refuses(
        version,
        &[
            "https://a.example/",
            "https://a.example/path",
            "https://a.example:8443/",
            "https://a.example?q",
            "https://a.example#f",
        ],
    );
}

fn wildcards_spaces_and_user_names_are_refused(version: u32) {
    refuses(
        version,
        &[
            "*",
            "https://*",
            "https://*.example",
            "https://a b",
            " https://a.example",
            "https://a.example ",
            "https://a.example\n",
            "https://user@a.example",
            "https://user:1@a.example",
        ],
    );
}

fn a_host_has_letters_digits_dots_and_hyphens(version: u32) {
    let same = |origin| (origin, origin);
    takes(
        version,
        &[
            "https://xn--bcher-kva.example",
            "https://a-1.2b.example",
            "https://1.example",
        ]
        .map(same),
    );
    refuses(
        version,
        &[
            "https://a_b.example",
            "https://b\u{fc}cher.example",
            "https://a%2eexample",
            "https://[::1]",
            "https://10.0.0.1",
            "https://0x1f",
        ],
    );
}

fn a_host_begins_and_ends_with_a_letter_or_digit(version: u32) {
    refuses(
        version,
        &[
            "https://.a.example",
            "https://a.example.",
            "https://-a.example",
            "https://a.example-",
            "https://a-.example",
            "https://a.-b.example",
            "https://a..example",
        ],
    );
}

fn an_origin_has_at_most_255_characters(version: u32) {
    // A label has at most 63 characters.
    let label = "a".repeat(63);
    let host = |rest: usize| format!("https://{label}.{label}.{label}.{}", "a".repeat(rest));
    let longest = host(55);
    assert_eq!(longest.len(), 255);
    takes(version, &[(&longest, &longest)]);
    refuses(version, &[&host(56), &format!("https://{label}a.example")]);
}

fn a_list_holds_an_origin_once_and_sorted(version: u32) {
    let world = World::open(version);
    for noun in NOUNS {
        let origins =
            json!({"origins": ["https://b.example", "https://A.example", "https://b.example:443"]});
        let set = format!("set_allowed_{noun}s");
        assert_eq!(world.expect(REGISTRY, &set, &origins), true);
        assert_eq!(
            listed(&world, noun),
            json!(["https://a.example", "https://b.example"])
        );
        assert_eq!(world.expect(REGISTRY, &set, &json!({"origins": []})), true);
        assert_eq!(listed(&world, noun), json!([]));
    }
}

fn a_list_holds_5000_origins_and_no_more(version: u32) {
    let world = World::open(version);
    let origins = |count: usize| -> Vec<String> {
        (0..count)
            .map(|n| format!("https://a{n:05}.example"))
            .collect()
    };
    let replace = |count: usize| {
        let args = json!({"origins": origins(count)});
        let gas = Gas::from_teragas(300);
        world.run(world.sign_with_gas(REGISTRY, "set_allowed_origins", &args, 1, gas))
    };
    assert_eq!(replace(5_000).result, Ok(json!(true)));
    assert_eq!(listed(&world, "origin"), json!(origins(5_000)));
    let one_more = json!({"origin": "https://one-more.example"});
    let add = "add_allowed_origin";
    assert_ends(&world, REGISTRY, add, &one_more, "at most 5000");
    let failure = replace(5_001).result.unwrap_err();
    assert!(failure.contains("at most 5000"), "{failure}");
}

fn the_lists_are_independent(version: u32) {
    for (noun, other) in [("origin", "host"), ("host", "origin")] {
        let world = World::open(version);
        let origin = json!({"origin": "https://a.example"});
        world.expect(REGISTRY, &format!("add_allowed_{noun}"), &origin);
        assert_eq!(listed(&world, other), json!([]));
    }
}

fn only_admins_change_a_list_and_everyone_sees_it(version: u32) {
    let world = World::open(version);
    for noun in NOUNS {
        for (method, args) in [
            (
                format!("add_allowed_{noun}"),
                json!({"origin": "https://c.example"}),
            ),
            (
                format!("remove_allowed_{noun}"),
                json!({"origin": "https://a.example"}),
            ),
            (format!("set_allowed_{noun}s"), json!({"origins": []})),
        ] {
            assert_ends(&world, RELAYER, &method, &args, "only an admin");
        }
    }
    world.expect(REGISTRY, "add_admin", &json!({"account_id": RELAYER}));
    for noun in NOUNS {
        let add = format!("add_allowed_{noun}");
        world.expect(RELAYER, &add, &json!({"origin": "https://c.example"}));
        assert_eq!(listed(&world, noun), json!(["https://c.example"]));
    }
}
