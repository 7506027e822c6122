//! A registry that has been in use, whose content an upgrade must preserve.

use latchkey_devnet::{REGISTRY, development_key};
use latchkey_webauthn::testing::SoftAuthenticator;
use near_crypto::PublicKey;
use serde_json::{Value, json};

use crate::{Edit, Method, Passkey, RELAYER, World};

/// The passkeys of that registry.
pub struct Settlers {
    /// Alice's two passkeys: the first signs with ES256, the second with EdDSA.
    pub alice: [Passkey; 2],
    /// Bob's passkey, which signs with RS256, at its own origin only.
    pub bob: Passkey,
    /// The passkey of an account that existed before it joined, with two origins.
    pub joiner: Passkey,
    /// The key of a device that is being linked to Alice.
    pub device_key: PublicKey,
}

impl Settlers {
    /// The greeting that they set.
    pub const GREETING: &str = "we were here first";

    /// The same passkeys in every run.
    #[must_use]
    pub fn new() -> Self {
        let alice = "alice.w3a-v1.testnet";
        Self {
            alice: [
                Passkey::new(alice),
                Passkey::with(alice, SoftAuthenticator::ed25519(b"second")),
            ],
            bob: Passkey::with("bob.w3a-v1.testnet", SoftAuthenticator::rs256(b"rs256")),
            joiner: Passkey::new("testnet"),
            device_key: development_key("a third device").public_key(),
        }
    }

    /// Fills a new registry with them.
    pub fn settle(&self, world: &World) {
        self.register(world);
        let by_owner = |method: &str, args: Value| world.expect(REGISTRY, method, &args);
        by_owner("add_admin", json!({"account_id": RELAYER}));
        by_owner(
            "set_allowed_origins",
            json!({"origins": ["https://b.example", "https://a.example"]}),
        );
        by_owner(
            "add_allowed_host",
            json!({"origin": "http://127.0.0.1:5173"}),
        );
        by_owner("set_greeting", json!({"greeting": Self::GREETING}));
        let settings =
            json!({"max_block_age": 20, "enabled": true, "max_authenticators_per_account": 3});
        by_owner("set_vrf_settings", json!({"settings": settings}));
        by_owner("transfer_ownership", json!({"new_owner": "testnet"}));

        world.store_mapping(&self.alice[0].account, &self.device_key);
    }

    fn register(&self, world: &World) {
        let [alice, second] = &self.alice;
        world.register(alice);
        world.fund(&alice.account);
        world.link(second, 2);
        let single = Edit::Sent(|args| {
            args["authenticator_options"] = json!({"origin_policy": {"single": true}});
        });
        let multiple = Edit::Sent(|args| {
            let origins = [Passkey::ORIGIN, "https://app.example"];
            args["authenticator_options"] =
                json!({"user_verification": "required", "origin_policy": {"multiple": origins}});
        });
        let bob = self.bob.registration(&world.chain.head(), single);
        world.expect_verified(RELAYER, Method::Register, &bob);
        let joiner = self.joiner.linking(&world.chain.head(), 1, multiple);
        world.expect_verified("testnet", Method::Link, &joiner);
    }
}

impl Default for Settlers {
    fn default() -> Self {
        Self::new()
    }
}
