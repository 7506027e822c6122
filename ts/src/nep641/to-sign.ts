/** An authorization that a page asks the wallet to sign (NEP-641): what may be asked, and what its payload says. */
import { isWellFormed } from '../borsh.js';
import { clearObject } from '../clear-json.js';
import { LatchkeyError, SIGNING_FAILED } from '../errors/account.js';
import { isNearAccountId } from '../near/account-id.js';
import type { SignNep641Params } from '../types.js';

/** In UTF-16 units, as the frame's port measures texts. */
const LONGEST_PAYLOAD = 65_536;
const LONGEST_PATH = 16;

/** The payload that the NEP recommends, so that wallets can show it alike. */
export interface AuthorizationPayload {
  /** The app, such as `app.example`. */
  readonly domain: string;
  /** What the app does with it, such as `Login`. */
  readonly action: string;
  readonly msg: string;
}

/** Undefined for a payload in any other form, which is the page's right. */
export function readPayload(payload: string): AuthorizationPayload | undefined {
  const { domain, action, msg, ...rest } = clearObject(payload) ?? {};
  const isWhole = typeof domain === 'string' && typeof action === 'string' && typeof msg === 'string';
  return isWhole && Object.keys(rest).length === 0 ? { domain, action, msg } : undefined;
}

/**
 * A copy of what is asked, which the caller cannot change after the user has seen it. Throws SIGNING_FAILED, with what is
 * wrong with it.
 */
export function completeAuthorization(
  accountId: string,
  params: SignNep641Params,
): { readonly payload: string; readonly path: readonly string[]; readonly chainId: string | undefined } {
  if (!params) throw invalid('it needs params, an object with a payload');
  const { payload, path, chainId } = params;
  if (typeof payload !== 'string') throw invalid('a payload is needed');
  if (!isWellFormed(payload)) throw invalid('the payload is no well-formed text');
  if (payload.length > LONGEST_PAYLOAD) {
    throw invalid(`the payload has ${payload.length} characters, and the most are ${LONGEST_PAYLOAD}`);
  }
  const ids: readonly unknown[] = path ?? [];
  if (!Array.isArray(ids)) throw invalid('the path must be a list of account ids');
  if (ids.length > LONGEST_PATH) throw invalid(`the path names more than ${LONGEST_PATH} accounts`);
  const named = new Set<string>([accountId]);
  for (const id of ids as readonly unknown[]) {
    if (typeof id !== 'string' || !isNearAccountId(id)) {
      throw invalid(`the path names ${JSON.stringify(id)?.slice(0, 80)}, which is no account id`);
    }
    if (named.has(id)) {
      throw invalid(id === accountId ? `the path names the signer, ${id}` : `the path names ${id} twice`);
    }
    named.add(id);
  }
  if (chainId != null && typeof chainId !== 'string') throw invalid('the chainId must be text');
  named.delete(accountId);
  return { payload, path: [...named], chainId: chainId ?? undefined };
}

function invalid(reason: string): LatchkeyError {
  return new LatchkeyError(SIGNING_FAILED, { values: { reason } });
}
