/**
 * A registration request that the registry accepts: VRF challenge by the WASM, passkey by the software authenticator.
 */
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { base58, base64urlnopad } from '@scure/base';
import { createCredential } from '../../../dev/authenticators/passkey.js';
import type { BlockView, RpcClient } from '../../../ts/src/near/index.js';
import { generateKeypairBootstrap, initSync } from '../../../ts/wasm/vrf/vrf.js';

export const ORIGIN = 'http://localhost:5173';
const RP_ID = 'localhost';

export type MadeRegistration = ReturnType<typeof makeRegistrationAt>;

export async function loadVrf(): Promise<void> {
  initSync({ module: await readFile(new URL('../../../ts/wasm/vrf/vrf_bg.wasm', import.meta.url)) });
}

/** A new registration of `<name>.w3a-v1.testnet`, with a challenge from the chain's last final block. */
export async function makeRegistration(rpc: RpcClient, name?: string) {
  return makeRegistrationAt(await rpc.block({ finality: 'final' }), name);
}

/** The same from a page that the registry does not allow, which only the registry can tell. */
export async function makeStrangeRegistration(rpc: RpcClient, name?: string) {
  return makeRegistrationAt(await rpc.block({ finality: 'final' }), name, 'https://elsewhere.example');
}

/** A new registration of `<name>.w3a-v1.testnet`, with a challenge from this block. */
export function makeRegistrationAt(
  { header }: { readonly header: Pick<BlockView['header'], 'height' | 'hash'> },
  name = `user-${randomBytes(4).toString('hex')}`,
  origin = ORIGIN,
) {
  const accountId = `${name}.w3a-v1.testnet`;
  const intent = createHash('sha256').update(`register:${accountId}:1`).digest();
  const { challenge } = generateKeypairBootstrap({
    userId: accountId,
    rpId: RP_ID,
    blockHeight: String(header.height),
    blockHash: header.hash,
    intentDigest: base64urlnopad.encode(Uint8Array.from(intent)),
  });
  if (!challenge) throw new Error('the VRF module made no challenge');
  const passkeyChallenge = base64urlnopad.encode(base64urlnopad.decode(challenge.vrfOutput).subarray(0, 32));
  return {
    new_account_id: accountId,
    new_public_key: makePublicKey(),
    device_number: 1,
    vrf_data: {
      vrf_input_data: numbers(challenge.vrfInput),
      vrf_output: numbers(challenge.vrfOutput),
      vrf_proof: numbers(challenge.vrfProof),
      public_key: numbers(challenge.vrfPublicKey),
      user_id: accountId,
      rp_id: RP_ID,
      block_height: header.height,
      block_hash: numbers(challenge.blockHash),
      intent_digest_32: [...intent],
    },
    webauthn_registration: createCredential({ challenge: passkeyChallenge, rpId: RP_ID, origin }),
    deterministic_vrf_public_key: numbers(challenge.vrfPublicKey),
  };
}

export function makePublicKey(): string {
  const { publicKey } = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  });
  return `ed25519:${base58.encode(Uint8Array.from(publicKey.subarray(-32)))}`;
}

function numbers(b64u: string): number[] {
  return [...base64urlnopad.decode(b64u)];
}
