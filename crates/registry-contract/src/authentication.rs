//! Authentication: an assertion of a registered passkey over a fresh VRF challenge.

use latchkey_webauthn::{WebAuthnAuthentication, verify_authentication};
use near_sdk::{AccountId, near};
use serde::Serialize;

use crate::ceremony::Place;
use crate::dialect;
use crate::host_verifier::HostVerifier;
use crate::refusal::Refusal;
use crate::vrf_data::{Intent, VrfData};
use crate::{Registry, RegistryExt, authenticators};

/// The answer of [`Registry::verify_authentication_response`].
#[derive(Debug, Serialize)]
pub struct AuthenticationResult {
    /// Whether the account's passkey approved the intent just now.
    pub verified: bool,
    /// The assertion's data; absent if refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub authentication_info: Option<AuthenticationInfo>,
}

/// The data of a verified assertion.
#[derive(Debug, Serialize)]
pub struct AuthenticationInfo {
    /// The credential id, base64url text.
    #[cfg(not(feature = "deployed-dialect"))]
    pub credential_id: String,
    /// The credential id, as an array of numbers.
    #[cfg(feature = "deployed-dialect")]
    pub credential_id: crate::bytes::Bytes,
    /// The authenticator's signature counter, which a view cannot store. Synced passkeys report 0.
    pub new_counter: u32,
    /// Always `true`, because verification requires it.
    pub user_verified: bool,
    /// `multiDevice` for a passkey that can be synced, else `singleDevice`.
    pub credential_device_type: &'static str,
    /// Whether the passkey is backed up now.
    pub credential_backed_up: bool,
    /// The origin of the page that ran the ceremony.
    pub origin: String,
    /// The rpId.
    pub rp_id: String,
}

#[near]
impl Registry {
    /// Checks that an assertion comes from a passkey of the account `vrf_data.user_id` and approves
    /// the intent in `vrf_data.intent_digest_32`. The reason of `verified: false` is in the log.
    pub fn verify_authentication_response(
        &self,
        vrf_data: VrfData,
        webauthn_authentication: WebAuthnAuthentication,
    ) -> AuthenticationResult {
        match self.authenticate(&vrf_data, &webauthn_authentication) {
            Ok(info) => AuthenticationResult {
                verified: true,
                authentication_info: Some(info),
            },
            Err(refusal) => {
                refusal.log();
                AuthenticationResult {
                    verified: false,
                    authentication_info: None,
                }
            }
        }
    }
}

impl Registry {
    fn authenticate(
        &self,
        vrf_data: &VrfData,
        authentication: &WebAuthnAuthentication,
    ) -> Result<AuthenticationInfo, Refusal> {
        let account: AccountId = vrf_data
            .user_id
            .parse()
            .map_err(|_| Refusal::NotAnAccountId)?;
        let stored = authenticators::find(&account, &authentication.raw_id)
            .ok_or(Refusal::UnknownCredential)?;
        let claim = vrf_data.verify(&self.vrf_settings, account.as_str(), Intent::Any)?;
        if !stored.vrf_public_keys.contains(&claim.public_key) {
            return Err(Refusal::UnknownVrfKey);
        }
        if stored.rp_id != claim.rp_id.as_str() {
            return Err(Refusal::OtherRpId);
        }
        let policy = &stored.origin_policy;
        let listed =
            Place::read(&authentication.response.client_data_json)?.look_up(policy, &claim);
        let expectations = listed.expectations(policy, &claim);
        let verified = verify_authentication(
            authentication,
            &expectations,
            &stored.credential_public_key,
            &HostVerifier,
        )?;

        let ceremony = verified.ceremony;
        Ok(AuthenticationInfo {
            #[cfg(not(feature = "deployed-dialect"))]
            credential_id: stored.id_text(),
            #[cfg(feature = "deployed-dialect")]
            credential_id: crate::bytes::Bytes(stored.credential_id.clone()),
            new_counter: ceremony.sign_count,
            user_verified: ceremony.user_verified,
            credential_device_type: if ceremony.backup_eligible && !dialect::SPOKEN {
                "multiDevice"
            } else {
                "singleDevice"
            },
            credential_backed_up: ceremony.backup_state,
            origin: ceremony.origin.as_str().to_owned(),
            rp_id: stored.rp_id,
        })
    }
}
