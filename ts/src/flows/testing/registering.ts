/** A registration: a chain and a relay with set answers, workers, and a journal. */
import { vi } from 'vitest';
import { resolveConfig } from '../../config.js';
import { LatchkeyError, RELAY_REFUSED } from '../../errors/wallet.js';
import { OUR_METADATA } from '../../registry/testing/our-registry.js';
import type { RegistrationEntry } from '../../storage/records.js';
import type { FlowContext } from '../context.js';
import { LogoutSignal } from '../session/logout-signal.js';
import { PLATFORM_MODEL } from './answers.js';
import { memoryJournal } from './memory-journal.js';
import { stubBrowser } from './stub-browser.js';

export const ALICE = 'alice.w3a-v1.testnet';
export const BOB = 'bob.w3a-v1.testnet';
export const KEY = 'ed25519:ours';
export const HEIGHT = 1_000;
export const PAST_HOPE = HEIGHT + 200 + 50 + 1;

const mocked = vi.hoisted(() => ({ createPasskey: vi.fn(), assertPasskey: vi.fn() }));
vi.mock('../../webauthn/passkeys.js', () => ({
  ...mocked,
  randomChallenge: () => new Uint8Array(32),
}));
vi.mock('../../webauthn/device-check.js', () => ({ assertDevice: async () => undefined }));

export const { createPasskey, assertPasskey } = mocked;

export const challenge = {
  vrfInput: 'AA',
  vrfOutput: 'A'.repeat(86),
  vrfProof: 'AA',
  vrfPublicKey: 'AQ',
  userId: ALICE,
  rpId: 'localhost',
  blockHeight: String(HEIGHT),
  blockHash: 'AA',
};

export const ourRecord = {
  device_number: 1,
  near_public_key: KEY,
  credential_public_key: new Uint8Array(),
  vrf_public_keys: [Uint8Array.of(1), Uint8Array.of(2)],
};

/** A chain and a relay with set answers, and a journal. */
export function make() {
  const chain = {
    height: HEIGHT,
    account: undefined as string | undefined,
    verdict: { verified: true, user_exists: false } as unknown,
  };
  const journal = new Map<string, RegistrationEntry>();
  const store = {
    journal: memoryJournal(journal),
    authenticatorsOnDevice: async () => [],
    pageSettings: async () => ({}),
    commitEntry: vi.fn(async ({ accountId }: RegistrationEntry) => void journal.delete(accountId)),
  };
  const rpc = {
    block: async () => ({ header: { height: chain.height, hash: 'hash' } }),
    head: async () => (await rpc.block()).header,
    viewAccount: async () => (chain.account ? {} : null),
    viewAccessKeyList: async () => ({
      keys: chain.account ? [{ public_key: chain.account, access_key: { permission: 'FullAccess' } }] : [],
    }),
    callFunction: async () => ({
      bytes: new TextEncoder().encode(JSON.stringify(chain.verdict)),
      logs: [] as string[],
    }),
    callFunctionJson: async (_schema: unknown, _contract: string, method: string): Promise<unknown> => {
      if (method === 'contract_source_metadata') return OUR_METADATA;
      if (method === 'get_vrf_settings') return { max_block_age: 200 };
      return chain.account ? [['credential', ourRecord]] : [];
    },
  };
  const worker: Record<string, unknown> = {
    generateKeypairBootstrap: { challenge },
    deriveKeypairFromPrf: { vrfPublicKey: 'Ag', encryptedVrfKeypair: {} },
    deriveAndEncrypt: { publicKey: KEY, encryptedPrivateKey: {} },
    confirmRegistrationCredential: {
      credentialPublicKey: new Uint8Array(),
      userVerified: true,
      aaguid: PLATFORM_MODEL,
    },
    encryptCurrentWithServerLock: { ciphertextVrfB64u: 'c', kek_s_b64u: 'k', serverKeyId: 'key' },
    unlockWithServerLock: { vrfPublicKey: 'Ag' },
  };
  /** The account whose key the VRF worker of the session holds. */
  const session: { of: string | undefined } = { of: undefined };
  const call = vi.fn(
    async (name: string, _args: readonly unknown[] = [], _options?: unknown) => worker[name],
  );
  const vrfOf = (held: { of: string | undefined }) => ({
    held,
    call: async (name: string, args: readonly unknown[] = [], options?: unknown) => {
      const answer = await call(name, args, options);
      if (name === 'status') return { active: held.of !== undefined, accountId: held.of };
      if (name === 'logout' || name === 'generateKeypairBootstrap') held.of = undefined;
      if (name === 'deriveKeypairFromPrf' || name === 'unlockWithServerLock') held.of = args[0] as string;
      return answer;
    },
    beside: () => vrfOf({ of: undefined }),
    takeOver: (other: { held: { of: string | undefined } }) => {
      held.of = other.held.of;
    },
    close: () => void call('close'),
  });
  const vrf = vrfOf(session);
  const relay = { createAccountAndRegisterUser: vi.fn() };
  const context = {
    config: resolveConfig({
      relayer: { url: 'http://localhost:9' },
      logLevel: 'silent',
      confirmationConfig: { uiMode: 'skip' },
    }),
    rpId: 'localhost',
    rpc,
    relay,
    store,
    vrf,
    signers: { acquire: async () => ({ call, end: () => undefined }) },
    page: 'http://localhost',
    logout: new LogoutSignal(),
    contexts: { clear: () => undefined, learnFrom: () => undefined },
    confirmer: () => null,
  } as unknown as FlowContext;
  return { context, chain, journal, store, worker, call, session, ask: relay.createAccountAndRegisterUser };
}

export const refused = (status: number, reason = 'The relay says no.') =>
  new LatchkeyError(RELAY_REFUSED, { values: { reason }, details: { status } });

/** Prepares the browser and the authenticator of a test. */
export function prepare(): void {
  stubBrowser(createPasskey);
}
