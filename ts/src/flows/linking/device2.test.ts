import { beforeEach, describe, expect, it, vi } from 'vitest';
import { resolveConfig } from '../../config.js';
import { LatchkeyError } from '../../errors/index.js';
import type { FlowEvent } from '../../events.js';
import type { LinkEntry } from '../../storage/records.js';
import type { LinkedAccount } from '../../types.js';
import type { SealedKey } from '../../workers/sealed-key.js';
import type { FlowContext } from '../context.js';
import { LogoutSignal } from '../session/logout-signal.js';
import { logout } from '../session/session.js';
import { deferred } from '../testing/deferred.js';
import { finishDeviceLinking, startDevice2LinkingFlow, stopDevice2LinkingFlow } from './device2.js';
import { abandon } from './device2-join.js';
import { resumeLinks } from './resume-links.js';

const ALICE = 'alice.w3a-v1.testnet';
const TEMPORARY = sealedKey('ed25519:temporary');
const OWN = sealedKey('ed25519:own');
const HEIGHT = 1_000;

const createPasskey = vi.hoisted(() => vi.fn());
vi.mock('../../webauthn/passkeys.js', () => ({
  createPasskey,
  assertSecureContext: () => undefined,
  randomChallenge: () => new Uint8Array(32),
}));
vi.mock('./qr-image.js', () => ({ qrImage: async () => 'data:image/png;base64,' }));

function sealedKey(publicKey: string): SealedKey {
  return { publicKey, encryptedData: 'sealed', iv: 'iv' };
}

const challenge = {
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
function make() {
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
    wrappingKey: async () => ({}),
    putSealedKey: async (name: string, _n: number, key: SealedKey) => void sealed.set(name, key),
    sealedKey: async (name: string) => sealed.get(name),
    dropSealedKey: vi.fn(async (name: string) => void sealed.delete(name)),
    pageSettings: async () => ({}),
    authenticatorsOnDevice: async () => [],
    journalEntry: async (_kind: string, id: string) => journal.get(id),
    openEntry: async (entry: LinkEntry) => journal.set(entry.accountId, entry).size > 0,
    updateEntry: async (entry: LinkEntry, change: Partial<LinkEntry>) =>
      void journal.set(entry.accountId, { ...entry, ...change }),
    dropEntry: async ({ accountId }: LinkEntry) => void journal.delete(accountId),
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
    contract_source_metadata: { standards: [{ standard: 'latchkey-registry', version: '1.0.0' }] },
  };
  const rpc = {
    block: async () => ({ header: { height: chain.height, hash: 'hash' } }),
    viewAccount: async () => ({ amount: chain.balance, storage_usage: 500 }),
    viewAccessKey: async (_account: string, key: string) =>
      chain.keys.has(key)
        ? { nonce: 7, permission: 'FullAccess', block_hash: 'hash', block_height: 9 }
        : null,
    viewAccessKeyList: async () => ({
      keys: [...chain.keys].map((key) => ({ public_key: key, access_key: { permission: 'FullAccess' } })),
    }),
    callFunction: async () => ({
      bytes: new TextEncoder().encode(JSON.stringify({ verified: chain.takes, user_exists: true })),
      logs: ['not fresh'],
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
      derived: { publicKey: OWN.publicKey, encryptedPrivateKey: {} },
      sealed: OWN,
    },
    confirmRegistrationCredential: { credentialPublicKey: new Uint8Array() },
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
    contexts: { renew: async () => undefined, clear: () => undefined },
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
async function untilDone(isDone: () => boolean): Promise<void> {
  for (let looks = 0; !isDone() && looks < 8_000; looks += 1) {
    await vi.advanceTimersByTimeAsync(500);
    await new Promise((resolve) => reallyWait(resolve, 2));
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  vi.stubGlobal('navigator', {
    maxTouchPoints: 0,
    userAgent: 'test',
    locks: { request: (_name: string, _options: unknown, work: (lock: object) => unknown) => work({}) },
  });
  createPasskey.mockReset();
  createPasskey.mockImplementation(async () => ({
    registration: { id: 'credential', rawId: 'credential', response: { transports: ['internal'] } },
    prf: {
      kind: 'outputs',
      outputs: { first: new Uint8Array(32).fill(1), second: new Uint8Array(32).fill(2) },
    },
  }));
  return () => vi.useRealTimers();
});

const refused = (reason: string, info?: unknown) =>
  new LatchkeyError('TRANSACTION_FAILED', {
    values: { reason },
    details: { kind: 'invalid_transaction', reason, info },
  });
const unanswered = () =>
  new LatchkeyError('NEAR_RPC_FAILED', {
    values: { reason: 'offline' },
    details: { kind: 'outcome_unknown' },
  });

describe('a device that joins with a temporary key', () => {
  it('swaps its key, registers its passkey, and keeps neither journal entry nor temporary key', async () => {
    const { context, link, chain, store, journal, sealed, events } = make();
    expect(await link()).toMatchObject({
      success: true,
      nearAccountId: ALICE,
      deviceNumber: 2,
      isLoggedIn: true,
    });
    expect(chain.sent).toEqual(['swap', 'registration']);
    expect(vi.mocked(context.rpc.sendTransaction).mock.calls.map(([, level]) => level)).toEqual([
      'FINAL',
      'FINAL',
    ]);
    expect(store.commitEntry).toHaveBeenCalledTimes(1);
    expect([journal.size, sealed.size]).toEqual([0, 0]);
    expect(events.map(({ phase, status }) => `${phase} ${status}`)).toEqual([
      'qr-code-generated success',
      'polling progress',
      'addkey-detected success',
      'registration progress',
      'registration success',
      'linking-complete success',
      'auto-login progress',
      'auto-login success',
    ]);
  });

  it('reports the login state once the linking has ended, not while the code waits to be scanned', async () => {
    const { link, context, events } = make();
    const held: string[] = [];
    const during = (): string => events.at(-1)?.phase ?? 'nothing';
    Object.assign(context, {
      openingSession: async (flow: () => Promise<unknown>) => {
        held.push(during());
        const result = await flow();
        held.push(during());
        return result;
      },
    });
    await link();
    expect(held).toEqual(['addkey-detected', 'auto-login']);
  });

  it('journals each transaction before it leaves', async () => {
    const { link, chain, journal } = make();
    const noted: unknown[] = [];
    chain.onSend = () => void noted.push(structuredClone(journal.get(ALICE)));
    await link();
    expect(noted).toMatchObject([
      { key: OWN, replaces: TEMPORARY, swap: { hash: 'hash 1' }, registration: undefined },
      { swap: { hash: 'hash 1' }, registration: { hash: 'hash 2' } },
    ]);
  });

  it('sends the same bytes up to five times, 2 s apart, when no node answers', async () => {
    const { link, chain, journal, call } = make();
    chain.onSend = () => {
      throw unanswered();
    };
    expect(await link()).toMatchObject({ code: 'LINK_PENDING' });
    expect(chain.sent).toEqual(Array.from({ length: 5 }, () => 'swap'));
    expect(call.mock.calls.filter(([name]) => name === 'signWithSealedKey')).toHaveLength(1);
    expect(journal.get(ALICE)).toMatchObject({ swap: { hash: 'hash 1' } });
  });

  it('signs a transaction again when its nonce was overtaken', async () => {
    const { link, chain } = make();
    let overtaken = 0;
    chain.onSend = () => {
      overtaken += 1;
      if (overtaken === 1) throw refused('InvalidNonce');
    };
    expect(await link()).toMatchObject({ success: true });
    expect(chain.sent).toEqual(['swap', 'swap', 'registration']);
  });

  it('signs it again above the nonce that the refusal names, even if a node that lags is read', async () => {
    const { link, chain, call } = make();
    let sends = 0;
    chain.onSend = () => {
      sends += 1;
      if (sends === 1) throw refused('InvalidNonce', { tx_nonce: 8, ak_nonce: 20 });
    };
    expect(await link()).toMatchObject({ success: true });
    const signed = call.mock.calls
      .filter(([name]) => name === 'signWithSealedKey')
      .map(([, args]) => args[2]);
    expect(signed).toMatchObject([{ nonce: '8' }, { nonce: '21' }, { nonce: '8' }]);
  });

  it.each([
    ['LINK_KEY_GONE', { DeleteKeyDoesNotExist: { account_id: ALICE, public_key: TEMPORARY.publicKey } }],
    ['REGISTRATION_FAILED', { FunctionCallError: { ExecutionError: 'DeleteKeyDoesNotExist' } }],
  ])('reports %s by the name of the swap’s failure, not by its words', async (code, kind) => {
    const { link, chain } = make();
    chain.swapFails = kind;
    chain.onSend = () => chain.keys.delete(TEMPORARY.publicKey);
    expect(await link()).toMatchObject({ code });
  });

  it('continues at the next start where the last visit ended', async () => {
    const { link, chain, context, journal, store } = make();
    chain.onSend = (step) => {
      if (step === 'registration') throw unanswered();
    };
    await link();
    chain.onSend = () => undefined;
    expect(await resumeLinks(context, [...journal.values()])).toMatchObject({ committed: [ALICE] });
    expect(store.commitEntry).toHaveBeenCalledTimes(1);
  });

  it('asks the user to finish when the passkey became too old meanwhile, and finishes with a new one', async () => {
    const { link, chain, context, journal } = make();
    chain.onSend = (step) => {
      if (step === 'registration') throw unanswered();
    };
    await link();
    chain.onSend = () => undefined;
    chain.height += 300;
    expect(await resumeLinks(context, [...journal.values()])).toMatchObject({ unfinished: [ALICE] });
    expect(journal.size).toBe(1);
    challenge.blockHeight = String(chain.height);
    let finished: LinkedAccount | undefined;
    void finishDeviceLinking(context, ALICE, {}).then((result) => {
      finished = result;
    });
    await untilDone(() => finished !== undefined);
    challenge.blockHeight = String(HEIGHT);
    expect(finished).toMatchObject({ success: true });
  });

  it('has nothing to finish where no linking began', async () => {
    const { context } = make();
    expect(await finishDeviceLinking(context, ALICE, {})).toMatchObject({
      success: false,
      errorCode: 'LINK_NOT_FOUND',
    });
  });
});

describe('a failed linking', () => {
  type Made = ReturnType<typeof make>;
  const crypto = new LatchkeyError('CRYPTO_FAILED', { values: { reason: 'no key' } });
  const cases: readonly [code: string, message: string, spoil: (made: Made) => void, accountId?: string][] = [
    [
      'CANCELLED',
      'User cancelled link-device confirmation (Option F)',
      ({ decision }) => {
        decision.value = 'cancel';
      },
    ],
    [
      'CANCELLED',
      'User cancelled link-device confirmation',
      ({ decision, context }) => {
        decision.value = 'cancel';
        Object.assign(context.config.confirmationConfig, { behavior: 'requireClick' });
      },
      ALICE,
    ],
    [
      'VRF_DERIVATION_FAILED',
      'Failed to derive VRF keypair from PRF for real account',
      ({ worker }) => {
        worker.deriveKeypairFromPrf = crypto;
      },
    ],
    [
      'VRF_DERIVATION_FAILED',
      'Failed to derive VRF keypair from PRF for Option E',
      ({ worker }) => {
        worker.deriveKeypairFromPrf = crypto;
      },
      ALICE,
    ],
    [
      'CRYPTO_FAILED',
      'Failed to derive NEAR keypair in step 1',
      ({ worker }) => {
        worker.deriveAndSeal = crypto;
      },
    ],
    [
      'PASSKEY_SYNCED',
      `A passkey of ${ALICE} is on this device already, synced from another one. Recover the account with it: no linking is needed.`,
      () => {
        createPasskey.mockRejectedValueOnce(
          new LatchkeyError('PASSKEY_EXISTS', { values: { account: ALICE } }),
        );
      },
    ],
    [
      'REGISTRATION_FAILED',
      'Missing temporary private key or account ID for key replacement',
      ({ store }) => {
        store.sealedKey = async () => undefined;
      },
    ],
    [
      'REGISTRATION_FAILED',
      'Key replacement failed: The chain rejected the transaction: InvalidSignature',
      ({ chain }) => {
        chain.onSend = () => {
          throw refused('InvalidSignature');
        };
      },
    ],
    [
      'LINK_KEY_GONE',
      `The key of this device is not on ${ALICE} any more`,
      ({ chain }) => {
        chain.onSend = () => {
          chain.keys.delete(TEMPORARY.publicKey);
          throw refused('InvalidAccessKeyError');
        };
      },
    ],
    [
      'INSUFFICIENT_BALANCE',
      `${ALICE} has 0.001 NEAR free, and this needs 0.04665 NEAR`,
      ({ chain }) => {
        chain.balance = `1${'0'.repeat(21)}`;
      },
    ],
    [
      'INSUFFICIENT_BALANCE',
      `${ALICE} has 0.001 NEAR free, and this needs 0.02 NEAR`,
      ({ chain }) => {
        chain.onSend = () => {
          throw refused('NotEnoughBalance', { balance: `1${'0'.repeat(21)}`, cost: `2${'0'.repeat(22)}` });
        };
      },
    ],
    [
      'SIGNING_FAILED',
      'Failed to sign registration transaction',
      ({ chain, worker }) => {
        chain.onSend = () => {
          worker.signWithSealedKey = crypto;
        };
      },
    ],
    [
      'REGISTRATION_FAILED',
      'WebAuthn credential not available after VRF migration',
      ({ store, journal }) => {
        store.openEntry = async (entry) =>
          journal.set(entry.accountId, Object.assign(entry, { request: {} })).size > 0;
      },
    ],
    [
      'REGISTRATION_FAILED',
      'The registry did not take this device: it gave no reason',
      ({ chain }) => {
        chain.verified = false;
      },
    ],
    [
      'REGISTRATION_FAILED',
      'The registry did not take this device: not fresh',
      ({ chain }) => {
        chain.takes = false;
      },
    ],
    [
      'ACCOUNT_NOT_OWNED',
      `${ALICE} names the key of this device, but has not added it`,
      ({ chain }) => {
        chain.keys.delete(TEMPORARY.publicKey);
      },
    ],
  ];

  it.each(cases)('reports %s: %s', async (code, message, spoil, accountId) => {
    const made = make();
    spoil(made);
    const end = await made.link(accountId);
    expect(end).toMatchObject({ code });
    expect('message' in end && end.message).toContain(message);
    expect(made.events.at(-1)).toMatchObject({ status: 'error', step: 0, error: { code } });
    expect(made.sealed.size).toBe(0);
    expect(made.store.commitEntry).not.toHaveBeenCalled();
  });

  it('reports SESSION_EXPIRED when every new passkey comes too late', async () => {
    const { link, chain } = make();
    chain.verified = false;
    chain.onSend = (step) => {
      if (step === 'registration') chain.height += 300;
    };
    expect(await link()).toMatchObject({ code: 'SESSION_EXPIRED', message: 'Session expired' });
  });

  it('logs only a warning when the cleanup fails too, and keeps the first error', async () => {
    const { link, chain, store, warn, worker } = make();
    chain.onSend = () => {
      worker.status = new Error('the worker is gone');
      store.journalEntry = async () => {
        throw new Error('the disk is gone');
      };
      throw refused('InvalidSignature');
    };
    store.dropSealedKey.mockRejectedValueOnce(new Error('the disk is gone'));
    expect(await link()).toMatchObject({ code: 'REGISTRATION_FAILED' });
    expect(warn.mock.calls.map(([text]) => text)).toEqual([
      'Device linking could not look for what is left',
      'Device linking could not drop the temporary key',
    ]);
  });

  it('stops polling when the code expires', async () => {
    const { context, link, chain } = make();
    chain.mapping = null;
    const looks: number[] = [];
    const begin = Date.now();
    vi.spyOn(context.rpc, 'callFunctionJson').mockImplementation(async (_schema, _contract, method) => {
      expect(method).toBe('get_device_linking_account');
      looks.push(Date.now() - begin);
      return null;
    });
    expect(await link()).toEqual({ code: 'SESSION_EXPIRED', message: 'Device linking session expired' });
    // Every 3 s for 15 minutes. The clock goes on while a real digest is computed.
    const gaps = looks.slice(1).map((look, index) => look - (looks[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(3_000);
    expect(Math.max(...gaps)).toBeLessThan(6_000);
    expect(looks.at(-1)).toBeGreaterThan(14.5 * 60_000);
    const polled = looks.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(looks).toHaveLength(polled);
  });
});

describe('a stopped flow', () => {
  it('shows no code and asks for no passkey when it has just begun', async () => {
    const { context, chain, sealed } = make();
    chain.mapping = null;
    const errors: string[] = [];
    const onError = ({ code }: { code?: string }): void => void errors.push(code ?? '');
    const starts = [{}, { accountId: ALICE }].map(async (options) => {
      const started = startDevice2LinkingFlow(context, { ...options, onError });
      await stopDevice2LinkingFlow(context);
      return started.then(
        () => 'shown',
        (error: { code?: string }) => error.code,
      );
    });
    expect(await Promise.all(starts)).toEqual(['CANCELLED', 'CANCELLED']);
    expect(errors).toEqual(['CANCELLED', 'CANCELLED']);
    expect(createPasskey).not.toHaveBeenCalled();
    expect(sealed.size).toBe(0);
  });

  it('leaves exactly one flow when a second start follows immediately, and that one can be stopped', async () => {
    const { context, chain, sealed } = make();
    chain.mapping = null;
    const ends: unknown[] = [];
    const start = () =>
      startDevice2LinkingFlow(context, { onError: (error) => void ends.push((error as LatchkeyError).code) });
    const [first, second] = await Promise.allSettled([start(), start()]);
    expect([first?.status, second?.status]).toEqual(['rejected', 'fulfilled']);
    expect(ends).toEqual(['CANCELLED']);
    await stopDevice2LinkingFlow(context);
    expect(ends).toEqual(['CANCELLED', 'CANCELLED']);
    expect(sealed.size).toBe(0);
  });

  it('can be followed by a flow that its own onError starts', async () => {
    const { context, chain } = make();
    chain.mapping = null;
    let shownAgain = false;
    let isEnded = false;
    await startDevice2LinkingFlow(context, {
      // The flow waits for the returned promise.
      onError: async () => {
        await startDevice2LinkingFlow(context, {});
        shownAgain = true;
      },
    });
    void stopDevice2LinkingFlow(context).then(() => {
      isEnded = true;
    });
    await untilDone(() => shownAgain && isEnded);
    expect([shownAgain, isEnded]).toEqual([true, true]);
    await stopDevice2LinkingFlow(context);
  });
});

describe('the session', () => {
  it("becomes the linking's session when this device logs in", async () => {
    const { link, vrf, beside, call } = make();
    expect(await link()).toMatchObject({ success: true, isLoggedIn: true });
    expect(vrf.takeOver.mock.calls).toEqual([[beside]]);
    expect(call.mock.calls.map(([name]) => name)).not.toContain('logout');
  });

  it('stays with an account that logged in after a logout', async () => {
    const { context, link, chain, vrf, beside } = make();
    chain.onSend = (step) => {
      if (step === 'registration') void logout(context);
    };
    expect(await link()).toMatchObject({ success: true, isLoggedIn: false });
    expect(vrf.takeOver).not.toHaveBeenCalled();
    expect(beside.close).toHaveBeenCalled();
  });

  it('survives a linking that fails', async () => {
    const { link, chain, vrf, beside, call } = make();
    chain.onSend = () => {
      throw refused('InvalidSignature');
    };
    expect(await link()).toMatchObject({ code: 'REGISTRATION_FAILED' });
    expect(vrf.takeOver).not.toHaveBeenCalled();
    expect(call.mock.calls.map(([name]) => name)).not.toContain('logout');
    expect(beside.close).toHaveBeenCalled();
  });
});

it('a slow browser is not taken for another tab that links', async () => {
  // The browser answers only a request without a time limit.
  const request = async (_name: string, { signal }: LockOptions, work: (lock: object) => unknown) => {
    if (signal) throw new DOMException('too long', 'TimeoutError');
    return work({});
  };
  vi.stubGlobal('navigator', { ...navigator, locks: { request } });
  expect(await make().link()).toMatchObject({ success: true });
});

describe('a linking that begins while another one runs', () => {
  /** Another linking holds the lock. */
  const held = {
    locks: {
      request: async (_name: string, { ifAvailable }: LockOptions, work: (lock: null) => unknown) => {
        if (ifAvailable) return work(null);
        throw new DOMException('too long', 'TimeoutError');
      },
    },
  };

  it('says so when the other one runs in another tab', async () => {
    vi.stubGlobal('navigator', { ...navigator, ...held });
    expect(await make().link()).toMatchObject({
      code: 'LINK_BUSY',
      message: expect.stringContaining('Another tab of this site is linking this device.'),
    });
  });

  it('says so when this page is just finishing an earlier one', async () => {
    const { context, link, chain } = make();
    chain.mapping = null;
    const go = deferred<undefined>();
    Object.assign(context.rpc, { viewAccessKeyList: () => go.promise.then(() => ({ keys: [] })) });
    const entry = {
      accountId: ALICE,
      createdAt: Date.now(),
      key: OWN,
      replaces: null,
    } as unknown as LinkEntry;
    const resuming = resumeLinks(context, [entry]);
    vi.stubGlobal('navigator', { ...navigator, ...held });
    expect(await link()).toMatchObject({
      code: 'LINK_BUSY',
      message:
        'An earlier linking of this device is just being finished on this page. Try again in a moment.',
    });
    go.resolve(undefined);
    expect(await resuming).toMatchObject({ pending: [ALICE] });
  });
});

describe('a lagging node', () => {
  it('does not undo the linking of a passkey whose key another node has already shown', async () => {
    const { link, chain, context } = make();
    chain.keys.add(OWN.publicKey);
    const { viewAccessKeyList } = context.rpc;
    let lists = 0;
    Object.assign(context.rpc, {
      viewAccessKeyList: async (account: string) => {
        lists += 1;
        return lists > 2 ? viewAccessKeyList(account) : { keys: [] };
      },
    });
    expect(await link(ALICE)).toMatchObject({ success: true });
    expect(chain.sent).toEqual(['registration']);
  });

  /** Makes the next answer of the key list come from a block before the key was added. */
  const lagOnce = ({ context }: ReturnType<typeof make>) => {
    const { viewAccessKeyList } = context.rpc;
    Object.assign(context.rpc, {
      viewAccessKeyList: async () => {
        Object.assign(context.rpc, { viewAccessKeyList });
        return { keys: [] };
      },
    });
  };

  it('does not end an earlier linking: the next start continues with its passkey', async () => {
    const made = make();
    const { link, chain, journal } = made;
    chain.keys.add(OWN.publicKey);
    chain.onSend = () => {
      throw unanswered();
    };
    expect(await link(ALICE)).toMatchObject({ code: 'LINK_PENDING' });
    expect(journal.size).toBe(1);
    chain.onSend = () => undefined;
    lagOnce(made);
    expect(await link(ALICE)).toMatchObject({ success: true });
    expect(createPasskey).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['shows the key at last', {}],
    [
      'never shows it, and something was sent',
      { registration: { hash: 'hash', borshBytes: Uint8Array.of(2) } },
    ],
  ])('does not make a failed linking be dropped when it %s', async (_, sent) => {
    const made = make();
    const { context, chain, journal } = made;
    const entry = {
      kind: 'link',
      accountId: ALICE,
      key: OWN,
      replaces: null,
      ...sent,
    } as unknown as LinkEntry;
    journal.set(ALICE, entry);
    if (!('registration' in sent)) {
      chain.keys.add(OWN.publicKey);
      lagOnce(made);
    }
    let isOver = false;
    void abandon(context, entry, new LatchkeyError('SESSION_EXPIRED')).then(() => {
      isOver = true;
    });
    await untilDone(() => isOver);
    expect(journal.get(ALICE)).toBe(entry);
    expect(made.warn).not.toHaveBeenCalled();
  });

  it('is believed after several looks, and a linking that came to nothing is dropped', async () => {
    const { context, journal } = make();
    const entry = { kind: 'link', accountId: ALICE, key: OWN, replaces: null } as unknown as LinkEntry;
    journal.set(ALICE, entry);
    void abandon(context, entry, new LatchkeyError('SESSION_EXPIRED'));
    await untilDone(() => journal.size === 0);
    expect(journal.size).toBe(0);
  });

  it('does not bring back the swapped key: the key on the account keeps signing', async () => {
    const { link, chain, context, journal } = make();
    const { viewAccessKeyList } = context.rpc;
    let isLagging = false;
    Object.assign(context.rpc, {
      viewAccessKeyList: async (account: string) =>
        isLagging
          ? { keys: [{ public_key: TEMPORARY.publicKey, access_key: { permission: 'FullAccess' } }] }
          : viewAccessKeyList(account),
    });
    chain.onSend = (step) => {
      if (step === 'swap') isLagging = true;
      // Another device took the number meanwhile.
      if (step === 'registration' && chain.counter === 1) {
        chain.counter = 2;
        chain.verified = false;
      }
    };
    const openedAnew: unknown[] = [];
    Object.assign(context.store, {
      updateEntry: async (entry: LinkEntry, change: Partial<LinkEntry>) => {
        journal.set(entry.accountId, { ...entry, ...change });
        if (change.deviceNumber === 3) openedAnew.push(change);
      },
    });
    await link();
    expect(openedAnew).toMatchObject([{ replaces: OWN }]);
  });
});

describe('a key that is removed while its passkey is being registered', () => {
  it('ends the linking with LINK_KEY_GONE and leaves no entry to continue', async () => {
    const { link, chain, journal } = make();
    chain.keys.add(OWN.publicKey);
    chain.onSend = () => void chain.keys.delete(OWN.publicKey);
    expect(await link(ALICE)).toMatchObject({ code: 'LINK_KEY_GONE' });
    expect(journal.size).toBe(0);
  });
});

describe('a registered passkey whose key is off the account', () => {
  it('does not prevent its device from being linked again', async () => {
    const { link, context } = make();
    const { callFunctionJson } = context.rpc;
    const registered = (key: string) => ({
      near_public_key: key,
      transports: ['internal'],
      device_number: 1,
    });
    let isFirst = true;
    Object.assign(context.rpc, {
      callFunctionJson: async (...args: Parameters<typeof callFunctionJson>) => {
        if (args[2] !== 'get_authenticators_by_user' || !isFirst) return callFunctionJson(...args);
        isFirst = false;
        return [
          ['alive', registered('ed25519:first')],
          ['dead', registered('ed25519:removed')],
        ];
      },
    });
    expect(await link()).toMatchObject({ success: true });
    expect(createPasskey.mock.calls[0]?.[0]).toMatchObject({ exclude: [{ credentialId: 'alive' }] });
  });
});
