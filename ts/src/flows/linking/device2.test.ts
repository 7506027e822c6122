import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ConfirmModel } from '../../confirm/port.js';
import { CANCELLED, LatchkeyError } from '../../errors/core.js';
import type { LinkEntry } from '../../storage/records.js';
import type { LinkedAccount } from '../../types.js';
import type { FlowContext } from '../context.js';
import { logout } from '../session/session.js';
import { verifiedAnswer } from '../testing/answers.js';
import { deferred } from '../testing/deferred.js';
import {
  ALICE,
  assertPasskey,
  challenge,
  createPasskey,
  HEIGHT,
  make,
  OWN,
  prepare,
  refused,
  TEMPORARY,
  UNDER_PRF,
  unanswered,
  untilDone,
} from '../testing/joining-device.js';
import { loseBlockAtClick } from '../testing/losing-block.js';
import { finishDeviceLinking, startDevice2LinkingFlow, stopDevice2LinkingFlow } from './device2.js';
import { resumeLinks } from './resume-links.js';

beforeEach(prepare);

describe('a device that joins an account that the page names', () => {
  it('asks as one that joins an account: a press that a host lured makes no device of it', async () => {
    const { link, context } = make();
    const shown: unknown[] = [];
    const confirmer = {
      show: async (model: unknown) => {
        shown.push(model);
        return 'cancel';
      },
    };
    Object.assign(context, { confirmer: () => confirmer });
    expect(await link(ALICE)).toMatchObject({ code: 'CANCELLED' });
    expect(shown).toMatchObject([{ kind: 'registration', accountId: ALICE, joining: {} }]);
  });
});

describe('a device that joins with a temporary key (core 3, core 4, core 7, core 9)', () => {
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

  it('reads the block at the click three times, and offers another try of its confirmation', async () => {
    const { context, link } = make();
    const shown = loseBlockAtClick(context);
    expect(await link()).toMatchObject({ success: true });
    expect(shown).toMatchObject([{}, { retry: 'failed', error: 'VRF refresh failed' }]);
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

  it('counts down by the configured delay, and names it when the key is gone', async () => {
    const { context, link, chain, events } = make();
    const { config } = context;
    Object.assign(context, { config: { ...config, deviceLinking: { tempKeyDeleteDelayMs: 45_000 } } });
    const shown: ConfirmModel[] = [];
    const show = async (model: ConfirmModel): Promise<'confirm'> => {
      shown.push(model);
      chain.keys.delete(TEMPORARY.publicKey);
      return 'confirm';
    };
    Object.assign(context, { confirmer: () => ({ show }) });
    const begun = Date.now();
    expect(await link()).toMatchObject({
      code: 'LINK_KEY_GONE',
      message: expect.stringContaining('removes an unused key 45 seconds after the scan'),
    });
    const detected = events.find(({ phase }) => phase === 'addkey-detected');
    const deleteAt = Number(detected?.data?.deleteAt);
    expect(deleteAt - begun).toBeGreaterThanOrEqual(45_000);
    expect(deleteAt - begun).toBeLessThan(50_000);
    expect(shown).toMatchObject([{ joining: { deleteAt } }]);
  });

  it('leaves the user more than a minute to compare and press, unless the configuration says less', async () => {
    const { context, link } = make();
    const left: number[] = [];
    const show = async ({ joining }: Extract<ConfirmModel, { kind: 'registration' }>): Promise<'confirm'> => {
      left.push((joining?.deleteAt ?? 0) - Date.now());
      return 'confirm';
    };
    Object.assign(context, { confirmer: () => ({ show }) });
    expect(await link()).toMatchObject({ success: true });
    expect(left).toEqual([expect.any(Number)]);
    expect(left[0]).toBeGreaterThan(60_000);
  });

  it('journals each transaction before it leaves', async () => {
    const { link, chain, journal } = make();
    const noted: unknown[] = [];
    chain.onSend = () => void noted.push(structuredClone(journal.get(ALICE)));
    await link();
    expect(noted).toMatchObject([
      {
        key: { publicKey: OWN.publicKey, ...UNDER_PRF },
        replaces: { publicKey: TEMPORARY.publicKey, ...UNDER_PRF },
        sealedBy: 'passkey',
        swap: { hash: 'hash 1' },
        registration: undefined,
      },
      { swap: { hash: 'hash 1' }, registration: { hash: 'hash 2' } },
    ]);
  });

  it('sends the same bytes up to five times, 2 s apart, when no node answers', async () => {
    const { link, chain, journal, call } = make();
    const sentAt: number[] = [];
    chain.onSend = () => {
      sentAt.push(Date.now());
      throw unanswered();
    };
    expect(await link()).toMatchObject({ code: 'LINK_PENDING' });
    expect(chain.sent).toEqual(Array.from({ length: 5 }, () => 'swap'));
    expect(sentAt.slice(1).map((at, earlier) => at - (sentAt[earlier] ?? 0))).toEqual(Array(4).fill(2_000));
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

  describe('and is left by its page', () => {
    /** The next visit: its page holds no key of the linking. */
    const nextVisit = (context: FlowContext): FlowContext => ({
      ...context,
      store: { ...context.store } as never,
    });
    async function left(step: 'swap' | 'registration', isSent: boolean) {
      const made = make();
      made.chain.onSend = (sent) => {
        if (sent === step) throw unanswered();
      };
      await made.link();
      made.chain.onSend = () => undefined;
      const [entry] = [...made.journal.values()];
      if (!isSent) made.journal.set(ALICE, { ...(entry as LinkEntry), [step]: undefined });
      made.chain.sent.length = 0;
      made.call.mockClear();
      assertPasskey.mockReset();
      const outputs = { first: new Uint8Array(32).fill(1), second: new Uint8Array(32).fill(2) };
      assertPasskey.mockResolvedValue({
        authentication: verifiedAnswer(entry?.credentialId ?? ''),
        prf: { kind: 'outputs', outputs },
      });
      return { ...made, outputs, context: nextVisit(made.context) };
    }
    const finish = async (context: FlowContext): Promise<LinkedAccount | undefined> => {
      let finished: LinkedAccount | undefined;
      void finishDeviceLinking(context, ALICE, {}).then((result) => {
        finished = result;
      });
      await untilDone(() => finished !== undefined);
      return finished;
    };

    it.each(['swap', 'registration'] as const)(
      'asks for the passkey once where its %s is still to be signed, and only when the user finishes it',
      async (step) => {
        const { context, journal, chain, call, outputs } = await left(step, false);
        expect(await resumeLinks(context, [...journal.values()])).toMatchObject({ unfinished: [ALICE] });
        expect(assertPasskey).not.toHaveBeenCalled();
        expect(journal.size).toBe(1);
        expect(await finish(context)).toMatchObject({ success: true, isLoggedIn: true });
        expect(assertPasskey).toHaveBeenCalledTimes(1);
        expect(call.mock.calls.find(([name]) => name === 'sealFromPasskey')?.[1]).toMatchObject([
          {},
          ALICE,
          expect.any(Uint8Array),
          [{ publicKey: OWN.publicKey }, { publicKey: TEMPORARY.publicKey }],
        ]);
        expect(
          [outputs.first, outputs.second].flatMap((secret) => [...secret]).every((byte) => byte === 0),
        ).toBe(true);
        expect(chain.sent.at(-1)).toBe('registration');
        expect(journal.size).toBe(0);
      },
    );

    it('asks for nothing where everything was signed, and completes by itself', async () => {
      const { context, journal } = await left('registration', true);
      expect(await resumeLinks(context, [...journal.values()])).toMatchObject({ committed: [ALICE] });
      expect(assertPasskey).not.toHaveBeenCalled();
    });

    it.each(['swap', 'registration'] as const)(
      'is kept when the user refuses the prompt before its %s, and finishes at the next try',
      async (step) => {
        const { context, journal } = await left(step, false);
        assertPasskey.mockRejectedValueOnce(new LatchkeyError(CANCELLED));
        expect(await finish(context)).toMatchObject({ success: false, errorCode: 'CANCELLED' });
        expect(journal.size).toBe(1);
        expect(await finish(context)).toMatchObject({ success: true });
        expect(journal.size).toBe(0);
      },
    );

    it('completes with the key that an older version stored [S39]', async () => {
      const { context, journal, call, store } = await left('registration', false);
      const { sealedBy, ...entry } = journal.get(ALICE) as LinkEntry;
      journal.set(ALICE, { ...entry, key: OWN });
      const stored = {} as CryptoKey;
      Object.assign(context.store.sealedKeys, { wrappingKey: async () => stored });
      expect(await resumeLinks(context, [...journal.values()])).toMatchObject({ committed: [ALICE] });
      expect(assertPasskey).not.toHaveBeenCalled();
      expect(call.mock.calls.find(([name]) => name === 'signWithSealedKey')?.[1][0]).toBe(stored);
      expect(sealedBy).toBe('passkey');
      expect(store.commitEntry).toHaveBeenCalledTimes(1);
    });
  });

  it('has nothing to finish where no linking began', async () => {
    const { context } = make();
    expect(await finishDeviceLinking(context, ALICE, {})).toMatchObject({
      success: false,
      errorCode: 'LINK_NOT_FOUND',
    });
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

describe('the session (core 4)', () => {
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
      message: 'This page is still finishing an earlier linking of this device. Try again in a moment.',
    });
    go.resolve(undefined);
    expect(await resuming).toMatchObject({ pending: [ALICE] });
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
