/** Several access keys of the local chain's relayer, made like those of `latchkey-relay add-keys`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRpcClient } from 'latchkey/internal/server';
import { developmentKey } from '../../../dev/services/keys.js';
import { RELAYER } from '../../../dev/services/services.js';
import { Secret } from '../../../server/src/platform/secret.js';
import { loadRelayModule } from '../../../server/src/platform/wasm.js';
import { addAccessKeys } from '../../../server/src/relayer/access-keys.js';

/** `count` keys as text: the relayer's development key, and new ones that only this caller has. */
export async function makeRelayerKeys(chainUrl: string, count: number): Promise<string[]> {
  const first = developmentKey(RELAYER);
  if (count === 1) return [first];
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-keys-'));
  try {
    await loadRelayModule();
    const { privateKeys } = await addAccessKeys({
      rpc: createRpcClient({ urls: chainUrl }),
      account: { accountId: RELAYER, privateKeys: [new Secret(first)], rpcUrls: [chainUrl], rpcAgreement: 1 },
      count: count - 1,
      path: join(folder, 'keys.env'),
    });
    return privateKeys.reveal().split(',');
  } finally {
    await rm(folder, { recursive: true });
  }
}
