/** The path of PRF.first through a signing, with both WASM modules as shipped. */
import { readFileSync } from 'node:fs';
import { base58, base64urlnopad } from '@scure/base';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as signerWasm from '../../../wasm/signer/signer.js';
import * as vrfWasm from '../../../wasm/vrf/vrf.js';
import { resolveConfig } from '../../config.js';
import { HOST_NOT_IN_REGISTRY } from '../../errors/frame.js';
import { CRYPTO_FAILED, LatchkeyError } from '../../errors/wallet.js';
import type { Credentials } from '../../webauthn/credentials.js';
import { approving } from '../../workers/proving.js';
import type { CallOptions } from '../../workers/rpc.js';
import type { Unproven } from '../../workers/signer-api.js';
import type { FlowContext } from '../context.js';
import { LogoutSignal } from '../session/logout-signal.js';
import { VERIFIED_DATA } from '../testing/answers.js';
import { signTransactionsWithActions } from './sign-batch.js';
import { signDelegateAction } from './sign-delegate.js';
import { signNEP413Message } from './sign-nep413.js';
import { TransactionContexts } from './transaction-contexts.js';

const ALICE = 'alice.testnet';
const RP_ID = 'localhost';
const BLOCK_HASH = base58.encode(new Uint8Array(32).fill(7));
const prfFirst = () => Uint8Array.from({ length: 32 }, (_, index) => index + 100);
const prfSecond = () => new Uint8Array(32).fill(5);
const greet = {
  receiverId: 'w3a-v1.testnet',
  actions: [{ type: 'FunctionCall', methodName: 'set_greeting', args: '{}' }],
} as const;

const wasmOf = (name: string) => readFileSync(new URL(`../../../wasm/${name}_bg.wasm`, import.meta.url));
beforeAll(() => {
  signerWasm.initSync({ module: wasmOf('signer/signer') });
  vrfWasm.initSync({ module: wasmOf('vrf/vrf') });
});
beforeEach(() => {
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('PublicKeyCredential', class {});
  vi.stubGlobal('navigator', { maxTouchPoints: 0, userAgent: 'test', credentials: {}, locks: undefined });
});

type Wasm = Record<string, (...args: unknown[]) => unknown>;

/** A logged-in wallet. Its signer gets what a worker gets: a structured clone, with buffers transferred. */
function make({
  verified = true as boolean | Promise<boolean>,
  prf = prfFirst(),
  second = prfSecond(),
  passkeyProven = true,
  known = {},
  attachment = undefined as string | undefined,
} = {}) {
  const updates: object[] = [];
  const steps: string[] = [];
  /** Every buffer that the prompt returned, as the page holds it. */
  const given: Uint8Array[] = [];
  /** Each call of the signer, with its arguments as the worker received them. */
  const calls: { readonly name: string; readonly args: readonly unknown[] }[] = [];
  const spoil: { approve?: () => void } = {};
  const key = signerWasm.deriveAndEncrypt(ALICE, prfFirst(), prfSecond());
  const { vrfPublicKey } = vrfWasm.deriveKeypairFromPrf(ALICE, prfFirst(), true);
  const signer = {
    call: async (name: string, args: unknown[], options: CallOptions = {}) => {
      steps.push(name);
      if (name === 'approve') spoil.approve?.();
      const received = structuredClone(args, { transfer: [...(options.transfer ?? [])] as ArrayBuffer[] });
      calls.push({ name, args: structuredClone(received) });
      const run = () => (signerWasm as unknown as Wasm)[name]?.(...received);
      if (name !== 'approve') return run();
      try {
        return approving(received[1] as Uint8Array, received[5] as Unproven | undefined, run);
      } catch (error) {
        const details = { workerCode: (error as { code: string }).code };
        throw new LatchkeyError(CRYPTO_FAILED, { message: 'refused', details });
      }
    },
    end: () => void steps.push('end'),
  };
  const credentials: Credentials = {
    create: () => Promise.reject(new Error('no passkey is made here')),
    get: async ({ challenge }) => {
      steps.push('prompt');
      const outputs = { first: prf.slice(), second: second.slice() };
      given.push(outputs.first, outputs.second);
      const clientData = JSON.stringify({
        type: 'webauthn.get',
        challenge: base64urlnopad.encode(new Uint8Array(challenge as ArrayBuffer)),
        origin: 'http://localhost',
        crossOrigin: false,
      });
      const clientDataJSON = base64urlnopad.encode(new TextEncoder().encode(clientData));
      const response = { clientDataJSON, authenticatorData: VERIFIED_DATA, signature: 'AA' };
      const authentication = {
        id: 'AQ',
        rawId: 'AQ',
        type: 'public-key' as const,
        response,
        ...(attachment && { authenticatorAttachment: attachment }),
      };
      return { authentication, prf: { kind: 'outputs', outputs } };
    },
  };
  const rpc = {
    viewAccessKey: async () => ({
      nonce: 100,
      permission: 'FullAccess',
      block_height: 9,
      block_hash: BLOCK_HASH,
    }),
    callFunction: async () => {
      steps.push('registry');
      const answer = JSON.stringify({ verified: await verified });
      return { bytes: new TextEncoder().encode(answer), logs: [] };
    },
  } as never;
  const contexts = new TransactionContexts(rpc, () => undefined);
  const reserve = contexts.reserve.bind(contexts);
  vi.spyOn(contexts, 'reserve').mockImplementation(async (...args) => {
    steps.push('reserve');
    return reserve(...args);
  });
  const device = { nearAccountId: ALICE, deviceNumber: 1 };
  const context = {
    config: resolveConfig({
      relayer: { url: 'http://localhost:9' },
      logLevel: 'silent',
      confirmationConfig: { uiMode: 'skip' },
    }),
    rpId: RP_ID,
    credentials,
    rpc,
    store: {
      user: async () => ({ ...device, clientNearPublicKey: key.publicKey, passkeyProven, ...known }),
      updateUser: async (_account: string, _device: number, change: object) => void updates.push(change),
      authenticators: async () => [{ ...device, credentialId: 'AQ', transports: [], vrfPublicKey }],
      encryptedKey: async () => ({ ...device, ...key.encryptedPrivateKey }),
      pageSettings: async () => ({}),
    },
    signers: { acquire: async () => signer },
    vrf: { call: async (name: string, args: unknown[]) => (vrfWasm as unknown as Wasm)[name]?.(...args) },
    contexts,
    page: 'http://localhost',
    logout: new LogoutSignal(),
    confirmer: () => null,
  } as unknown as FlowContext;
  return { context, steps, given, calls, spoil, updates };
}

/** Counts the occurrences of `secret` in `value`, at any depth. */
function count(secret: Uint8Array, value: unknown): number {
  if (value instanceof Uint8Array) return Buffer.from(value).includes(Buffer.from(secret)) ? 1 : 0;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, inner) => sum + count(secret, inner), 0);
}

const flows = {
  transactions: (context: FlowContext) => signTransactionsWithActions(context, ALICE, [greet, greet], {}),
  delegate: (context: FlowContext) => signDelegateAction(context, { accountId: ALICE, ...greet }, {}),
  message: (context: FlowContext) => signNEP413Message(context, ALICE, { message: 'm', recipient: 'r' }, {}),
};
const signCalls = { transactions: 'sign', delegate: 'signDelegates', message: 'signNep413' } as const;
const kinds = Object.keys(flows) as (keyof typeof flows)[];

describe.each(kinds)('PRF.first in signing (%s) (frame 8)', (kind) => {
  it('goes from the prompt straight to the signer, once, before the flow waits for anything [S1]', async () => {
    const { context, steps, calls, given } = make();
    await flows[kind](context);
    const own = steps.filter((step) => step !== 'registry');
    expect(own).toEqual([
      kind === 'message' ? 'prepareNep413' : 'prepareTransactions',
      'prompt',
      'approve',
      ...(kind === 'message' ? [] : ['reserve']),
      signCalls[kind],
      'end',
    ]);
    expect(calls.filter(({ args }) => count(prfFirst(), args) > 0).map(({ name }) => name)).toEqual([
      'approve',
    ]);
    expect(count(prfFirst(), calls.find(({ name }) => name === 'approve')?.args)).toBe(1);
    const [first, second] = given;
    expect(first?.byteLength).toBe(0);
    expect(second).toEqual(new Uint8Array(32));
  });

  it('never exists where the registry would refuse the page around the wallet', async () => {
    const { context, steps } = make();
    const assertHost = () => Promise.reject(new LatchkeyError(HOST_NOT_IN_REGISTRY));
    const end = await Promise.resolve(flows[kind]({ ...context, assertHost })).catch((error) => error);
    expect(JSON.stringify([end, end.code])).toContain('HOST_NOT_IN_REGISTRY');
    expect(steps).not.toContain('prompt');
  });

  it('is wiped when it could not be handed over [S1]', async () => {
    const { context, given, spoil } = make();
    spoil.approve = () => {
      throw new Error('no worker');
    };
    await Promise.resolve(flows[kind](context)).catch(() => undefined);
    expect(given).toEqual([new Uint8Array(32), new Uint8Array(32)]);
  });

  it('of another passkey signs nothing and takes no nonce', async () => {
    const { context, steps, given } = make({ prf: new Uint8Array(32).fill(9) });
    await Promise.resolve(flows[kind](context)).catch(() => undefined);
    expect(steps).toContain('approve');
    expect(steps).not.toContain('reserve');
    expect(steps).not.toContain(signCalls[kind]);
    expect(steps.at(-1)).toBe('end');
    expect(given[0]?.byteLength).toBe(0);
  });

  it('lets the signer sign before the registry answers, but nothing leaves before its verdict [S10]', async () => {
    let decide: (verified: boolean) => void = () => undefined;
    const { context, steps } = make({
      verified: new Promise((resolve) => {
        decide = resolve;
      }),
    });
    let settled = false;
    const flow = flows[kind](context)
      .then(
        (result) => result,
        (error) => error,
      )
      .finally(() => {
        settled = true;
      });
    await expect.poll(() => steps).toContain(signCalls[kind]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(settled).toBe(false);
    decide(false);
    const result = await flow;
    expect([result.code, result.errorCode]).toContain('VERIFICATION_FAILED');
    expect(JSON.stringify(result)).not.toMatch(/signature":"|signedDelegate":"/);
  });
});

describe.each(kinds)('a passkey that is not proven (%s) (core 5)', (kind) => {
  it('gives the signer PRF.second too, once, and counts as proven where it derives the key', async () => {
    const { context, calls, given, updates } = make({ passkeyProven: false });
    await flows[kind](context);
    for (const output of [prfFirst(), prfSecond()])
      expect(calls.filter(({ args }) => count(output, args) > 0).map(({ name }) => name)).toEqual([
        'approve',
      ]);
    expect(given.map(({ byteLength }) => byteLength)).toEqual([0, 0]);
    expect(updates).toMatchObject([{ passkeyProven: true }]);
  });

  it('signs also where PRF.second comes differently, because its owner can move the money away, and stays unproven', async () => {
    const { context, steps, updates } = make({ passkeyProven: false, second: new Uint8Array(32).fill(6) });
    await flows[kind](context);
    expect(steps).toContain(signCalls[kind]);
    expect(updates).toMatchObject([{ passkeyProven: false }]);
  });

  it('that opens nothing says that it answered differently this time, and is proven no longer', async () => {
    const { context, updates } = make({ prf: new Uint8Array(32).fill(9) });
    const end = await Promise.resolve(flows[kind](context)).catch((error) => error);
    expect([end.code, end.errorCode]).toContain('PASSKEY_DIFFERS');
    expect(end.error ?? end.message).toContain('This time the passkey of alice.testnet answered');
    expect(updates).toMatchObject([{ passkeyProven: false }]);
  });
});

describe.each(kinds)('a proven passkey (%s)', (kind) => {
  const isAsked = ({ calls }: ReturnType<typeof make>) =>
    calls.some(({ args }) => count(prfSecond(), args) > 0);
  const moves: readonly [string, Parameters<typeof make>[0], object][] = [
    [
      'its backup state changes',
      { known: { passkeyBackup: 'backed-up' } },
      { passkeyBackup: 'device-bound' },
    ],
    [
      'its attachment changes',
      {
        known: { passkeyBackup: 'device-bound', passkeyAttachment: 'platform' },
        attachment: 'cross-platform',
      },
      { passkeyAttachment: 'cross-platform' },
    ],
  ];

  it.each(moves)('is proven again by the same prompt where %s', async (_, moved, said) => {
    const wallet = make(moved);
    await flows[kind](wallet.context);
    expect(isAsked(wallet)).toBe(true);
    expect(wallet.updates).toMatchObject([{ ...said, passkeyProven: true }]);
  });

  it.each(moves)('is unproven where %s and its outputs are others', async (_, moved, said) => {
    const half = make({ ...moved, second: new Uint8Array(32).fill(6) });
    await flows[kind](half.context);
    expect(half.updates).toMatchObject([{ ...said, passkeyProven: false }]);
    const both = make({ ...moved, prf: new Uint8Array(32).fill(9) });
    const end = await Promise.resolve(flows[kind](both.context)).catch((error) => error);
    expect([end.code, end.errorCode]).toContain('PASSKEY_DIFFERS');
    expect(both.updates).toMatchObject([{ ...said, passkeyProven: false }]);
  });

  it('is not asked for PRF.second where nothing changed, or nothing was known', async () => {
    const same = {
      known: { passkeyBackup: 'device-bound', passkeyAttachment: 'platform' },
      attachment: 'platform',
    };
    for (const wallet of [
      make(same),
      make({ attachment: 'platform' }),
      make({ ...same, attachment: undefined }),
    ]) {
      await flows[kind](wallet.context);
      expect(isAsked(wallet)).toBe(false);
    }
  });
});

describe.each(kinds)('a logout while a signing prepares (%s)', (kind) => {
  it.each(['user', 'authenticators'] as const)(
    'cancels it before its prompt (reading %s)',
    async (record) => {
      const { context, steps } = make();
      const read = context.store[record].bind(context.store);
      vi.spyOn(context.store, record).mockImplementation(async (accountId: string) => {
        context.logout.end();
        return read(accountId) as never;
      });
      const result = await flows[kind](context).catch((error: unknown) => error);
      expect(result).toMatchObject(
        kind === 'transactions' ? { code: 'CANCELLED' } : { success: false, errorCode: 'CANCELLED' },
      );
      expect(steps).not.toContain('prompt');
    },
  );
});

describe('a signing that the host aborts after the prompt', () => {
  it.each(['transactions', 'delegate'] as const)('signs nothing and takes no nonce (%s)', async (kind) => {
    const { context, steps, spoil } = make();
    const host = new AbortController();
    spoil.approve = () => setTimeout(() => host.abort());
    vi.stubGlobal('navigator', {
      ...navigator,
      locks: {
        // Another tab holds the turn until the wait is aborted.
        request: (_name: string, { signal }: LockOptions) =>
          new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
      },
    });
    const options = { signal: host.signal };
    const result =
      kind === 'transactions'
        ? await signTransactionsWithActions(context, ALICE, [greet], options).catch((error) => error)
        : await signDelegateAction(context, { accountId: ALICE, ...greet }, options);
    expect([result.code, result.errorCode]).toContain('CANCELLED');
    expect(steps).not.toContain('reserve');
    expect(steps).not.toContain(signCalls[kind]);
  });
});
