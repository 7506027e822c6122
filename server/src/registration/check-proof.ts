/** The check of a registration's proof by the relay's WASM, which costs no call of a node. The module must be loaded. */
import { registrationProblem } from '../../wasm/relay/relay.js';
import type { CheckProof } from './registrar.js';

export const checkProof: CheckProof = ({ vrf_data, webauthn_registration }) => {
  const { authenticatorAttachment, ...credential } = webauthn_registration;
  return registrationProblem(vrf_data, {
    ...credential,
    ...(authenticatorAttachment && { authenticatorAttachment }),
  });
};
