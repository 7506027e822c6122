/** A device that joins an account: a chain that executes what it receives, workers with set answers, and a store. */
import { vi } from 'vitest';
import { resolveConfig } from '../../config.js';
import { LatchkeyError, NEAR_RPC_FAILED, TRANSACTION_FAILED } from '../../errors/core.js';
import type { FlowEvent } from '../../events.js';
import { OUR_METADATA } from '../../registry/testing/our-registry.js';
import type { LinkEntry } from '../../storage/records.js';
import type { LinkedAccount } from '../../types.js';
import type { SealedKey } from '../../workers/sealed-key.js';
import type { FlowContext } from '../context.js';
import { startDevice2LinkingFlow, stopDevice2LinkingFlow } from '../linking/device2.js';
import { LogoutSignal } from '../session/logout-signal.js';
import { PLATFORM_MODEL } from './answers.js';
import { memoryJournal } from './memory-journal.js';
import { stubBrowser } from './stub-browser.js';

export const ALICE = 'alice.w3a-v1.testnet';
export const TEMPORARY = sealedKey('ed25519:temporary');
export const OWN = sealedKey('ed25519:own');
export const HEIGHT = 1_000;
/** What storage keeps of a linking's private key. */
export const UNDER_PRF = { encryptedData: 'under PRF.first', iv: 'iv' };

const mocked = vi.hoisted(() => ({ createPasskey: vi.fn(), assertPasskey: vi.fn() }));
vi.mock('../../webauthn/device-check.js', () => ({ assertDevice: async () => undefined }));
vi.mock('../../webauthn/passkeys.js', () => ({
  ...mocked,
  assertSecureContext: () => undefined,
  randomChallenge: () => new Uint8Array(32),
}));
vi.mock('../linking/qr-image.js', () => ({ qrImage: async () => 'data:image/png;base64,' }));

export const { createPasskey, assertPasskey } = mocked;

function sealedKey(publicKey: string): SealedKey {
  return { publicKey, encryptedData: 'sealed', iv: 'iv' };
}

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

/** What a worker's method answers or throws, by its name. */
type Answers = Record<string, unknown>;

/** A chain that executes what it receives unless a test changes that, workers with set answers, and a store. */
export function make() {
  const chain = {
    keys: new Set(['ed25519:first', TEMPORARY.publicKey]),
    mapping: [ALICE, 1] as unknown,
    counter: 1,
    height: HEIGHT,
    registered: false,
    balance: `1${'0'.repeat(24)}`,
    /** The verdict of check_can_register_user. */
    takes: true,
    verified: true,
    sent: [] as string[],
    /** Called with each transaction; the chain answers with what it throws. */
    onSend: (_step: string): unknown => undefined,
    /** The `ActionErrorKind` with which the chain executes the swap. */
    swapFails: undefined as unknown,
  };
  const journal = new Map<string, LinkEntry>();
  const sealed = new Map<string, SealedKey>();
  const store = {
    sealedKeys: {
      wrappingKey: async () => ({}),
      put: async (name: string, _n: number, key: SealedKey) => void sealed.set(name, key),
      get: async (name: string) => sealed.get(name),
      drop: vi.fn(async (name: string) => void sealed.delete(name)),
    },
    journal: memoryJournal(journal),
    pageSettings: async () => ({}),
    authenticatorsOnDevice: async () => [],
    commitEntry: vi.fn(async ({ accountId }: LinkEntry) => void journal.delete(accountId)),
    updateUser: async () => undefined,
    setLastUser: async () => undefined,
  };
  const record = {
    device_number: 2,
    near_public_key: OWN.publicKey,
    vrf_public_keys: [Uint8Array.of(1), Uint8Array.of(2)],
    transports: [],
  };
  const view: Answers = {
    get get_device_linking_account() {
      return chain.mapping;
    },
    get get_device_counter() {
      return chain.counter;
    },
    get get_authenticators_by_user() {
      return chain.registered ? [['credential', record]] : [];
    },
    get_vrf_settings: { max_block_age: 200 },
    get_registration_cost: '25700000000000000000000',
    contract_source_metadata: OUR_METADATA,
  };
  const rpc = {
    block: async () => ({ header: { height: chain.height, hash: 'hash' } }),
    head: async () => (await rpc.block()).header,
    viewAccount: async () => ({ amount: chain.balance, storage_usage: 500 }),
    viewAccessKey: async (_account: string, key: string) =>
      chain.keys.has(key)
        ? { nonce: 7, permission: 'FullAccess', block_hash: 'hash', block_height: 9 }
        : null,
    viewAccessKeyList: async () => ({
      keys: [...chain.keys].map((key) => ({ public_key: key, access_key: { permission: 'FullAccess' } })),
    }),
    callFunction: async (_contract: string, method: string) => ({
      bytes: new TextEncoder().encode(
        JSON.stringify(method in view ? view[method] : { verified: chain.takes, user_exists: true }),
      ),
      logs: ['not fresh'],
      blockHeight: chain.height,
    }),
    callFunctionJson: async (_schema: unknown, _contract: string, method: string) => view[method],
    sendTransaction: vi.fn(async (bytes: Uint8Array) => {
      const step = bytes[0] === 1 ? 'swap' : 'registration';
      chain.sent.push(step);
      chain.onSend(step);
      if (step === 'swap' && chain.swapFails) {
        const status = { Failure: { ActionError: { index: 1, kind: chain.swapFails } } };
        return { transactionId: step, final_execution_status: 'FINAL', status };
      }
      if (step === 'swap') {
        chain.keys.delete(TEMPORARY.publicKey);
        chain.keys.add(OWN.publicKey);
      } else if (chain.verified) {
        chain.registered = true;
      }
      const answer = btoa(JSON.stringify({ verified: chain.verified }));
      return { transactionId: step, final_execution_status: 'FINAL', status: { SuccessValue: answer } };
    }),
  };
  const worker: Answers = {
    generateKeypairBootstrap: { challenge },
    deriveKeypairFromPrf: { vrfPublicKey: 'Ag', encryptedVrfKeypair: {} },
    makeSealedKeyPair: TEMPORARY,
    deriveAndSeal: {
      derived: { publicKey: OWN.publicKey, encryptedPrivateKey: UNDER_PRF },
      sealed: OWN,
      other: UNDER_PRF,
    },
    sealFromPasskey: [OWN, TEMPORARY],
    confirmRegistrationCredential: {
      credentialPublicKey: new Uint8Array(),
      userVerified: true,
      aaguid: PLATFORM_MODEL,
    },
    status: { active: true, accountId: ALICE, vrfPublicKey: 'Ag' },
  };
  const call = vi.fn(async (name: string, args: readonly unknown[]) => {
    const answer = worker[name];
    if (answer instanceof Error) throw answer;
    if (name !== 'signWithSealedKey' || answer) return answer;
    const key = args[1] as SealedKey;
    const step = key.publicKey === TEMPORARY.publicKey ? 1 : 2;
    return { hash: `hash ${step}`, borshBytes: Uint8Array.of(step) };
  });
  const warn = vi.fn();
  /** A linking's own VRF worker, which answers like the session's. */
  const beside = { call, close: vi.fn() };
  const vrf = { call, close: vi.fn(), beside: () => beside, takeOver: vi.fn() };
  const context = {
    config: {
      ...resolveConfig({ relayer: { url: 'http://localhost:9' }, shamir3pass: false }),
      logger: { debug: warn, info: warn, warn, error: warn },
    },
    rpId: 'localhost',
    rpc,
    store,
    vrf,
    signers: { acquire: async () => ({ call, end: () => undefined }) },
    contexts: { renew: async () => undefined, learnAccount: () => undefined, clear: () => undefined },
    logout: new LogoutSignal(),
    closing: new AbortController().signal,
    page: 'http://localhost',
    confirmer: () => ({ show: async () => decision.value }),
  } as unknown as FlowContext;
  const decision = { value: 'confirm' };
  const events: FlowEvent<'linking'>[] = [];

  /** Starts, and waits for the end: a result or the error. */
  async function link(accountId?: string): Promise<LinkedAccount | { code: string; message: string }> {
    let end: LinkedAccount | { code: string; message: string } | undefined;
    const started = startDevice2LinkingFlow(context, {
      ...(accountId !== undefined && { accountId }),
      onEvent: (event) => events.push(event),
      onError: ({ code, message }) => {
        end = { code, message };
      },
      afterCall: (success, result) => {
        if (success) end = result;
      },
    });
    started.catch(() => undefined);
    await untilDone(() => end !== undefined);
    await stopDevice2LinkingFlow(context);
    return end as LinkedAccount | { code: string; message: string };
  }
  return { context, chain, store, journal, sealed, worker, call, vrf, beside, decision, events, link, warn };
}

const reallyWait = globalThis.setTimeout;

/** Advances the clock in small steps, since the digests are computed in real time. */
export async function untilDone(isDone: () => boolean): Promise<void> {
  for (let looks = 0; !isDone() && looks < 8_000; looks += 1) {
    await vi.advanceTimersByTimeAsync(500);
    await new Promise((resolve) => reallyWait(resolve, 2));
  }
}

/** Prepares the clock, the browser and the authenticator of a test; returns what ends it. */
export function prepare(): () => void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  stubBrowser(createPasskey);
  return () => void vi.useRealTimers();
}

export const refused = (reason: string, info?: unknown) =>
  new LatchkeyError(TRANSACTION_FAILED, {
    values: { reason },
    details: { kind: 'invalid_transaction', reason, info },
  });
export const unanswered = () =>
  new LatchkeyError(NEAR_RPC_FAILED, {
    values: { reason: 'offline' },
    details: { kind: 'outcome_unknown' },
  });
