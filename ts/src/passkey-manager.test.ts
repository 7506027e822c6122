import { describe, expect, it } from 'vitest';
import type { PasskeyManagerConfig } from './config.js';
import { FAILING, failureOf } from './frame/testing/failing-calls.js';
import { AccountRecoveryFlow, type LatchkeyError, PasskeyManager } from './index.js';
import { sameOriginWallet } from './same-origin.js';
import { type CallName, callOn, forwardingWallet } from './wallet.js';

const relayer = { url: 'https://relay.example' };
const iframeWallet = { walletOrigin: 'https://wallet.example' };
const inPage = { wallet: sameOriginWallet };

describe('the options of a manager', () => {
  it.each([
    [
      { networkID: 'testnet' },
      'the configuration has no option networkID; its options are network, rpcUrl, ',
    ],
    [
      { relayer: { ...relayer, accountID: 'relay.near' } },
      'relayer has no option accountID; its options are url, accountId',
    ],
    [
      { iframeWallet: { walletUrl: 'https://wallet.example' } },
      'iframeWallet has no option walletUrl; its options are walletOrigin, ',
    ],
    [{ shamir3pass: { relayServerURL: relayer.url } }, 'shamir3pass has no option relayServerURL; '],
    [
      { vrfWorkerConfigs: { shamir3pass: { prime: 'x' } } },
      'vrfWorkerConfigs.shamir3pass has no option prime; its options are p, ',
    ],
    [{ keyExport: { sameorigin: true } }, 'keyExport has no option sameorigin; its options are sameOrigin'],
  ])('that do not exist are refused by name: %o', (misspelt, problem) => {
    const config = { relayer, ...misspelt } as unknown as PasskeyManagerConfig;
    expect(() => new PasskeyManager(config)).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG', message: expect.stringContaining(problem) }),
    );
  });

  it('are all named in one error, with those whose values are wrong', () => {
    const config = { relayer, network: 'mainet', iframeWallet: { origin: 'https://wallet.example' } };
    expect(() => new PasskeyManager(config as unknown as PasskeyManagerConfig)).toThrow(
      expect.objectContaining({
        details: {
          problems: [
            expect.stringMatching(/iframeWallet has no option/),
            expect.stringMatching(/iframeWallet is missing/),
            expect.stringMatching(/network must be/),
          ],
        },
      }),
    );
  });

  it('may be undefined', () => {
    const config = { relayer, iframeWallet, theme: undefined };
    expect(new PasskeyManager(config).config.relayer.url).toBe(relayer.url);
  });
});

describe('a manager without a wallet', () => {
  it.each([{}, { iframeWallet: {} }, { iframeWallet: { walletOrigin: ' ' } }])(
    'is refused with both ways to one: %o',
    (without) => {
      expect(() => new PasskeyManager({ relayer, ...without })).toThrow(
        expect.objectContaining({
          code: 'INVALID_CONFIG',
          message: expect.stringMatching(
            /iframeWallet is missing.*sameOriginWallet of 'latchkey\/same-origin'/,
          ),
        }),
      );
    },
  );

  it('runs in the page where it is given one', () => {
    expect(new PasskeyManager({ relayer }, inPage).config.iframeWallet).toBeNull();
  });
});

const takesObject = (value: unknown): value is object => typeof value === 'object';

describe('a manager on a server (frame 8)', () => {
  it('can be made and configured where there is no window', () => {
    expect('window' in globalThis).toBe(false);
    const manager = new PasskeyManager({ relayer, iframeWallet });
    expect(manager.config.iframeWallet?.walletOrigin).toBe('https://wallet.example');
    expect(manager.onLoginStateChange(() => undefined)).toBeTypeOf('function');
    manager.setConfirmer(null);
  });

  const calls: [string, (manager: PasskeyManager) => Promise<unknown>][] = [
    ['init', (manager) => manager.init()],
    ['preload', (manager) => manager.preload()],
    ['openSettings', (manager) => manager.openSettings()],
    [
      'registerButton',
      (manager) => manager.registerButton({ container: {} as Element, nearAccountId: 'alice.testnet' }),
    ],
    ...Object.keys(forwardingWallet(async () => undefined)).map(
      (call): [string, (manager: PasskeyManager) => Promise<unknown>] => [
        call,
        async (manager) => manager[call as 'getLoginState'](),
      ],
    ),
  ];

  it.each(calls)('says in one sentence that %s needs a browser, in both modes', async (_, call) => {
    for (const config of [{ relayer }, { relayer, iframeWallet }]) {
      const { codes, texts } = await failureOf(call(new PasskeyManager(config, inPage)));
      expect(codes).toEqual(['NO_BROWSER']);
      expect(texts[0]).toMatch(/page of a browser/);
    }
  });

  it.each(Object.entries(FAILING))(
    'fails in %s by the contract of its call, in both modes',
    async (call, [by, ...args]) => {
      for (const config of [{ relayer }, { relayer, iframeWallet }]) {
        const told: unknown[] = [];
        const options = {
          onError: ({ code }: LatchkeyError) => void told.push(code),
          afterCall: (success: boolean) => void told.push(success),
        };
        const asked = takesObject(args[0]) ? [{ ...args[0], options }] : [...args, options];
        const failed = await failureOf(
          callOn(new PasskeyManager(config, inPage), call as CallName, asked as never),
        );
        expect(failed.by).toBe(by);
        expect(failed.codes).toEqual((by === 'results' ? [0, 1] : [0]).map(() => 'NO_BROWSER'));
        expect(told).toEqual(['NO_BROWSER', false]);
      }
    },
  );

  it('gives one failed result for a list without a transaction', async () => {
    const manager = new PasskeyManager({ relayer }, inPage);
    for (const transactions of [[], undefined as never]) {
      const results = await manager.signAndSendTransactions({ nearAccountId: 'alice.testnet', transactions });
      expect(results).toMatchObject([{ success: false, fate: 'not-sent', transactionId: null }]);
    }
  });

  it('checks no device, and closes without a call', async () => {
    const manager = new PasskeyManager({ relayer, iframeWallet });
    await expect(manager.checkDevice()).resolves.toMatchObject({ isSecureContext: false });
    await expect(manager.destroy()).resolves.toBeUndefined();
  });

  it('reports it in a recovery in two steps, too', async () => {
    const recovery = new AccountRecoveryFlow(new PasskeyManager({ relayer }, inPage));
    await expect(recovery.discover('alice.testnet')).rejects.toMatchObject({ code: 'NO_BROWSER' });
    expect(recovery.getState()).toMatchObject({ phase: 'error', error: { code: 'NO_BROWSER' } });
  });

  it('throws for a malformed wallet origin', () => {
    const bad = { walletOrigin: 'http://wallet.example/path' };
    expect(() => new PasskeyManager({ relayer, iframeWallet: bad })).toThrow(/iframeWallet\.walletOrigin/);
  });
});
