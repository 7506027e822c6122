//! Describes actions, keys, amounts, times and bytes in HTML.

use near_primitives::action::delegate::VersionedDelegateActionRef;
use near_primitives::types::{Balance, NonceIndex};
use near_primitives::universal_state_init::state_init_counts;
use near_primitives::views::{
    AccessKeyPermissionView, AccessKeyView, ActionView, FinalExecutionStatus,
    GlobalContractIdentifierView,
};

use super::html::{account, code, text};
use crate::block::Block;

/// The most bytes of arguments and results shown in full.
const SHOWN: usize = 4_000;
/// The deepest indentation of JSON, so that brackets alone do not fill a page.
const MAX_INDENT: usize = 20;

/// Each action on a line of its own.
pub(super) fn actions(list: &[ActionView]) -> String {
    list.iter()
        .map(|action| format!("<div>{}</div>", describe(action)))
        .collect()
}

/// All actions in a few words.
pub(super) fn summary(list: &[ActionView]) -> String {
    let words: Vec<String> = list
        .iter()
        .map(|action| match action {
            ActionView::CreateAccount => "create account".to_owned(),
            ActionView::DeployContract { .. } => "deploy".to_owned(),
            ActionView::FunctionCall { method_name, .. } => format!("call {}", code(method_name)),
            ActionView::Transfer { deposit } => format!("transfer {}", near(*deposit)),
            ActionView::Stake { stake, .. } => format!("stake {}", near(*stake)),
            ActionView::AddKey { .. } => "add key".to_owned(),
            ActionView::DeleteKey { .. } => "delete key".to_owned(),
            ActionView::DeleteAccount { .. } => "delete account".to_owned(),
            ActionView::Delegate { .. } | ActionView::DelegateV2 { .. } => "delegate".to_owned(),
            ActionView::DeployGlobalContract { .. }
            | ActionView::DeployGlobalContractByAccountId { .. } => {
                "deploy global contract".to_owned()
            }
            ActionView::UseGlobalContract { .. }
            | ActionView::UseGlobalContractByAccountId { .. } => "use global contract".to_owned(),
            ActionView::DeterministicStateInit { .. } | ActionView::UniversalStateInit { .. } => {
                "initialise".to_owned()
            }
            ActionView::TransferToGasKey { .. } => "fill gas key".to_owned(),
            ActionView::WithdrawFromGasKey { .. } => "withdraw from gas key".to_owned(),
        })
        .collect();
    words.join(", ")
}

fn describe(action: &ActionView) -> String {
    match action {
        ActionView::CreateAccount => "Create the account".to_owned(),
        // The view's `code` field holds the code's hash.
        ActionView::DeployContract { code: hash } => {
            let hash = bs58::encode(hash).into_string();
            format!("Deploy the contract {}", code(hash))
        }
        ActionView::DeployGlobalContract { code: hash } => {
            let hash = bs58::encode(hash).into_string();
            format!("Deploy the global contract {}", code(hash))
        }
        ActionView::DeployGlobalContractByAccountId { code: hash } => {
            let hash = bs58::encode(hash).into_string();
            format!("Deploy {} as the account's global contract", code(hash))
        }
        ActionView::UseGlobalContract { code_hash } => {
            format!("Use the global contract {}", code(code_hash))
        }
        ActionView::UseGlobalContractByAccountId { account_id } => {
            format!("Use the global contract of {}", account(account_id))
        }
        ActionView::DeterministicStateInit {
            code: contract,
            data,
            deposit,
        } => {
            let contract = match contract {
                GlobalContractIdentifierView::CodeHash(hash) => code(hash),
                GlobalContractIdentifierView::AccountId(owner) => format!("of {}", account(owner)),
            };
            let bytes: usize = data
                .iter()
                .map(|(key, value)| key.len() + value.len())
                .sum();
            format!(
                "Initialise the account with the global contract {contract}, {bytes} bytes of state and {}",
                near(*deposit)
            )
        }
        ActionView::UniversalStateInit {
            state_init,
            deposit,
        } => {
            let counts = state_init_counts(state_init);
            format!(
                "Initialise the universal account with keys: {}, entries: {} and {}",
                counts.num_keys,
                counts.num_entries,
                near(*deposit)
            )
        }
        ActionView::FunctionCall {
            method_name,
            args,
            gas,
            deposit,
        } => format!(
            "Call {} with {} and {}{}",
            code(method_name),
            text(gas),
            near(*deposit),
            block(args)
        ),
        ActionView::Transfer { deposit } => format!("Transfer {}", near(*deposit)),
        ActionView::Stake { stake, public_key } => {
            format!("Stake {} with the key {}", near(*stake), code(public_key))
        }
        ActionView::AddKey {
            public_key,
            access_key,
        } => {
            let permission = permission(access_key);
            format!("Add the key {}, {permission}", code(public_key))
        }
        ActionView::TransferToGasKey {
            public_key,
            deposit,
        } => format!(
            "Send {} to the gas key {}",
            near(*deposit),
            code(public_key)
        ),
        ActionView::WithdrawFromGasKey { public_key, amount } => format!(
            "Withdraw {} from the gas key {}",
            near(*amount),
            code(public_key)
        ),
        ActionView::DeleteKey { public_key } => format!("Delete the key {}", code(public_key)),
        ActionView::DeleteAccount { beneficiary_id } => {
            let beneficiary = account(beneficiary_id);
            format!("Delete the account, its balance to {beneficiary}")
        }
        ActionView::Delegate {
            delegate_action, ..
        } => on_behalf(delegate_action.into()),
        ActionView::DelegateV2 {
            delegate_action, ..
        } => on_behalf(delegate_action.into()),
    }
}

fn on_behalf(delegate: VersionedDelegateActionRef<'_>) -> String {
    let inner: Vec<ActionView> = delegate.get_actions().into_iter().map(Into::into).collect();
    format!(
        "On behalf of {}, to {}: {}",
        account(delegate.sender_id()),
        account(delegate.receiver_id()),
        actions(&inner)
    )
}

/// The permission of a key.
pub(super) fn permission(access_key: &AccessKeyView) -> String {
    match &access_key.permission {
        AccessKeyPermissionView::FullAccess => "full access".to_owned(),
        AccessKeyPermissionView::FunctionCall {
            allowance,
            receiver_id,
            method_names,
        } => {
            let allowance = allowance.map_or_else(
                || "without an allowance".to_owned(),
                |allowance| format!("{} of allowance left", near(allowance)),
            );
            format!("{}, {allowance}", calls(receiver_id, method_names))
        }
        AccessKeyPermissionView::GasKeyFullAccess {
            balance,
            num_nonces,
        } => format!("gas key with full access, {}", lanes(*num_nonces, *balance)),
        AccessKeyPermissionView::GasKeyFunctionCall {
            balance,
            num_nonces,
            receiver_id,
            method_names,
            ..
        } => format!(
            "gas key that {}, {}",
            calls(receiver_id, method_names),
            lanes(*num_nonces, *balance)
        ),
    }
}

/// What a function-call key may call.
fn calls(receiver_id: &str, method_names: &[String]) -> String {
    let methods = if method_names.is_empty() {
        "any method".to_owned()
    } else {
        method_names.join(", ")
    };
    format!("may call {} of {}", text(methods), account(receiver_id))
}

/// What a gas key has.
fn lanes(lanes: NonceIndex, balance: Balance) -> String {
    let lanes = if lanes == 1 {
        "1 lane".to_owned()
    } else {
        format!("{lanes} lanes")
    };
    format!("{lanes}, {} of gas left", near(balance))
}

/// An exact amount.
pub(super) fn near(amount: Balance) -> String {
    text(amount.exact_amount_display())
}

/// Whether a transaction succeeded.
pub(super) fn verdict(status: &FinalExecutionStatus) -> String {
    match status {
        FinalExecutionStatus::SuccessValue(_) => "<span class=\"good\">Success</span>".to_owned(),
        FinalExecutionStatus::Failure(_) => "<span class=\"bad\">Failure</span>".to_owned(),
        FinalExecutionStatus::Started | FinalExecutionStatus::NotStarted => "Under way".to_owned(),
    }
}

/// When a block was made, in seconds.
pub(super) fn moment(block: &Block) -> String {
    let iso = block
        .time()
        .ok()
        .and_then(|time| {
            near_time::serde_utc_as_iso::serialize(&time, serde_json::value::Serializer).ok()
        })
        .and_then(|iso| Some(iso.as_str()?.get(..19)?.replace('T', " ")));
    iso.map_or_else(String::new, |iso| format!("{} UTC", text(iso)))
}

/// Bytes as a block of text, with JSON indented. Empty for no bytes.
pub(super) fn block(value: &[u8]) -> String {
    if value.is_empty() {
        return String::new();
    }
    let shown = match std::str::from_utf8(value) {
        Ok(value) if value.len() <= SHOWN => {
            match serde_json::from_str::<serde::de::IgnoredAny>(value) {
                Ok(_) => laid_out(value),
                Err(_) => value.to_owned(),
            }
        }
        Ok(_) => format!("{} bytes of text", value.len()),
        Err(_) => format!("{} bytes that are no text", value.len()),
    };
    format!("<pre>{}</pre>", text(shown))
}

/// Puts each member of JSON on a line of its own. Unlike a parser, keeps names, order and numbers
/// exactly as sent.
fn laid_out(json: &str) -> String {
    let mut out = String::with_capacity(2 * json.len());
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    let line = |out: &mut String, depth: usize| {
        out.push('\n');
        out.push_str(&"  ".repeat(depth.min(MAX_INDENT)));
    };
    let mut rest = json.chars().peekable();
    while let Some(character) = rest.next() {
        if in_string {
            out.push(character);
            in_string = escaped || character != '"';
            escaped = !escaped && character == '\\';
            continue;
        }
        match character {
            ' ' | '\n' | '\r' | '\t' => {}
            '{' | '[' => {
                out.push(character);
                while rest.next_if(char::is_ascii_whitespace).is_some() {}
                match rest.next_if(|next| matches!(next, '}' | ']')) {
                    Some(end) => out.push(end),
                    None => {
                        depth += 1;
                        line(&mut out, depth);
                    }
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line(&mut out, depth);
                out.push(character);
            }
            ',' => {
                out.push(character);
                line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            other => {
                in_string = other == '"';
                out.push(other);
            }
        }
    }
    out
}
