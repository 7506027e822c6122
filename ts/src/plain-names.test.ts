// Specification: demo 2
import { expect, it, vi } from 'vitest';
import { failureOf } from './frame/testing/failing-calls.js';
import { PasskeyManager } from './index.js';
import { type PlainNames, plainNames } from './plain-names.js';
import { sameOriginWallet } from './same-origin.js';
import type { CallName } from './wallet.js';

const manager = () =>
  new PasskeyManager({ relayer: { url: 'https://relay.example' } }, { wallet: sameOriginWallet });

const NAMES = {
  logout: 'logoutAndClearVrfSession',
  recoverAccount: 'recoverAccountFlow',
  signTransactions: 'signTransactionsWithActions',
  signMessage: 'signNEP413Message',
  signAuthorization: 'signNEP641Authorization',
  linkThisDevice: 'startDevice2LinkingFlow',
  stopLinkingThisDevice: 'stopDevice2LinkingFlow',
  linkAnotherDevice: 'linkDeviceWithScannedQRData',
  removeDevice: 'deleteDeviceKey',
  exportKey: 'exportNearKeypairWithUI',
} as const satisfies Record<keyof PlainNames, CallName>;

it.each(Object.entries(NAMES))(
  'a plain name makes the call of the specification, with its arguments and its answer: %s is %s',
  async (name, call) => {
    const wallet = manager();
    const [answer, ...args] = [Symbol(), Symbol(), Symbol()];
    const made = vi.fn(async (..._args: unknown[]) => answer);
    Object.assign(wallet, { [call]: made });
    const plain = wallet[name as keyof PlainNames] as (...args: unknown[]) => Promise<unknown>;
    expect(await plain.call(wallet, ...args)).toBe(answer);
    expect(made).toHaveBeenCalledExactlyOnceWith(...args);
  },
);

it.each(Object.keys(plainNames()) as (keyof PlainNames)[])('%s is a call of the manager', async (name) => {
  const call: () => Promise<unknown> = manager()[name].bind(manager()) as never;
  expect((await failureOf(call())).codes).toEqual(['NO_BROWSER']);
});
