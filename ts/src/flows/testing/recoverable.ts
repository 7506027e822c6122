/** A browser with passkeys and an empty database, and a chain that knows them: real workers, a virtual authenticator. */
import { base64urlnopad } from '@scure/base';
import * as v from 'valibot';
import { LatchkeyError, NEAR_RPC_FAILED } from '../../errors/core.js';
import type { RpcClient } from '../../near/index.js';
import { WalletStore } from '../../storage/store.js';
import { createPasskey, randomChallenge } from '../../webauthn/passkeys.js';
import type { WebAuthnRegistration } from '../../workers/signer-api.js';
import type { FlowContext } from '../context.js';
import { browserContext } from './browser-context.js';
import { BLOCK_HASH } from './signed-in.js';

/** An authenticator as the registry writes it. */
export interface RegistryRecord {
  credential_public_key: number[];
  transports: string[];
  registered: string;
  device_number: number;
  near_public_key: string;
  vrf_public_keys: number[][];
}

export interface RecoverableChain {
  readonly authenticators: Map<string, [credentialId: string, RegistryRecord][]>;
  /** Permissions by `account|key`. */
  readonly keys: Map<string, unknown>;
  /** The name of every call, in order. */
  readonly calls: string[];
  /** Makes every call throw this error. */
  failure: Error | undefined;
}

export interface Recoverable {
  readonly context: FlowContext;
  readonly chain: RecoverableChain;
  /** Makes a device's passkey and puts its keys and its record on the chain. */
  register(accountId: string, deviceNumber?: number): Promise<RegisteredPasskey>;
  close(): Promise<void>;
}

export interface RegisteredPasskey {
  readonly registration: WebAuthnRegistration;
  readonly publicKey: string;
  readonly vrfPublicKey: string;
  readonly record: RegistryRecord;
}

/** Makes the browser and the chain; `store` receives the recovered account. */
export function recoverable(store = new WalletStore()): Recoverable {
  const chain: RecoverableChain = {
    authenticators: new Map(),
    keys: new Map(),
    calls: [],
    failure: undefined,
  };
  const rpc = fakeRpc(chain);
  const closing = new AbortController().signal;
  const context = browserContext({ rpc, store, closing, confirmer: () => null });
  return {
    context,
    chain,
    register: (accountId, deviceNumber = 1) => register(context, chain, accountId, deviceNumber),
    close: async () => {
      context.signers.close();
      context.vrf.close();
      await context.store.close();
    },
  };
}

function fakeRpc(chain: RecoverableChain): RpcClient {
  const called = (name: string): void => {
    chain.calls.push(name);
    if (chain.failure) throw chain.failure;
  };
  const rpc: Pick<
    RpcClient,
    'viewAccessKey' | 'viewAccessKeyList' | 'viewAccount' | 'callFunctionJson' | 'block'
  > = {
    viewAccessKey: async (accountId, publicKey) => {
      called('view_access_key');
      const permission = chain.keys.get(`${accountId}|${publicKey}`) as 'FullAccess' | undefined;
      return permission ? { nonce: 1, permission, block_height: 1000, block_hash: BLOCK_HASH } : null;
    },
    viewAccount: async (accountId) => {
      called('view_account');
      const isThere = [...chain.keys].some(([id]) => id.startsWith(`${accountId}|`));
      return isThere
        ? {
            amount: '0',
            locked: '0',
            code_hash: BLOCK_HASH,
            storage_usage: 0,
            block_height: 1000,
            block_hash: BLOCK_HASH,
          }
        : null;
    },
    viewAccessKeyList: async (accountId) => {
      called('view_access_key_list');
      const keys = [...chain.keys].filter(([id]) => id.startsWith(`${accountId}|`));
      if (keys.length === 0)
        throw new LatchkeyError(NEAR_RPC_FAILED, { details: { kind: 'unknown_account' } });
      return {
        keys: keys.map(([id]) => ({
          public_key: id.slice(accountId.length + 1),
          access_key: { nonce: 1, permission: 'FullAccess' },
        })),
        block_height: 1000,
        block_hash: BLOCK_HASH,
      };
    },
    callFunctionJson: async (schema, _contract, method, args = {}) => {
      called(method);
      if (method === 'get_vrf_settings') return v.parse(schema, { max_block_age: 200 });
      const { user_id } = args as { user_id: string };
      return v.parse(schema, chain.authenticators.get(user_id) ?? []);
    },
    block: async () =>
      ({ header: { height: 1000, hash: BLOCK_HASH } }) as Awaited<ReturnType<RpcClient['block']>>,
  };
  return rpc as RpcClient;
}

async function register(
  { rpId, signers, vrf }: FlowContext,
  chain: RecoverableChain,
  accountId: string,
  deviceNumber: number,
): Promise<RegisteredPasskey> {
  const { registration, prf } = await createPasskey({
    rpId,
    accountId,
    deviceNumber,
    challenge: randomChallenge(),
    exclude: [],
    signal: new AbortController().signal,
  });
  // Without PRF there is nothing to derive: the record then names keys that no one holds.
  const outputs =
    prf.kind === 'outputs' ? prf.outputs : { first: randomChallenge(), second: randomChallenge() };
  const { attestationObject } = registration.response;
  const signer = await signers.acquire();
  const [{ publicKey }, coseKey] = await Promise.all([
    signer.call('deriveAndEncrypt', [accountId, outputs.first.slice(), outputs.second]),
    signer.call('extractCosePublicKey', [base64urlnopad.decode(attestationObject)]),
  ]);
  signer.end();
  const { vrfPublicKey } = await vrf.call('deriveKeypairFromPrf', [accountId, outputs.first, false]);
  const record: RegistryRecord = {
    credential_public_key: [...coseKey],
    transports: ['internal'],
    registered: '1700000000000',
    device_number: deviceNumber,
    near_public_key: publicKey,
    vrf_public_keys: [[...new Uint8Array(32)], [...base64urlnopad.decode(vrfPublicKey)]],
  };
  chain.keys.set(`${accountId}|${publicKey}`, 'FullAccess');
  chain.authenticators.set(accountId, [
    ...(chain.authenticators.get(accountId) ?? []),
    [registration.id, record],
  ]);
  return { registration, publicKey, vrfPublicKey, record };
}
