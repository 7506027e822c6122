import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_CONFIRMATION } from '../config.js';
import type { Action, ConfirmationConfig, TransactionRequest } from '../types.js';
import {
  type ConfirmationInput,
  decideAnotherTry,
  decideConfirmation,
  isSafari,
  type RequestClass,
  type Surroundings,
} from './decide.js';

const desktop: Surroundings = {
  isTouch: false,
  isTouchOrSafari: false,
  hasUserActivation: false,
  isEmbedded: false,
};
const safari: Surroundings = { ...desktop, isTouchOrSafari: true };
const touch: Surroundings = { ...safari, isTouch: true };
const framed: Surroundings = { ...desktop, isEmbedded: true };
const framedTouch: Surroundings = { ...touch, isEmbedded: true };
const active = { hasUserActivation: true };

const KEY = 'ed25519:DcA2MzgpJbrUATQLLceocVckhhAqrkingax4oJ9kZ847';
const FUNCTION_CALL_KEY = { FunctionCall: { receiverId: 'app.testnet', methodNames: ['play'] } };
const addKey = (permission: unknown) =>
  ({ type: 'AddKey', publicKey: KEY, accessKey: { nonce: 0, permission } }) as unknown as Action;
const call = (deposit: string): Action => ({
  type: 'FunctionCall',
  methodName: 'play',
  args: '{}',
  gas: '1',
  deposit,
});
const ACTIONS = {
  call: call('0'),
  paidCall: call('1'),
  createAccount: { type: 'CreateAccount' },
  transfer: { type: 'Transfer', amount: '1' },
  stake: { type: 'Stake', stake: '1', publicKey: KEY },
  deploy: { type: 'DeployContract', code: new Uint8Array([1]) },
  functionCallKey: addKey(FUNCTION_CALL_KEY),
  fullAccessKey: addKey('FullAccess'),
  deleteKey: { type: 'DeleteKey', publicKey: KEY },
  deleteAccount: { type: 'DeleteAccount', beneficiaryId: 'bob.testnet' },
  publish: { type: 'DeployGlobalContract', code: new Uint8Array([1]), deployMode: 'AccountId' },
  useGlobal: { type: 'UseGlobalContract', contractIdentifier: { AccountId: 'bob.testnet' } },
  firstState: {
    type: 'DeterministicStateInit',
    stateInit: { V1: { code: { AccountId: 'bob.testnet' }, data: [] } },
    deposit: '0',
  },
} as const satisfies Record<string, Action>;
type ActionName = keyof typeof ACTIONS;

const OWN = 'alice.testnet';
const REGISTRY = 'registry.testnet';

const signing = (...names: readonly ActionName[]): TransactionRequest[] => [
  { receiverId: 'app.testnet', actions: names.map((name) => ACTIONS[name]) },
];

/** Transactions with a call of so much gas each. */
const burning = (...gas: readonly string[]): TransactionRequest[] =>
  gas.map((gas) => ({ receiverId: 'app.testnet', actions: [{ ...call('0'), gas } as Action] }));

/** One row's input, merged over the defaults: a harmless call, signed on a desktop page that shows a confirmer. */
interface Given {
  readonly type?: string;
  readonly actions?: readonly ActionName[];
  readonly transactions?: readonly TransactionRequest[];
  readonly isForAnother?: boolean;
  readonly isCoverable?: boolean;
  readonly isRepeated?: boolean;
  readonly wasClicked?: boolean;
  readonly page?: Partial<Omit<ConfirmationConfig, 'uiMode'>> & { readonly uiMode?: string };
  readonly user?: Partial<ConfirmationConfig>;
  readonly call?: Partial<ConfirmationConfig>;
  readonly at?: Surroundings;
  readonly hasConfirmer?: boolean;
}

function decide(given: Given) {
  const { type = 'signTransaction', page, user, at = desktop, hasConfirmer = true } = given;
  const transactions =
    given.transactions ?? (type === 'signTransaction' ? signing(...(given.actions ?? ['call'])) : undefined);
  const settings = {
    page: { ...DEFAULT_CONFIRMATION, ...page } as ConfirmationConfig,
    user,
    call: given.call,
  };
  const { isForAnother, isCoverable, isRepeated, wasClicked } = given;
  const guarded = [OWN, REGISTRY];
  return decideConfirmation({
    type,
    transactions,
    guarded,
    isForAnother,
    isCoverable,
    isRepeated,
    wasClicked,
    settings,
    at,
    hasConfirmer,
  });
}

const skip = { uiMode: 'skip' } as const;
const modal = { uiMode: 'modal' } as const;
const drawer = { uiMode: 'drawer' } as const;
const auto = { behavior: 'autoProceed' } as const;
const click = { behavior: 'requireClick' } as const;

type Row = readonly [rule: string, given: Given, decided: Partial<ConfirmationConfig>];

describe('the confirmation decision (core-wallet.md section 4)', () => {
  it.each<[string, RequestClass]>([
    ['signTransaction', 'Signing'],
    ['signNep413Message', 'Signing'],
    ['registerAccount', 'Registration'],
    ['linkDevice', 'Registration'],
    ['decryptPrivateKeyWithPrf', 'LocalOnly'],
    ['showSecurePrivateKeyUi', 'LocalOnly'],
  ])('%s is %s', (type, requestClass) => {
    expect(decide({ type }).requestClass).toBe(requestClass);
  });

  it.each(['', 'toString', '__proto__', 'sign', 'SignTransaction', 'registerAccount '])(
    'refuses any other type: %j',
    (type) => {
      expect(() => decide({ type })).toThrow(
        expect.objectContaining({
          code: 'UNSUPPORTED_CONFIRMATION',
          message: 'Unsupported secure confirmation type',
        }),
      );
    },
  );

  it.each<Row>([
    ['uiMode skip: confirmed without UI', { page: skip }, skip],
    [
      'a payment whose outcome is not known yet is asked again: a click, whatever the settings',
      { actions: ['transfer'], page: skip, user: skip, isRepeated: true },
      { ...modal, ...click },
    ],
    [
      'the same without a confirmer: nothing could show the warning',
      { actions: ['transfer'], page: skip, isRepeated: true, hasConfirmer: false },
      skip,
    ],
    [
      "a click on the page's transaction button: no second one for the page",
      { page: { ...modal, ...click, autoProceedDelayMs: 700 }, wasClicked: true },
      { ...modal, ...auto, autoProceedDelayMs: 0 },
    ],
    [
      "a click on the page's transaction button: a second one for a user who chose so",
      { page: modal, user: click, wasClicked: true },
      { ...modal, ...click },
    ],
    [
      "a click on the page's transaction button: the user's time to cancel stays",
      { page: { ...modal, ...click }, user: { ...auto, autoProceedDelayMs: 900 }, wasClicked: true },
      { ...auto, autoProceedDelayMs: 900 },
    ],
    [
      "a click on the page's transaction button: no payment is repeated without another",
      { actions: ['transfer'], page: modal, wasClicked: true, isRepeated: true },
      { ...modal, ...click },
    ],
    [
      "a click on the page's transaction button: none inside a frame, where the page could draw it",
      { actions: ['transfer'], page: modal, wasClicked: true, at: framed },
      { ...modal, ...click },
    ],
    ['uiMode skip, requireClick: confirmed without UI', { page: { ...skip, ...click } }, skip],
    [
      'modal with autoProceed: loading UI, delay 0 by default',
      { page: { ...modal, ...auto } },
      { ...modal, ...auto, autoProceedDelayMs: 0 },
    ],
    [
      'modal with autoProceed: waits the delay',
      { page: { ...modal, ...auto, autoProceedDelayMs: 700 } },
      { ...modal, ...auto, autoProceedDelayMs: 700 },
    ],
    [
      'drawer with autoProceed: waits the delay',
      { page: { ...drawer, ...auto, autoProceedDelayMs: 700 } },
      { ...drawer, ...auto, autoProceedDelayMs: 700 },
    ],
    ['modal with requireClick: waits', { page: { ...modal, ...click } }, { ...modal, ...click }],
    ['drawer with requireClick: waits', { page: { ...drawer, ...click } }, { ...drawer, ...click }],
    [
      'any other mode: a loading modal, and confirm',
      { page: { uiMode: 'popup', ...click, autoProceedDelayMs: 700 } },
      { ...modal, ...auto, autoProceedDelayMs: 0 },
    ],
    ['any other mode, on touch: still by a click', { page: { uiMode: 'popup' }, at: touch }, click],
    [
      'key-decrypt always skips the UI',
      { type: 'decryptPrivateKeyWithPrf', page: { ...modal, ...click } },
      skip,
    ],
    ['key-decrypt skips on touch', { type: 'decryptPrivateKeyWithPrf', at: touch }, skip],
    ['key-decrypt skips inside a frame', { type: 'decryptPrivateKeyWithPrf', at: framedTouch }, skip],
    ['touch: skip becomes drawer with requireClick', { page: skip, at: touch }, { ...drawer, ...click }],
    ['Safari: skip becomes drawer with requireClick', { page: skip, at: safari }, { ...drawer, ...click }],
    ['touch: modal stays, requireClick', { page: { ...modal, ...auto }, at: touch }, { ...modal, ...click }],
    [
      'Safari: drawer stays, requireClick',
      { page: { ...drawer, ...auto }, at: safari },
      { ...drawer, ...click },
    ],
    [
      'touch: overrides the choices of the user and the call',
      { user: auto, call: { ...skip, ...auto }, at: touch },
      { ...drawer, ...click },
    ],
    ['touch with user activation: skip stays', { page: skip, at: { ...touch, ...active } }, skip],
    [
      'Safari with user activation: autoProceed stays',
      { page: { ...modal, ...auto }, at: { ...safari, ...active } },
      { ...modal, ...auto },
    ],
    [
      'frame: register, modal with requireClick',
      { type: 'registerAccount', page: { ...drawer, ...auto }, at: framed },
      { ...modal, ...click },
    ],
    [
      'frame: link-device, modal with requireClick',
      { type: 'linkDevice', page: skip, at: framed },
      { ...modal, ...click },
    ],
    [
      'frame on touch: register, drawer with requireClick',
      { type: 'registerAccount', at: framedTouch },
      { ...drawer, ...click },
    ],
    [
      'frame on touch: link-device, drawer with requireClick',
      { type: 'linkDevice', page: skip, at: { ...framedTouch, ...active } },
      { ...drawer, ...click },
    ],
    [
      'frame on a desktop Safari: register, modal',
      { type: 'registerAccount', page: skip, at: { ...safari, isEmbedded: true } },
      { ...modal, ...click },
    ],
    [
      'frame: an explicit config names the surface',
      { type: 'registerAccount', call: drawer, at: framed },
      { ...drawer, ...click },
    ],
    ['no frame: register follows the settings', { type: 'registerAccount', page: skip }, skip],
  ])('%s', (_rule, given, decided) => {
    expect(decide(given)).toMatchObject(decided);
  });

  it('follows the settings outside a frame on a desktop for every request; later settings override earlier ones', () => {
    const some = fc.constantFrom(undefined, skip, modal, { ...drawer, ...auto }, click);
    fc.assert(
      fc.property(
        some,
        some,
        some,
        fc.constantFrom(...(Object.keys(ACTIONS) as ActionName[])),
        (a, b, c, name) => {
          const { requestClass, ...decided } = decide({
            actions: [name],
            ...(a && { page: a }),
            ...(b && { user: b }),
            ...(c && { call: c }),
          });
          expect(decided).toEqual({ ...DEFAULT_CONFIRMATION, ...a, ...b, ...c });
          expect(requestClass).toBe('Signing');
        },
      ),
    );
  });
});

const UNLESS_CHOSEN: readonly ActionName[] = [
  'call',
  'paidCall',
  'createAccount',
  'transfer',
  'stake',
  'functionCallKey',
];
const ALWAYS: readonly ActionName[] = [
  'deploy',
  'fullAccessKey',
  'deleteKey',
  'deleteAccount',
  'publish',
  'useGlobal',
  'firstState',
];

describe('a click inside a frame (interop.md section 8)', () => {
  const hostWants = { ...skip, ...auto };

  it.each(UNLESS_CHOSEN)("is needed for %s, whatever the host's call or the page sets", (name) => {
    for (const given of [{}, { call: hostWants }, { page: hostWants }, { call: auto }, { user: drawer }]) {
      expect(decide({ actions: [name], at: framed, ...given })).toMatchObject(click);
      expect(decide({ actions: [name], at: framed, ...given }).uiMode).not.toBe('skip');
    }
  });

  it.each(UNLESS_CHOSEN)("is waived for %s only by the user's own choice", (name) => {
    const at = framed;
    expect(decide({ actions: [name], user: skip, at }).uiMode).toBe('skip');
    expect(decide({ actions: [name], user: auto, at })).toMatchObject({ ...modal, ...auto });
    expect(decide({ actions: [name], user: auto, call: skip, at })).toMatchObject({ ...modal, ...auto });
    expect(decide({ actions: [name], user: skip, call: { ...modal, ...click }, at })).toMatchObject(click);
  });

  it.each(UNLESS_CHOSEN)(
    'is needed for %s where the page could cover the frame that took the choice',
    (name) => {
      const given = { actions: [name], user: hostWants, call: hostWants, at: framed, isCoverable: true };
      expect(decide(given)).toMatchObject(click);
      expect(decide({ ...given, type: 'signNep413Message' })).toMatchObject(click);
    },
  );

  it.each(ALWAYS)('is needed for %s, whatever any layer sets', (name) => {
    const given = { actions: [name], page: hostWants, user: hostWants, call: hostWants };
    expect(decide({ ...given, at: framed })).toMatchObject({ ...modal, ...click });
    expect(decide({ ...given, at: { ...framedTouch, ...active } })).toMatchObject({ ...drawer, ...click });
  });

  it.each<Row>([
    ['NEP-413', { type: 'signNep413Message', call: hostWants, at: framed }, { ...modal, ...click }],
    ['NEP-413, the user chose skip', { type: 'signNep413Message', user: skip, at: framed }, skip],
    [
      'export, whatever any layer sets',
      { type: 'showSecurePrivateKeyUi', user: hostWants, call: hostWants, at: framed },
      { ...modal, ...click },
    ],
    [
      'linking, whatever any layer sets',
      { type: 'linkDevice', user: hostWants, call: hostWants, at: framed },
      { ...modal, ...click },
    ],
    [
      'create() in a frame, whatever a configuration says',
      { type: 'registerAccount', user: hostWants, call: { ...drawer, ...auto }, at: framed },
      { ...drawer, ...click },
    ],
    [
      'NEP-413 for another recipient, whatever any layer sets',
      { type: 'signNep413Message', isForAnother: true, user: skip, call: hostWants, at: framed },
      { ...modal, ...click },
    ],
    [
      'transactions with such a message, whatever any layer sets',
      { actions: ['functionCallKey'], isForAnother: true, user: skip, call: hostWants, at: framed },
      { ...modal, ...click },
    ],
    [
      'a call of the registry, whatever any layer sets',
      { transactions: [{ receiverId: REGISTRY, actions: [ACTIONS.call] }], user: hostWants, at: framed },
      click,
    ],
    [
      'a call of the account itself, whatever any layer sets',
      { transactions: [{ receiverId: OWN, actions: [ACTIONS.call] }], user: hostWants, at: framed },
      click,
    ],
    [
      'an app key that may call the registry, whatever any layer sets',
      {
        transactions: [
          { receiverId: OWN, actions: [addKey({ FunctionCall: { receiverId: REGISTRY, methodNames: [] } })] },
        ],
        user: hostWants,
        at: framed,
      },
      click,
    ],
    [
      'a payment to the account itself, the user chose skip',
      { transactions: [{ receiverId: OWN, actions: [ACTIONS.transfer] }], user: skip, at: framed },
      skip,
    ],
    [
      'calls that may burn more than 300 Tgas in all, whatever any layer sets',
      { transactions: burning('200000000000000', '100000000000001'), user: hostWants, at: framed },
      click,
    ],
    [
      'calls that may burn 300 Tgas in all, the user chose skip',
      { transactions: burning('200000000000000', '100000000000000'), user: skip, at: framed },
      skip,
    ],
    [
      'the gravest action decides for the batch',
      { actions: ['call', 'transfer', 'deleteKey', 'call'], user: hostWants, at: framed },
      click,
    ],
    ['a batch with a payment in it', { actions: ['call', 'transfer'], call: hostWants, at: framed }, click],
    [
      'a payment in the last transaction',
      { transactions: [...signing('call'), ...signing('transfer')], call: hostWants, at: framed },
      click,
    ],
    [
      "the host does not shorten the user's delay",
      {
        actions: ['transfer'],
        user: { ...auto, autoProceedDelayMs: 3000 },
        call: { autoProceedDelayMs: 0 },
        at: framed,
      },
      { ...auto, autoProceedDelayMs: 3000 },
    ],
    [
      'Safari: skip becomes drawer',
      { actions: ['transfer'], page: skip, at: { ...safari, isEmbedded: true } },
      { ...drawer, ...click },
    ],
  ])('%s', (_rule, given, decided) => {
    expect(decide(given)).toMatchObject(decided);
  });

  it('is needed for actions and permissions that this version does not know', () => {
    const unknown = (action: object) => [{ receiverId: 'app.testnet', actions: [action as Action] }];
    const given = { user: hostWants, call: hostWants, at: framed };
    for (const action of [{ type: 'UseGlobalContract' }, addKey('Everything')]) {
      expect(decide({ ...given, transactions: unknown(action) })).toMatchObject(click);
    }
    const settings = { page: DEFAULT_CONFIRMATION, user: hostWants, call: hostWants };
    const input: ConfirmationInput = { type: 'signTransaction', settings, at: framed, hasConfirmer: true };
    expect(decideConfirmation(input)).toMatchObject(click);
  });

  it('fails with CLICK_REQUIRED where no confirmer can take it', () => {
    const refusal = expect.objectContaining({
      code: 'CLICK_REQUIRED',
      message: expect.stringContaining('needs a click in the wallet itself'),
    });
    const alone = { hasConfirmer: false, at: framed, page: skip } as const;
    for (const type of ['registerAccount', 'linkDevice', 'showSecurePrivateKeyUi', 'signNep413Message'])
      expect(() => decide({ ...alone, type })).toThrow(refusal);
    expect(() => decide({ ...alone, actions: ['transfer'], call: skip })).toThrow(refusal);
    expect(() => decide({ ...alone, actions: ['deleteKey'], user: skip })).toThrow(refusal);

    expect(decide({ ...alone, actions: ['transfer'], user: skip }).uiMode).toBe('skip');
    expect(decide({ ...alone, actions: ['call'], user: skip }).uiMode).toBe('skip');
    expect(decide({ ...alone, actions: ['transfer'], at: desktop }).uiMode).toBe('skip');
  });

  it('can be demanded by the page and the call, but not waived by them', () => {
    const mode = fc.constantFrom('skip', 'modal', 'drawer', 'popup', undefined);
    const behavior = fc.constantFrom('autoProceed', 'requireClick', undefined);
    const delay = fc.constantFrom(0, 500, 3000, undefined);
    const part = fc
      .record({ uiMode: mode, behavior, autoProceedDelayMs: delay })
      .map((fields) =>
        Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
      ) as fc.Arbitrary<Partial<ConfirmationConfig>>;
    const paying = fc.constantFrom(...UNLESS_CHOSEN, ...ALWAYS);
    const where = fc
      .record({ isTouch: fc.boolean(), isTouchOrSafari: fc.boolean(), hasUserActivation: fc.boolean() })
      .map((at) => ({ ...at, isTouchOrSafari: at.isTouch || at.isTouchOrSafari, isEmbedded: true }));
    fc.assert(
      fc.property(part, part, part, paying, where, (page, user, ofCall, name, at) => {
        const decided = decide({ actions: [name], page, user, call: ofCall, at });
        const skips = decided.uiMode === 'skip';
        const proceeds = !skips && decided.behavior === 'autoProceed';
        if (ALWAYS.includes(name)) expect([skips, proceeds]).toEqual([false, false]);
        if (skips) expect(user.uiMode).toBe('skip');
        if (proceeds) {
          expect(user.uiMode === 'skip' || user.behavior === 'autoProceed').toBe(true);
          expect(decided.autoProceedDelayMs).toBeGreaterThanOrEqual(user.autoProceedDelayMs ?? 0);
        }
        if (at.isTouchOrSafari && !at.hasUserActivation) expect([skips, proceeds]).toEqual([false, false]);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('another try', () => {
  it('always needs a click', () => {
    const decided = decide({ page: { ...drawer, ...auto, autoProceedDelayMs: 700 } });
    expect(decideAnotherTry(decided)).toEqual({ ...decided, ...click });
  });
});

describe("a call's unchecked settings", () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, -1, '1e9', 'soon', null, undefined])(
    'do not shorten the delay that the user chose inside a frame, neither with no delay nor with %s',
    (autoProceedDelayMs) => {
      const decided = decide({
        actions: ['transfer'],
        at: framed,
        user: { ...auto, autoProceedDelayMs: 3000 },
        call: { autoProceedDelayMs: autoProceedDelayMs as number },
      });
      expect(decided.behavior).toBe('autoProceed');
      expect(decided.autoProceedDelayMs).toBeGreaterThanOrEqual(3000);
      expect(decided.autoProceedDelayMs).toBeLessThanOrEqual(60_000);
    },
  );

  it('count as absent where they are undefined: a required click stays required', () => {
    const call = { uiMode: undefined, behavior: undefined } as unknown as Partial<ConfirmationConfig>;
    const decided = decide({ page: { ...drawer, ...click }, call });
    expect(decided).toMatchObject({ ...drawer, ...click });
  });
});

describe('the Safari check', () => {
  it.each([
    [
      true,
      'macOS',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15',
    ],
    [
      true,
      'iPhone',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1',
    ],
    [
      false,
      'Chrome',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36',
    ],
    [
      false,
      'Edge',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36 Edg/124.0.0.0',
    ],
    [
      false,
      'Android Chrome',
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36',
    ],
    [false, 'Firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:125.0) Gecko/20100101 Firefox/125.0'],
  ])('is told (%s) from the name of %s', (expected, _browser, userAgent) => {
    expect(isSafari(userAgent)).toBe(expected);
  });
});
