//! Where a ceremony may run and which page may embed it: each rule, with each verifying method.

use latchkey_contract_tests::{Edit, Method, Passkey, RELAYER, World, at_each_protocol};
use latchkey_devnet::REGISTRY;
use serde_json::{Value, json};

use crate::{ALICE, BOB, CAROL, ceremony, with_alice};

at_each_protocol![
    a_page_that_is_not_embedded_passes,
    an_unnamed_top_page_passes,
    any_page_may_embed_while_no_host_is_listed,
    an_allowed_host_may_embed_and_a_removed_one_may_not,
    an_allowed_origin_may_embed,
    the_site_s_own_subdomain_may_embed,
    a_top_page_without_embedding_is_refused,
    a_top_page_is_compared_as_an_origin,
    an_allowed_host_may_not_run_a_ceremony_s73,
    an_allowed_origin_may_run_a_ceremony_s73,
    the_default_policy_admits_the_site_and_its_subdomains_on_any_port,
    the_policy_single_admits_only_its_origin,
    the_policy_multiple_admits_only_its_origins,
];

const STRANGER: &str = "top origin is not allowed";
const HOST: &str = "https://host.example";

/// A host's page embeds the wallet in a frame.
const EMBEDDED: Edit = Edit::Ceremony(|ceremony| {
    ceremony.cross_origin = Some(true);
    ceremony.top_origin = Some(HOST.to_owned());
});

/// A new world with these list entries.
fn world_with(version: u32, lists: &[(&str, &str)]) -> World {
    let world = with_alice(version);
    for (method, origin) in lists {
        world.expect(REGISTRY, method, &json!({"origin": origin}));
    }
    world
}

#[track_caller]
fn every_method_accepts(version: u32, lists: &[(&str, &str)], edit: Edit) {
    let world = world_with(version, lists);
    for method in Method::ALL {
        let (signer, args) = ceremony(&world, method, edit);
        world.expect_verified(signer, method, &args);
    }
}

#[track_caller]
fn every_method_refuses(version: u32, lists: &[(&str, &str)], edit: Edit, reason: &str) {
    let world = world_with(version, lists);
    for method in Method::ALL {
        let (signer, args) = ceremony(&world, method, edit);
        world.expect_refused(signer, method, &args, reason);
    }
}

fn a_page_that_is_not_embedded_passes(version: u32) {
    for edit in [
        Edit::Ceremony(|ceremony| ceremony.cross_origin = Some(false)),
        Edit::Ceremony(|ceremony| ceremony.cross_origin = None),
    ] {
        every_method_accepts(version, &[], edit);
    }
}

/// If the browser does not name the top page, the wallet must judge it.
fn an_unnamed_top_page_passes(version: u32) {
    let unnamed = Edit::Ceremony(|ceremony| ceremony.cross_origin = Some(true));
    every_method_accepts(version, &[], unnamed);
}

/// The wallet's operator judges the page: a registry without a list cannot know the hosts of every wallet.
fn any_page_may_embed_while_no_host_is_listed(version: u32) {
    every_method_accepts(version, &[], EMBEDDED);
    let added = ("add_allowed_host", HOST);
    let removed = ("remove_allowed_host", HOST);
    every_method_accepts(version, &[added, removed], EMBEDDED);
}

fn an_allowed_host_may_embed_and_a_removed_one_may_not(version: u32) {
    let other = ("add_allowed_host", "https://other.example");
    let added = ("add_allowed_host", HOST);
    let removed = ("remove_allowed_host", HOST);
    every_method_refuses(version, &[other], EMBEDDED, STRANGER);
    every_method_accepts(version, &[other, added], EMBEDDED);
    every_method_refuses(version, &[other, added, removed], EMBEDDED, STRANGER);
}

fn an_allowed_origin_may_embed(version: u32) {
    let other = ("add_allowed_host", "https://other.example");
    every_method_accepts(version, &[other, ("add_allowed_origin", HOST)], EMBEDDED);
}

fn the_site_s_own_subdomain_may_embed(version: u32) {
    let by_subdomain = Edit::Ceremony(|ceremony| {
        ceremony.cross_origin = Some(true);
        ceremony.top_origin = Some("https://app.wallet.example:8443".to_owned());
    });
    let other = ("add_allowed_host", "https://other.example");
    every_method_accepts(version, &[other], by_subdomain);
}

fn a_top_page_without_embedding_is_refused(version: u32) {
    for edit in [
        Edit::Ceremony(|ceremony| {
            ceremony.cross_origin = Some(false);
            ceremony.top_origin = Some(HOST.to_owned());
        }),
        Edit::Ceremony(|ceremony| {
            ceremony.cross_origin = None;
            ceremony.top_origin = Some(HOST.to_owned());
        }),
    ] {
        // Not even a page that may embed, because no browser reports this.
        let lists = [("add_allowed_host", HOST)];
        every_method_refuses(version, &lists, edit, "client data is malformed");
    }
}

fn a_top_page_is_compared_as_an_origin(version: u32) {
    let host = ("add_allowed_host", "http://127.0.0.1:5173");
    let by_address = Edit::Ceremony(|ceremony| {
        ceremony.cross_origin = Some(true);
        ceremony.top_origin = Some("HTTP://127.0.0.1:5173".to_owned());
    });
    every_method_accepts(version, &[host], by_address);
    let other_port = Edit::Ceremony(|ceremony| {
        ceremony.cross_origin = Some(true);
        ceremony.top_origin = Some("http://127.0.0.1:5174".to_owned());
    });
    every_method_refuses(version, &[host], other_port, STRANGER);
    let subdomain = Edit::Ceremony(|ceremony| {
        ceremony.cross_origin = Some(true);
        ceremony.top_origin = Some("https://app.host.example".to_owned());
    });
    let host = ("add_allowed_host", HOST);
    every_method_refuses(version, &[host], subdomain, STRANGER);
}

fn an_allowed_host_may_not_run_a_ceremony_s73(version: u32) {
    let at_host = Edit::Ceremony(|ceremony| ceremony.origin = HOST.to_owned());
    let lists = [("add_allowed_host", HOST)];
    every_method_refuses(version, &lists, at_host, "the origin is not allowed");
}

fn an_allowed_origin_may_run_a_ceremony_s73(version: u32) {
    let elsewhere = Edit::Ceremony(|ceremony| ceremony.origin = HOST.to_owned());
    every_method_refuses(version, &[], elsewhere, "the origin is not allowed");
    let lists = [("add_allowed_origin", HOST)];
    every_method_accepts(version, &lists, elsewhere);
}

/// The policy's boundary: asserts for each origin whether a registered passkey may be used there.
#[track_caller]
fn admits(world: &World, account: &str, at: &[(Edit, bool)]) {
    let passkey = Passkey::new(account);
    for (edit, admitted) in at {
        let args = passkey.authentication(&world.chain.head(), *edit);
        if *admitted {
            world.expect_verified(RELAYER, Method::Authenticate, &args);
        } else {
            let reason = "the origin is not allowed";
            world.expect_refused(RELAYER, Method::Authenticate, &args, reason);
        }
    }
}

/// Registers an account with a policy and returns the stored policy.
fn kept_policy(world: &World, account: &str, asked: Edit) -> Value {
    let args = Passkey::new(account).registration(&world.chain.head(), asked);
    world.expect_verified(RELAYER, Method::Register, &args);
    let user = json!({"user_id": account});
    world.view("get_authenticators_by_user", &user).value[0][1]["origin_policy"].clone()
}

const AT_SUBDOMAIN: Edit =
    Edit::Ceremony(|ceremony| ceremony.origin = "https://app.wallet.example".to_owned());
const AT_PORT: Edit =
    Edit::Ceremony(|ceremony| ceremony.origin = "https://wallet.example:8443".to_owned());
const AT_LOOK_ALIKE: Edit =
    Edit::Ceremony(|ceremony| ceremony.origin = "https://appwallet.example".to_owned());
const AT_APP: Edit = Edit::Ceremony(|ceremony| ceremony.origin = "https://app.example".to_owned());
const AT_LISTED: Edit = Edit::Ceremony(|ceremony| ceremony.origin = HOST.to_owned());

fn the_default_policy_admits_the_site_and_its_subdomains_on_any_port(version: u32) {
    let world = World::open(version);
    let unasked = Edit::Sent(|args| args["authenticator_options"] = Value::Null);
    let policy = kept_policy(&world, ALICE, unasked);
    assert_eq!(policy, json!({"all_subdomains": true}));
    admits(
        &world,
        ALICE,
        &[
            (Edit::None, true),
            (AT_SUBDOMAIN, true),
            (AT_PORT, true),
            (AT_LOOK_ALIKE, false),
            (AT_APP, false),
        ],
    );
}

fn the_policy_single_admits_only_its_origin(version: u32) {
    let world = World::open(version);
    world.expect(REGISTRY, "add_allowed_origin", &json!({"origin": HOST}));
    let single = Edit::Sent(|args| {
        args["authenticator_options"] = json!({"origin_policy": {"single": true}});
    });
    let policy = kept_policy(&world, BOB, single);
    assert_eq!(policy, json!({"single": Passkey::ORIGIN}));
    let rim = [
        (Edit::None, true),
        (AT_SUBDOMAIN, false),
        (AT_PORT, false),
        (AT_LISTED, false),
    ];
    admits(&world, BOB, &rim);
}

fn the_policy_multiple_admits_only_its_origins(version: u32) {
    let world = World::open(version);
    world.expect(REGISTRY, "add_allowed_origin", &json!({"origin": HOST}));
    let multiple = Edit::Sent(|args| {
        let origins = ["https://App.example:443", Passkey::ORIGIN];
        args["authenticator_options"] = json!({"origin_policy": {"multiple": origins}});
    });
    let policy = kept_policy(&world, CAROL, multiple);
    assert_eq!(
        policy,
        json!({"multiple": ["https://app.example", Passkey::ORIGIN]})
    );
    let rim = [
        (Edit::None, true),
        (AT_APP, true),
        (AT_SUBDOMAIN, false),
        (AT_LISTED, false),
    ];
    admits(&world, CAROL, &rim);
}
