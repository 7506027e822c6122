/** A logged-in wallet for browser tests: real workers, a virtual passkey, and a chain with set answers. */
import { base58 } from '@scure/base';
import type { Confirmer, ConfirmModel } from '../../confirm/port.js';
import { KNOWN_FEES } from '../../near/fees.js';
import type { CallResult, RpcClient, SendOptions, TransactionOutcome } from '../../near/index.js';
import { VALIDITY_BLOCKS } from '../../near/transaction-state.js';
import { DEFAULT_PREFERENCES } from '../../storage/records.js';
import { WalletStore } from '../../storage/store.js';
import { deleteDatabases } from '../../storage/testing/databases.js';
import { createPasskey, randomChallenge } from '../../webauthn/passkeys.js';
import type { FlowContext } from '../context.js';
import { browserContext } from './browser-context.js';

export const ALICE = 'alice.w3a-v1.testnet';
export const BLOCK_HASH = base58.encode(new Uint8Array(32).fill(7));

export interface FakeChain {
  nonce: number;
  /** Height of the last final block. */
  height: number;
  /** The account's balance in yoctoNEAR. */
  balance: string;
  /** The answers of `tx`, by id. */
  readonly outcomes: Map<string, TransactionOutcome>;
  verified: boolean | Promise<boolean>;
  /** Every call, in order: the method's name, and `send_tx` without arguments. */
  readonly calls: string[];
  /** Signed bytes that left the wallet. */
  readonly sent: Uint8Array[];
  /** Answers, or throws, for each send. */
  onSend: (index: number, options?: SendOptions) => Promise<TransactionOutcome>;
}

export interface SignedIn {
  readonly context: FlowContext;
  readonly chain: FakeChain;
  readonly shown: ConfirmModel[];
  close(): Promise<void>;
}

export async function signIn(confirmer?: Confirmer): Promise<SignedIn> {
  const shown: ConfirmModel[] = [];
  const chain: FakeChain = {
    nonce: 100,
    height: 1000,
    balance: `1${'0'.repeat(25)}`,
    outcomes: new Map(),
    verified: true,
    calls: [],
    sent: [],
    onSend: async (index) =>
      ({
        transactionId: `tx-${index}`,
        final_execution_status: 'FINAL',
        status: { SuccessValue: '' },
      }) as TransactionOutcome,
  };
  const rpc = fakeRpc(chain);
  const clicking: Confirmer = {
    show: async (model) => {
      shown.push(model);
      return 'confirm';
    },
  };
  const store = new WalletStore();
  const closing = new AbortController();
  const context = browserContext({
    rpc,
    store,
    closing: closing.signal,
    confirmer: () => confirmer ?? clicking,
    confirmationConfig: { behavior: 'requireClick' },
  });
  await deleteDatabases();
  await storeAccount(context);
  return {
    context,
    chain,
    shown,
    close: async () => {
      closing.abort();
      context.signers.close();
      context.vrf.close();
      await context.store.close();
      await deleteDatabases();
    },
  };
}

function fakeRpc(chain: FakeChain): RpcClient {
  const at = () => ({ block_height: chain.height, block_hash: BLOCK_HASH });
  const rpc: Partial<RpcClient> = {
    viewAccessKey: async () => {
      chain.calls.push('view_access_key');
      return { nonce: chain.nonce, permission: 'FullAccess', ...at() };
    },
    viewAccount: async (_accountId, { finality } = {}) => {
      chain.calls.push('view_account');
      // Each look at the newest block finds the next one.
      if (finality === 'optimistic') chain.height += 1;
      return { amount: chain.balance, locked: '0', code_hash: BLOCK_HASH, storage_usage: 182, ...at() };
    },
    protocolConfig: async () => KNOWN_FEES as never,
    block: async () => ({ header: { height: chain.height, hash: BLOCK_HASH, timestamp_nanosec: '0' } }),
    head: async () => ({ height: chain.height, hash: BLOCK_HASH }),
    transactionStatus: async (transactionId) => chain.outcomes.get(transactionId) ?? null,
    transactionState: async ({ transactionId, nonce, blockHeight }) => {
      const outcome = chain.outcomes.get(transactionId);
      if (outcome) return { name: 'final', outcome };
      const isSpent = BigInt(chain.nonce) >= nonce;
      const isOld = chain.height > blockHeight + VALIDITY_BLOCKS;
      return { name: isOld ? (isSpent ? 'unknown' : 'expired') : isSpent ? 'refused' : 'in-pool' };
    },
    callFunction: async (_contract, method): Promise<CallResult> => {
      chain.calls.push(method);
      const answer = JSON.stringify({ verified: await chain.verified });
      return { bytes: new TextEncoder().encode(answer), logs: [], blockHeight: 1000, blockHash: BLOCK_HASH };
    },
    sendTransaction: async (bytes, _waitUntil, options) => {
      chain.calls.push('send_tx');
      chain.sent.push(bytes);
      return chain.onSend(chain.sent.length - 1, options);
    },
  };
  return rpc as RpcClient;
}

async function storeAccount({ rpId, vrf, signers, store }: FlowContext): Promise<void> {
  const { registration, prf } = await createPasskey({
    rpId,
    accountId: ALICE,
    deviceNumber: 1,
    challenge: randomChallenge(),
    exclude: [],
    signal: new AbortController().signal,
  });
  if (prf.kind !== 'outputs') throw new Error('the virtual authenticator gave no PRF outputs');
  const signer = await signers.acquire();
  const key = await signer.call('deriveAndEncrypt', [ALICE, prf.outputs.first.slice(), prf.outputs.second]);
  signer.end();
  const { vrfPublicKey, encryptedVrfKeypair } = await vrf.call('deriveKeypairFromPrf', [
    ALICE,
    prf.outputs.first,
    true,
  ]);
  const device = { nearAccountId: ALICE, deviceNumber: 1 };
  const now = new Date().toISOString();
  await store.commitEntry({
    kind: 'registration',
    accountId: ALICE,
    nearPublicKey: key.publicKey,
    vrfPublicKeys: { bootstrap: '', deterministic: vrfPublicKey },
    credentialId: registration.id,
    challengeHeight: 0,
    request: {},
    createdAt: Date.now(),
    records: {
      user: {
        ...device,
        registeredAt: Date.now(),
        lastLogin: Date.now(),
        lastUpdated: Date.now(),
        clientNearPublicKey: key.publicKey,
        passkeyCredential: { id: registration.id, rawId: registration.rawId },
        preferences: DEFAULT_PREFERENCES,
        encryptedVrfKeypair,
        serverEncryptedVrfKeypair: null,
        passkeyProven: true,
      },
      authenticator: {
        ...device,
        credentialId: registration.id,
        credentialPublicKey: new Uint8Array(),
        transports: ['internal'],
        name: 'Passkey',
        registered: now,
        syncedAt: now,
        vrfPublicKey,
      },
      encryptedKey: { ...device, ...key.encryptedPrivateKey, timestamp: Date.now() },
    },
  });
}
