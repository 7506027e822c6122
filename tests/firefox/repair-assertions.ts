import type { LocalStack } from '../support/local-stack.js';

/** rpIdHash, flags and counter: the whole data if no credential and no extensions follow (WebAuthn Level 3, section 6.1). */
const PLAIN_LENGTH = 37;
const CHECK = 'query:verify_authentication_response';

interface CheckCall {
  params: { args_base64: string };
}

interface CheckArguments {
  webauthn_authentication: { response: { authenticatorData: string } };
}

/**
 * Gives the registry the authenticator data that Firefox's test token has signed. When PRF outputs were asked for, it puts
 * their encrypted form behind it after signing, with no ED flag (`dom/webauthn/authrs_bridge/src/test_token.rs`): no
 * authenticator's data, which the registry refuses. This cuts that form off.
 */
export function repairAssertions(stack: LocalStack): void {
  const rewrite = (call: CheckCall): CheckCall => {
    const args = JSON.parse(Buffer.from(call.params.args_base64, 'base64').toString()) as CheckArguments;
    const { response } = args.webauthn_authentication;
    const signed = Buffer.from(response.authenticatorData, 'base64url').subarray(0, PLAIN_LENGTH);
    response.authenticatorData = signed.toString('base64url');
    const repaired = Buffer.from(JSON.stringify(args)).toString('base64');
    return { ...call, params: { ...call.params, args_base64: repaired } };
  };
  for (const node of stack.nodes) node.fail(CHECK, { kind: 'rewrite-request', rewrite });
}
