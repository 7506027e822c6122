/** A login: a chain and a relay with set answers, a worker that knows whose key it holds, and a store. */
import { vi } from 'vitest';
import type { LatchkeyError } from '../../errors/latchkey-error.js';
import type { FlowContext } from '../context.js';
import { LogoutSignal } from '../session/logout-signal.js';
import { verifiedAnswer } from './answers.js';

export const ALICE = 'alice.w3a-v1.testnet';
export const BOB = 'bob.w3a-v1.testnet';
const lock = { ciphertextVrfB64u: 'c', kek_s_b64u: 'k', serverKeyId: 'first', updatedAt: 0 };
export const authenticator = {
  nearAccountId: ALICE,
  deviceNumber: 1,
  credentialId: 'AAAA',
  transports: ['internal'],
  vrfPublicKey: 'vrf',
};

const mocked = vi.hoisted(() => ({ assertPasskey: vi.fn() }));
vi.mock('../../webauthn/passkeys.js', () => ({
  ...mocked,
  randomChallenge: () => new Uint8Array(32),
}));
vi.mock('../../webauthn/device-check.js', () => ({ assertDevice: async () => undefined }));

export const { assertPasskey } = mocked;

export function make({
  user = {},
  keyId = 'first',
  p = 'p',
}: {
  user?: object | null;
  keyId?: string;
  p?: string;
} = {}) {
  const record = user && {
    nearAccountId: ALICE,
    deviceNumber: 1,
    clientNearPublicKey: 'ed25519:key',
    encryptedVrfKeypair: { encryptedVrfDataB64u: 'v', chacha20NonceB64u: 'n' },
    serverEncryptedVrfKeypair: lock,
    ...user,
  };
  const workerCalls: string[] = [];
  const failing = new Map<string, LatchkeyError>();
  const answers: Record<string, object> = {
    unlockWithServerLock: { vrfPublicKey: 'vrf' },
    encryptCurrentWithServerLock: { ...lock, serverKeyId: keyId },
  };
  /** The account whose key the worker holds. */
  const session: { of: string | undefined } = { of: undefined };
  const store = {
    journal: { entry: vi.fn(async (): Promise<undefined> => undefined) },
    user: async () => record ?? undefined,
    users: async () => [],
    pageSettings: async () => ({}),
    isOfHost: async () => true,
    userOnDevice: async () => record ?? undefined,
    authenticatorsOnDevice: vi.fn(async () => [authenticator]),
    updateUser: vi.fn(async () => undefined),
    setLastUser: vi.fn(async () => undefined),
  };
  const viewAccessKey = vi.fn(
    async (_account: string, _key: string, _options: { signal: AbortSignal }): Promise<unknown> => ({
      nonce: 1,
      block_height: 1,
      block_hash: 'h',
    }),
  );
  const viewAccount = vi.fn(async (): Promise<unknown> => null);
  const relay = { keyInfo: vi.fn(async () => ({ currentKeyId: keyId, p_b64u: p })) };
  const warn = vi.fn();
  const context = {
    config: { shamir3pass: { p: 'p' }, logger: { info: () => undefined, warn } },
    rpId: 'localhost',
    rpc: { viewAccessKey, viewAccount },
    relay,
    store,
    contexts: { learn: vi.fn(), clear: vi.fn() },
    logout: new LogoutSignal(),
    confirmer: () => null,
    vrf: {
      call: async (name: string, [accountId]: readonly string[]) => {
        if (name === 'status') {
          return (
            answers.status ?? {
              active: session.of !== undefined,
              accountId: session.of,
              vrfPublicKey: session.of,
            }
          );
        }
        workerCalls.push(name);
        const failure = failing.get(name);
        if (failure) throw failure;
        if (name === 'logout') session.of = undefined;
        if (name === 'unlock' || name === 'unlockWithServerLock') session.of = accountId;
        return answers[name] ?? {};
      },
    },
  } as unknown as FlowContext;
  return { context, store, workerCalls, failing, answers, relay, viewAccessKey, viewAccount, session, warn };
}

/** Before each test: the authenticator answers the prompt. */
export function prepare(): void {
  assertPasskey.mockReset();
  assertPasskey.mockImplementation(async () => ({
    authentication: verifiedAnswer(authenticator.credentialId),
    prf: {
      kind: 'outputs',
      outputs: { first: new Uint8Array(32).fill(1), second: new Uint8Array(32).fill(2) },
    },
  }));
}
