/**
 * The VRF worker: serves the WASM's functions. The WASM makes no calls; this file makes the two lock calls to the
 * relay, between its halves. Every buffer with a secret is zero-filled after use.
 */
import * as vrf from '../../wasm/vrf/vrf.js';
import { readBounded } from '../bounded-body.js';
import {
  LatchkeyError,
  messageOf,
  RELAY_UNREACHABLE,
  SERVER_LOCK_FAILED,
  VRF_BOOTSTRAP_FAILED,
  VRF_ENCRYPT_FAILED,
} from '../errors/account.js';
import { createTurns } from './in-turn.js';
import { serve } from './rpc.js';
import type { ServerLockUrls, VrfApi } from './vrf-api.js';
import { wiping } from './wiping.js';

const LOCK_TIMEOUT_MS = 10_000;
/** Far more than two numbers of any accepted group. */
const MAX_LOCK_ANSWER_BYTES = 16_384;

let urls: ServerLockUrls | undefined;
/** The WASM holds one pending wrap and one pending unwrap: concurrent ones would overwrite each other. */
const inTurn = createTurns();

serve<VrfApi>({
  boot: (module) => {
    vrf.initSync({ module });
  },
  ping: () => vrf.ping(),
  configureShamirP: (pB64u) => {
    vrf.configureShamirP(pB64u);
  },
  configureServerUrls: (configured) => {
    urls = configured;
  },
  status: () => vrf.status(),
  logout: () => {
    vrf.logout();
  },
  generateKeypairBootstrap: (input) => {
    const { vrfPublicKey, challenge } = vrf.generateKeypairBootstrap(input);
    if (!challenge)
      throw new LatchkeyError(VRF_BOOTSTRAP_FAILED, { values: { reason: 'no challenge was made' } });
    return { vrfPublicKey, challenge };
  },
  deriveKeypairFromPrf: (accountId, prfFirst, keepInMemory) =>
    wiping([prfFirst], () => vrf.deriveKeypairFromPrf(accountId, prfFirst, keepInMemory)),
  unlock: (accountId, prfFirst, encrypted) =>
    wiping([prfFirst], () => vrf.unlock(accountId, prfFirst, encrypted)),
  generateChallenge: (input) => vrf.generateChallenge(input),

  encryptCurrentWithServerLock: ({ signal }) =>
    inTurn(async () => {
      const { kekCB64u } = vrf.lockWrapStart();
      const answer = await post(urls?.applyServerLock, { kek_c_b64u: kekCB64u }, signal);
      const keyId = answer.keyId;
      if (typeof keyId !== 'string' || keyId === '') {
        throw new LatchkeyError(VRF_ENCRYPT_FAILED, {
          values: { reason: 'Server did not return keyId from apply-server-lock' },
        });
      }
      return vrf.lockWrapFinish(text(answer, 'kek_cs_b64u'), keyId);
    }),

  unlockWithServerLock: (accountId, locked, { signal }) =>
    inTurn(async () => {
      const { kekCsB64u } = vrf.lockUnwrapStart(locked.kek_s_b64u);
      const body = { kek_cs_b64u: kekCsB64u, keyId: locked.serverKeyId };
      const answer = await post(urls?.removeServerLock, body, signal);
      return vrf.lockUnwrapFinish(accountId, text(answer, 'kek_c_b64u'), locked.ciphertextVrfB64u);
    }),
});

async function post(
  url: string | undefined,
  body: unknown,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  if (!url) throw refused('no lock server is configured');
  let response: Response;
  let answer: string | undefined;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      credentials: 'omit',
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(LOCK_TIMEOUT_MS)]),
    });
    answer = await readBounded(response, MAX_LOCK_ANSWER_BYTES);
  } catch (error) {
    throw new LatchkeyError(RELAY_UNREACHABLE, { values: { reason: messageOf(error) }, cause: error });
  }
  if (!response.ok) throw refused(`HTTP ${response.status}`);
  if (answer === undefined) throw refused('the answer is too long');
  try {
    const parsed: unknown = JSON.parse(answer);
    if (typeof parsed === 'object' && parsed !== null) return parsed as Record<string, unknown>;
  } catch (error) {
    throw refused(messageOf(error));
  }
  throw refused('the answer is not an object');
}

function text(answer: Record<string, unknown>, name: string): string {
  const value = answer[name];
  if (typeof value !== 'string') throw refused(`the answer has no ${name}`);
  return value;
}

function refused(reason: string): LatchkeyError {
  return new LatchkeyError(SERVER_LOCK_FAILED, { values: { reason } });
}
