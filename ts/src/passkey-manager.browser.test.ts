import { afterEach, describe, expect, it, vi } from 'vitest';
import type { LatchkeyError } from './errors/latchkey-error.js';
import type { IframeWalletConfig } from './frame/config.js';
import { FAILING, failureOf } from './frame/testing/failing-calls.js';
import { SERVICE_PATH, SILENT_PATH, WALLET_ORIGIN } from './frame/testing/frames.js';
import { REFUSED_HOST } from './frame/testing/refused-host.js';
import { PasskeyManager } from './passkey-manager.js';
import { sameOriginWallet } from './same-origin.js';
import { type CallName, callOn } from './wallet.js';
import { checkDevice } from './webauthn/device-check.js';

const managers: PasskeyManager[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  for (const manager of managers.splice(0)) await manager.destroy();
});

const TRANSFER = { type: 'Transfer', amount: '1' } as const;
const OF = { nearAccountId: 'a.testnet' };

function framed(rest: IframeWalletConfig = {}, page = location.origin): PasskeyManager {
  const config = {
    relayer: { url: 'https://relay.example' },
    iframeWallet: { walletOrigin: WALLET_ORIGIN, walletServicePath: SERVICE_PATH, ...rest },
  };
  const manager = new PasskeyManager(config, { page, wallet: sameOriginWallet });
  managers.push(manager);
  return manager;
}

const frame = () => document.querySelector('latchkey-wallet');

/** Timings are not under test: a busy machine is slow. */
const soon = <T>(check: () => T) => vi.waitFor(check, { timeout: 10_000 });

describe('a manager with a wallet origin (frame 4)', () => {
  it('makes the frame at preload, not before, and calls through it', async () => {
    const manager = framed();
    expect(frame()).toBeNull();
    await manager.preload();
    const made = frame();
    expect(made).not.toBeNull();
    expect(await manager.hasPasskeyCredential('known.testnet')).toBe(true);
    expect(await manager.registerPasskey('a.testnet')).toMatchObject({ success: true, transactionId: 'tx' });
    expect(frame()).toBe(made);
  });

  it('reports the login state to its listeners until it is destroyed', async () => {
    const manager = framed();
    const told = vi.fn();
    manager.onLoginStateChange(told);
    await manager.logoutAndClearVrfSession();
    await soon(() => expect(told).toHaveBeenCalledOnce());
    const pending = manager.loginPasskey('a.testnet');
    await soon(() => expect(frame()?.shadowRoot?.querySelector('dialog')?.open).toBe(true));
    await manager.destroy();
    expect(await pending).toMatchObject({ success: false, errorCode: 'LOGIN_CANCELLED' });
    expect(frame()).toBeNull();
    expect(told).toHaveBeenCalledOnce();
  });

  it('makes another frame after it was closed', async () => {
    const manager = framed();
    await manager.preload();
    await manager.close();
    expect(frame()).toBeNull();
    expect(await manager.hasPasskeyCredential('other.testnet')).toBe(false);
  });
});

/** The words of the wallet in a page, for arguments that the port refuses. */
const REFUSED_ARGUMENTS: [string, CallName, readonly unknown[], code: string, text: string][] = [
  [
    'no account',
    'executeAction',
    [{ receiverId: 'b.testnet', actionArgs: TRANSFER }],
    'INVALID_ACCOUNT_ID',
    'Account ID must be',
  ],
  [
    'no action',
    'executeAction',
    [{ ...OF, receiverId: 'b.testnet' }],
    'INVALID_ACTION',
    'An action is an object with a type',
  ],
  [
    'an amount in NEAR',
    'signAndSendTransactions',
    [{ ...OF, transactions: [{ receiverId: 'b.testnet', actions: [{ type: 'Transfer', amount: '0.5' }] }] }],
    'INVALID_ACTION',
    'Transfer needs an amount',
  ],
  [
    'no list',
    'signAndSendTransactions',
    [{ ...OF, transactions: {} }],
    'INVALID_ACTION',
    'Transactions come as a list',
  ],
  [
    'a delegate without an action',
    'signDelegateAction',
    [{ ...OF, receiverId: 'b.testnet' }],
    'INVALID_ACTION',
    'An action is an object with a type',
  ],
  [
    'a call without a method',
    'callWithAppKey',
    [{ ...OF, receiverId: 'b.testnet', methodName: 1, args: {} }],
    'INVALID_ACTION',
    'FunctionCall needs',
  ],
  [
    'an app key without a contract',
    'addAppKey',
    [OF],
    'INVALID_ACTION',
    'An app key needs the receiverId of a contract',
  ],
  [
    'a message without a recipient',
    'signNEP413Message',
    [{ ...OF, params: { message: 'hello' } }],
    'SIGNING_FAILED',
    'NEP-413 signing failed: a recipient is needed',
  ],
  [
    'a transaction that is none',
    'sendTransaction',
    [{ signedTransaction: {} }],
    'INVALID_ACTION',
    'The signedTransaction is none',
  ],
  [
    'a key that is none',
    'deleteDeviceKey',
    ['a.testnet', 7],
    'INVALID_ACTION',
    'deleteDeviceKey needs a publicKey',
  ],
  [
    'a code that is none',
    'linkDeviceWithScannedQRData',
    [{ version: '1.0' }],
    'INVALID_QR_DATA',
    'Missing device public key',
  ],
];

describe('a call of the wallet in a frame (frame 8)', () => {
  it.each(Object.entries(FAILING))(
    'fails in %s by its contract where the wallet refuses the page',
    async (call, [by, ...args]) => {
      const manager = framed({}, REFUSED_HOST);
      const failed = await failureOf(callOn(manager, call as CallName, args as never));
      // The user's own settings are of no host.
      const code = call === 'setUserPreferences' ? 'CONFIG_NOT_ALLOWED' : 'HOST_NOT_ALLOWED';
      expect(failed).toMatchObject({ by, codes: (by === 'results' ? [0, 1] : [0]).map(() => code) });
    },
  );

  it.each(REFUSED_ARGUMENTS)(
    'says of %s what the wallet in a page says',
    async (_, call, args, code, text) => {
      const told: unknown[] = [];
      const [last] = args.slice(-1);
      const options = { onError: ({ code }: LatchkeyError) => void told.push(code) };
      const asked =
        call === 'deleteDeviceKey' || call === 'linkDeviceWithScannedQRData'
          ? [...args, options]
          : [{ ...(last as object), options }];
      const failed = await failureOf(callOn(framed(), call, asked as never));
      expect(failed).toMatchObject({
        by: FAILING[call][0],
        codes: [code],
        texts: [expect.stringContaining(text)],
      });
      expect(told).toEqual([code]);
    },
  );

  it('resolves where no wallet can be reached', async () => {
    const away = framed({ walletOrigin: 'http://wallet.localhost:65534' });
    expect(await away.loginPasskey('a.testnet')).toMatchObject({
      success: false,
      errorCode: 'WALLET_FRAME_UNREACHABLE',
    });
  });

  it('says that its outcome is unknown where its page froze', async () => {
    const manager = framed({ requestTimeoutMs: 1_000 });
    const frozen = manager.executeAction({
      nearAccountId: 'frozen.testnet',
      receiverId: 'b.testnet',
      actionArgs: TRANSFER,
    });
    expect(await frozen).toMatchObject({ success: false, errorCode: 'REQUEST_TIMEOUT', fate: 'unknown' });
  });

  it('says that its outcome is unknown where its page was lost, for each transaction', async () => {
    const manager = framed();
    await manager.preload();
    const lost = manager.executeAction({
      nearAccountId: 'reload.testnet',
      receiverId: 'b.testnet',
      actionArgs: TRANSFER,
    });
    expect(await lost).toMatchObject({ success: false, errorCode: 'WALLET_FRAME_LOST', fate: 'unknown' });
  });
});

describe('a check of the device (frame 9)', () => {
  it('is made in this page when the wallet is not ready in 4 s, however long a call would wait', async () => {
    // Each check gives the browser a second; the mocks make both checks see the same answers.
    vi.spyOn(PublicKeyCredential, 'isUserVerifyingPlatformAuthenticatorAvailable').mockResolvedValue(true);
    vi.spyOn(PublicKeyCredential, 'getClientCapabilities').mockResolvedValue({});
    const manager = framed({ walletServicePath: SILENT_PATH, connectTimeoutMs: 600_000 });
    expect(await manager.checkDevice()).toEqual(await checkDevice());
  });
});

describe('a manager without a wallet origin (core 4)', () => {
  it('says in one sentence that the device is offline when a read fails for it', async () => {
    const config = {
      relayer: { url: 'https://relay.example' },
      rpcUrl: 'http://127.0.0.1:9',
      logLevel: 'silent' as const,
    };
    const manager = new PasskeyManager(config, { wallet: sameOriginWallet });
    managers.push(manager);
    const reads = () =>
      Promise.allSettled([manager.viewAccessKeyList('a.testnet'), manager.getLinkedDevices('a.testnet')]);
    const refused = (...codes: string[]) => codes.map((code) => ({ status: 'rejected', reason: { code } }));
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    expect(await reads()).toMatchObject(refused('OFFLINE', 'OFFLINE'));
    onLine.mockReturnValue(true);
    expect(await reads()).toMatchObject(refused('NEAR_RPC_FAILED', 'AUTHENTICATORS_FAILED'));
  });

  it('says that settings and the register button need the wallet frame', async () => {
    const config = { relayer: { url: 'https://relay.example' } };
    const manager = new PasskeyManager(config, { wallet: sameOriginWallet });
    managers.push(manager);
    await expect(manager.openSettings()).rejects.toMatchObject({ code: 'WALLET_FRAME_ONLY' });
    const button = manager.registerButton({ container: document.body, nearAccountId: 'a.testnet' });
    await expect(button).rejects.toThrow('iframeWallet.walletOrigin');
    expect(frame()).toBeNull();
  });
});
