//! What both ceremonies are checked against: the claim of the VRF proof, the origin policy and the
//! two lists.

use latchkey_webauthn::{
    ClientData, Expectations, Origin, OriginPolicy, TopOrigins, UserVerification, WebAuthnError,
};

use crate::storage::{self, List};
use crate::vrf_data::VrfClaim;

/// Where a ceremony ran, as its client data says.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) origin: Origin,
    top_origin: Option<Origin>,
}

/// What the lists say of that place. At most one entry each: what is searched for, if it is there.
#[derive(Debug)]
pub(crate) struct Listed {
    origins: Vec<Origin>,
    top_origins: Vec<Origin>,
}

impl Place {
    /// Reads the place out of client data, which is checked in full later.
    pub(crate) fn read(client_data_json: &[u8]) -> Result<Self, WebAuthnError> {
        let client_data = ClientData::parse(client_data_json)?;
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

    /// Looks the place up in the lists, only where the policy alone does not admit it.
    ///
    /// The page on top must be an allowed host or an allowed origin; one that the policy lets run
    /// the ceremony itself may embed it too.
    pub(crate) fn look_up(&self, policy: &OriginPolicy, claim: &VrfClaim) -> Listed {
        let admitted = |origin: &Origin| policy.admits(origin, &claim.rp_id, &[]);
        let is_allowed =
            |origin: &Origin| storage::list_contains(List::AllowedOrigins, origin.as_str());
        let is_host = |origin: &Origin| storage::list_contains(List::AllowedHosts, origin.as_str());
        let origin = Some(&self.origin).filter(|origin| !admitted(origin) && is_allowed(origin));
        let top_origin = self
            .top_origin
            .as_ref()
            .filter(|origin| admitted(origin) || is_host(origin) || is_allowed(origin));
        Listed {
            origins: origin.cloned().into_iter().collect(),
            top_origins: top_origin.cloned().into_iter().collect(),
        }
    }
}

impl Listed {
    /// The expectations of a ceremony: every ceremony of the wallet verifies the user.
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
            top_origins: TopOrigins::OneOf(&self.top_origins),
            user_verification: UserVerification::Required,
        }
    }
}
