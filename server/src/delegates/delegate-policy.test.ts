import { describe, expect, it } from 'vitest';
import { developmentKey } from '../../../tests/support/relay/devnet.js';
import { readRelayConfig } from '../platform/config.js';
import type { ReceivedAction } from './delegate-codec.js';
import {
  checkPolicy,
  type DelegatePolicy,
  mostYoctoOf,
  readCalls,
  readOwnActions,
} from './delegate-policy.js';

const ENVIRONMENT = {
  RELAYER_ACCOUNT_ID: 'relayer.testnet',
  RELAYER_PRIVATE_KEY: developmentKey('relayer.testnet'),
  EXPECTED_ORIGIN: 'http://localhost:5173',
};
const CALLS = { DELEGATE_CALLS: 'shop.testnet:buy', DELEGATE_SPEND_CAP_NEAR: '2.5' };

function problemsOf(env: Record<string, string>): string {
  try {
    readRelayConfig({ ...ENVIRONMENT, ...env });
  } catch (error) {
    return (error as Error).message;
  }
  return 'none';
}

describe('the policy from the environment', () => {
  it('is absent unless a variable sets it', () => {
    expect(readRelayConfig(ENVIRONMENT).delegates).toBeNull();
    expect(
      readRelayConfig({ ...ENVIRONMENT, DELEGATE_CALLS: ' ', DELEGATE_MAX_GAS: '' }).delegates,
    ).toBeNull();
  });

  it('needs calls and a cap, and allows no deposits and no other actions by default [S89]', () => {
    expect(readRelayConfig({ ...ENVIRONMENT, ...CALLS }).delegates).toEqual({
      calls: new Map([['shop.testnet', new Set(['buy'])]]),
      ownActions: new Set(),
      maxGas: 100_000_000_000_000n,
      maxDepositYocto: 0n,
      spendCapYocto: 2_500_000_000_000_000_000_000_000n,
      senderCapYocto: 2_500_000_000_000_000_000_000_000n,
    });
  });

  it('is read in full', () => {
    const env = {
      DELEGATE_CALLS: 'shop.testnet:buy, shop.testnet:sell game.testnet:*',
      DELEGATE_OWN_ACTIONS: 'AddKey,DeleteKey',
      DELEGATE_MAX_GAS: '30000000000000',
      DELEGATE_MAX_DEPOSIT: '1',
      DELEGATE_SPEND_CAP_NEAR: '1',
      DELEGATE_SENDER_CAP_NEAR: '0.2',
    };
    expect(readRelayConfig({ ...ENVIRONMENT, ...env }).delegates).toEqual({
      calls: new Map([
        ['shop.testnet', new Set(['buy', 'sell'])],
        ['game.testnet', null],
      ]),
      ownActions: new Set(['AddKey', 'DeleteKey']),
      maxGas: 30_000_000_000_000n,
      maxDepositYocto: 1n,
      spendCapYocto: 10n ** 24n,
      senderCapYocto: 2n * 10n ** 23n,
    });
  });

  it('reports everything wrong with it in one message', () => {
    const message = problemsOf({
      DELEGATE_CALLS: 'shop.testnet',
      DELEGATE_OWN_ACTIONS: 'AddKey,FunctionCall',
      DELEGATE_MAX_GAS: '0',
      DELEGATE_MAX_DEPOSIT: '1 NEAR',
      DELEGATE_SPEND_CAP_NEAR: 'much',
      DELEGATE_SENDER_CAP_NEAR: '-1',
    });
    expect(message).toContain('DELEGATE_CALLS: must be receiver:method');
    expect(message).toContain('DELEGATE_OWN_ACTIONS: must name some of');
    expect(message).toContain('DELEGATE_MAX_GAS: must be a whole number from 1');
    expect(message).toContain('DELEGATE_MAX_DEPOSIT: must be a whole number from 0');
    expect(message).toContain('DELEGATE_SPEND_CAP_NEAR: must be an amount in NEAR');
    expect(message).toContain('DELEGATE_SENDER_CAP_NEAR: must be an amount in NEAR');
  });

  it('is never accepted in part', () => {
    expect(problemsOf({ DELEGATE_CALLS: CALLS.DELEGATE_CALLS })).toContain(
      'DELEGATE_SPEND_CAP_NEAR: is missing',
    );
    expect(problemsOf({ DELEGATE_SPEND_CAP_NEAR: '1' })).toContain('DELEGATE_CALLS: is missing');
    expect(problemsOf({ DELEGATE_MAX_GAS: '1' })).toContain('DELEGATE_CALLS: is missing');
  });

  it('is refused when no call fits under the cap', () => {
    const message = problemsOf({ ...CALLS, DELEGATE_SPEND_CAP_NEAR: '0.1' });
    expect(message).toContain('DELEGATE_SPEND_CAP_NEAR: must be at least 0.113');
    const small = problemsOf({ ...CALLS, DELEGATE_SENDER_CAP_NEAR: '0.112' });
    expect(small).toContain('DELEGATE_SENDER_CAP_NEAR: must be at least 0.113');
    const relays = problemsOf({ ...CALLS, RELAY_SPEND_CAP_NEAR: '0.2', DELEGATE_MAX_GAS: '300000000000000' });
    expect(relays).toContain('RELAY_SPEND_CAP_NEAR: must be at least 0.313');
  });
});

describe('the list of calls', () => {
  it('keeps every method allowed when it also names single ones', () => {
    expect(readCalls('a.testnet:* a.testnet:buy')).toEqual(new Map([['a.testnet', null]]));
    expect(readCalls('a.testnet:buy a.testnet:*')).toEqual(new Map([['a.testnet', null]]));
  });

  it('may name an implicit account', () => {
    const implicit = '0'.repeat(64);
    expect(readCalls(`${implicit}:buy`)).toEqual(new Map([[implicit, new Set(['buy'])]]));
  });

  it.each([
    '',
    'shop.testnet:',
    ':buy',
    'Shop.testnet:buy',
    'shop.testnet:buy:sell',
    'shop.testnet:b*',
    '*:buy',
  ])('refuses %j', (text) => {
    expect(() => readCalls(text)).toThrow();
  });
});

describe('the list of own actions', () => {
  it.each(['Delegate', 'FunctionCall', 'addkey', 'DeployGlobalContract'])('refuses %s', (text) => {
    expect(() => readOwnActions(text)).toThrow('must name some of CreateAccount');
  });
});

describe('the policy', () => {
  const policy: DelegatePolicy = {
    calls: new Map([
      ['shop.testnet', new Set(['buy'])],
      ['game.testnet', null],
    ]),
    ownActions: new Set(['AddKey']),
    maxGas: 100n,
    maxDepositYocto: 10n,
    spendCapYocto: 30n * 10n ** 21n,
    senderCapYocto: 29n * 10n ** 21n,
  };
  const call = (methodName: string, gas = 1n, depositYocto = 0n): ReceivedAction => ({
    kind: 'FunctionCall',
    methodName,
    gas,
    depositYocto,
  });
  const addKey: ReceivedAction = { kind: 'AddKey', gas: 0n, depositYocto: 0n };
  const check = (receiverId: string, ...actions: ReceivedAction[]) => {
    try {
      checkPolicy(policy, { senderId: 'alice.testnet', receiverId, actions } as never);
      return 'allowed';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('allows what it names', () => {
    expect(check('shop.testnet', call('buy'), call('buy', 99n, 10n))).toBe('allowed');
    expect(check('game.testnet', call('anything at all'), call(''))).toBe('allowed');
    expect(check('alice.testnet', addKey, addKey)).toBe('allowed');
  });

  it.each<[string, string, ReceivedAction[]]>([
    ['calls of this method of shop.testnet', 'shop.testnet', [call('sell')]],
    ['calls of this method of shop.testnet', 'shop.testnet', [call('buy'), call('constructor')]],
    ['calls of constructor', 'constructor', [call('buy')]],
    ['calls of alice.testnet', 'alice.testnet', [addKey, call('buy')]],
    ['101 gas: the most it pays for is 100', 'shop.testnet', [call('buy', 50n), call('buy', 51n)]],
    [
      'a deposit of 11 yoctoNEAR: the most it gives is 10',
      'shop.testnet',
      [call('buy', 1n, 6n), call('buy', 1n, 5n)],
    ],
    [
      '4 actions that may cost 0.037 NEAR: the most it pays in a day is 0.029',
      'alice.testnet',
      [addKey, addKey, addKey, addKey],
    ],
    ["AddKey actions on another account than the sender's", 'shop.testnet', [addKey]],
    ['Transfer actions', 'alice.testnet', [{ kind: 'Transfer', gas: 0n, depositYocto: 1n }]],
  ])('refuses to pay for %s', (what, receiverId, actions) => {
    expect(check(receiverId, ...actions)).toBe(`This relay does not pay for ${what}.`);
  });

  it('reserves gas at its purchase price, the price of each action, and the deposits', () => {
    const one = mostYoctoOf([call('buy', 30n * 10n ** 12n, 7n)]);
    expect(one).toBeGreaterThan(30n * 10n ** 21n);
    expect(one % 10n).toBe(7n);
    const two = mostYoctoOf([call('buy', 30n * 10n ** 12n, 7n), addKey]);
    expect(two).toBeGreaterThan(one);
  });
});
