//! Builds the expectations of both ceremonies from the VRF proof's claim, the origin policy and the
//! two lists.

use latchkey_webauthn::{
    ClientData, Expectations, Origin, OriginPolicy, TopOrigins, UserVerification, WebAuthnError,
};

use crate::dialect;
use crate::storage::{self, List};
use crate::vrf_data::VrfClaim;

/// Where a ceremony ran, according to its client data.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) origin: Origin,
    top_origin: Option<Origin>,
}

/// The origins of that place that are on the lists: at most one each.
#[derive(Debug)]
pub(crate) struct Listed {
    origins: Vec<Origin>,
    /// Any, while the list of hosts is empty.
    top_origins: Option<Vec<Origin>>,
}

impl Place {
    /// Reads the place from client data. Verification checks the client data in full later.
    pub(crate) fn read(client_data_json: &[u8]) -> Result<Self, WebAuthnError> {
        let client_data = ClientData::parse(client_data_json)?;
        if dialect::SPOKEN && !client_data.origin.starts_with("https://") {
            return Err(WebAuthnError::OriginInvalid);
        }
        let top_origin = client_data
            .top_origin
            .as_deref()
            .map(Origin::parse)
            .transpose()?;
        Ok(Self {
            origin: Origin::parse(&client_data.origin)?,
            top_origin,
        })
    }

    /// Looks the place up in the lists, unless the policy alone admits it.
    ///
    /// The top page must be an allowed host or an allowed origin, or an origin where the policy admits
    /// the ceremony itself. While no host is listed, it may be any: the wallet's operator judges it.
    pub(crate) fn look_up(&self, policy: &OriginPolicy, claim: &VrfClaim) -> Listed {
        let admitted = |origin: &Origin| policy.admits(origin, &claim.rp_id, &[]);
        let is_allowed =
            |origin: &Origin| storage::list_contains(List::AllowedOrigins, origin.as_str());
        let origin = Some(&self.origin).filter(|origin| !admitted(origin) && is_allowed(origin));
        let is_host = |origin: &Origin| storage::list_contains(List::AllowedHosts, origin.as_str());
        let top_origin = self
            .top_origin
            .as_ref()
            .filter(|origin| admitted(origin) || is_host(origin) || is_allowed(origin));
        let is_strange = self.top_origin.is_some() && top_origin.is_none();
        let is_judged = || dialect::SPOKEN || !storage::list_is_empty(List::AllowedHosts);
        Listed {
            origins: origin.cloned().into_iter().collect(),
            top_origins: (!is_strange || is_judged())
                .then(|| top_origin.cloned().into_iter().collect()),
        }
    }
}

impl Listed {
    /// The expectations of a ceremony. Every ceremony must verify the user.
    pub(crate) fn expectations<'a>(
        &'a self,
        policy: &'a OriginPolicy,
        claim: &'a VrfClaim,
    ) -> Expectations<'a> {
        Expectations {
            challenge: &claim.challenge,
            rp_id: &claim.rp_id,
            origin_policy: policy,
            allowed_origins: &self.origins,
            top_origins: self
                .top_origins
                .as_deref()
                .map_or(TopOrigins::Any, TopOrigins::OneOf),
            user_verification: UserVerification::Required,
        }
    }
}
