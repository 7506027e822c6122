//! A wallet contract without keys, for which its members approve off chain (NEP-641): `w_resolve_auth` names the approvals
//! that the caller must resolve in turn.
#![allow(missing_docs, reason = "the method is that of the NEP")]

use near_sdk::{AccountId, PanicOnDefault, env, near, require};

#[near(contract_state)]
#[derive(PanicOnDefault)]
pub struct Multisig {
    members: Vec<AccountId>,
    /// How many members must approve.
    threshold: u32,
}

/// What the wallet calls an authorization: JSON of what is approved, and of who approves it how.
#[near(serializers = [json])]
pub struct Approvals {
    payload: String,
    approvals: Vec<Approval>,
}

#[near(serializers = [json])]
pub struct Approval {
    account_id: AccountId,
    authorization: String,
}

#[near(serializers = [json])]
pub struct Resolution {
    payload: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pending: Vec<Pending>,
}

#[near(serializers = [json])]
pub struct Pending {
    account_id: AccountId,
    authorization: String,
    expect: String,
}

#[near]
impl Multisig {
    #[init]
    pub fn new(members: Vec<AccountId>, threshold: u32) -> Self {
        Self { members, threshold }
    }

    /// A member approves the payload with this account's name and depth in front.
    pub fn w_resolve_auth(&self, path: Vec<AccountId>, authorization: String) -> Resolution {
        let Ok(Approvals { payload, approvals }) = near_sdk::serde_json::from_str(&authorization)
        else {
            env::panic_str("the authorization is no list of approvals")
        };
        require!(
            approvals.len() >= self.threshold as usize,
            "too few members approve"
        );
        for (index, Approval { account_id, .. }) in approvals.iter().enumerate() {
            require!(
                self.members.contains(account_id),
                "an approval is no member's"
            );
            require!(
                approvals
                    .iter()
                    .take(index)
                    .all(|earlier| earlier.account_id != *account_id),
                "a member approves twice"
            );
        }
        let depth = path.len();
        let expect = format!("{}/{depth}: {payload}", env::current_account_id());
        let pending = approvals
            .into_iter()
            .map(
                |Approval {
                     account_id,
                     authorization,
                 }| Pending {
                    account_id,
                    authorization,
                    expect: expect.clone(),
                },
            )
            .collect();
        Resolution { payload, pending }
    }
}
