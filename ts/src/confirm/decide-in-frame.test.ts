import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_CONFIRMATION } from '../config.js';
import type { Action, ConfirmationConfig } from '../types.js';
import { type ConfirmationInput, decideConfirmation } from './decide.js';
import {
  ACTIONS,
  type ActionName,
  active,
  addKey,
  auto,
  burning,
  click,
  decide,
  desktop,
  drawer,
  framed,
  framedTouch,
  modal,
  OWN,
  REGISTRY,
  type Row,
  safari,
  signing,
  skip,
} from './testing/deciding.js';

const UNLESS_CHOSEN: readonly ActionName[] = [
  'call',
  'paidCall',
  'createAccount',
  'transfer',
  'stake',
  'functionCallKey',
  'gasKeyOfCalls',
];
const ALWAYS: readonly ActionName[] = [
  'deploy',
  'fullAccessKey',
  'deleteKey',
  'deleteAccount',
  'publish',
  'useGlobal',
  'firstState',
  'gasKey',
  'fillGasKey',
  'emptyGasKey',
  'universalState',
];

describe('a click inside a frame (core 4, frame 10)', () => {
  const hostWants = { ...skip, ...auto };

  it.each(UNLESS_CHOSEN)("is needed for %s, whatever the host's call or the page sets [S17]", (name) => {
    for (const given of [{}, { call: hostWants }, { page: hostWants }, { call: auto }, { user: drawer }]) {
      expect(decide({ actions: [name], at: framed, ...given })).toMatchObject(click);
      expect(decide({ actions: [name], at: framed, ...given }).uiMode).not.toBe('skip');
    }
  });

  it.each(UNLESS_CHOSEN)("is waived for %s only by the user's own choice [S17]", (name) => {
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
    [
      'the gravest transaction decides for the request',
      { transactions: [...signing('transfer'), ...signing('deleteKey')], user: hostWants, at: framed },
      click,
    ],
    [
      'a call of the registry among others, whatever any layer sets',
      {
        transactions: [
          { receiverId: REGISTRY, actions: [ACTIONS.transfer, ACTIONS.call] },
          ...signing('transfer'),
        ],
        user: hostWants,
        at: framed,
      },
      click,
    ],
    [
      'create() in a frame that brings transactions, whatever any layer sets',
      { type: 'registerAccount', transactions: signing('transfer'), user: hostWants, at: framed },
      click,
    ],
    [
      "a user's choice keeps the mode",
      { user: { ...modal, ...auto }, at: { ...framedTouch, ...active } },
      modal,
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
