import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { RFC3526_GROUP_14_P } from '../../../ts/src/config.js';
import * as vrf from '../../../ts/wasm/vrf/vrf.js';

/** A client's own module locks its keypair with the relay's help, forgets it, and recovers it the same way. */
export async function lockAndUnlock(relayUrl: string, keyId: string): Promise<void> {
  const account = 'locked.w3a-v1.testnet';
  const ask = async (path: string, body: object) => {
    const answer = await fetch(relayUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 200);
    return (await answer.json()) as Record<string, string>;
  };
  vrf.configureShamirP(RFC3526_GROUP_14_P);
  const { vrfPublicKey } = vrf.deriveKeypairFromPrf(account, randomBytes(32), true);
  const { kekCB64u } = vrf.lockWrapStart();
  const applied = await ask('/vrf/apply-server-lock', { kek_c_b64u: kekCB64u });
  assert.equal(applied.keyId, keyId);
  const wrapped = vrf.lockWrapFinish(String(applied.kek_cs_b64u), keyId);
  vrf.logout();

  const { kekCsB64u } = vrf.lockUnwrapStart(wrapped.kek_s_b64u);
  const removed = await ask('/vrf/remove-server-lock', { kek_cs_b64u: kekCsB64u, keyId });
  const unlocked = vrf.lockUnwrapFinish(account, String(removed.kek_c_b64u), wrapped.ciphertextVrfB64u);
  assert.equal(unlocked.vrfPublicKey, vrfPublicKey);
  vrf.logout();
}
