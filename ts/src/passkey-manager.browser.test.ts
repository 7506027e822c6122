import { afterEach, describe, expect, it, vi } from 'vitest';
import type { IframeWalletConfig } from './frame/config.js';
import { SERVICE_PATH, SILENT_PATH, WALLET_ORIGIN } from './frame/testing/frames.js';
import { PasskeyManager } from './passkey-manager.js';
import { checkDevice } from './webauthn/device-check.js';

const managers: PasskeyManager[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  for (const manager of managers.splice(0)) await manager.destroy();
});

function framed(rest: IframeWalletConfig = {}): PasskeyManager {
  const manager = new PasskeyManager({
    relayer: { url: 'https://relay.example' },
    iframeWallet: { walletOrigin: WALLET_ORIGIN, walletServicePath: SERVICE_PATH, ...rest },
  });
  managers.push(manager);
  return manager;
}

const frame = () => document.querySelector('latchkey-wallet');

/** Timings are not under test: a busy machine is slow. */
const soon = <T>(check: () => T) => vi.waitFor(check, { timeout: 10_000 });

describe('a manager with a wallet origin', () => {
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
    const pending = manager.loginPasskey('a.testnet').catch((reason) => reason);
    await soon(() => expect(frame()?.shadowRoot?.querySelector('dialog')?.open).toBe(true));
    await manager.destroy();
    expect(await pending).toMatchObject({ code: 'LOGIN_CANCELLED' });
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

describe('a check of the device', () => {
  it('is made in this page when the wallet is not ready in 4 s, however long a call would wait', async () => {
    // Each check gives the browser a second; the mocks make both checks see the same answers.
    vi.spyOn(PublicKeyCredential, 'isUserVerifyingPlatformAuthenticatorAvailable').mockResolvedValue(true);
    vi.spyOn(PublicKeyCredential, 'getClientCapabilities').mockResolvedValue({});
    const manager = framed({ walletServicePath: SILENT_PATH, connectTimeoutMs: 600_000 });
    expect(await manager.checkDevice()).toEqual(await checkDevice());
  });
});

describe('a manager without a wallet origin', () => {
  it('says in one sentence that the device is offline when a read fails for it', async () => {
    const manager = new PasskeyManager({
      relayer: { url: 'https://relay.example' },
      rpcUrl: 'http://127.0.0.1:9',
      logLevel: 'silent',
    });
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
    const manager = new PasskeyManager({ relayer: { url: 'https://relay.example' } });
    managers.push(manager);
    await expect(manager.openSettings()).rejects.toMatchObject({ code: 'WALLET_FRAME_ONLY' });
    const button = manager.registerButton({ container: document.body, nearAccountId: 'a.testnet' });
    await expect(button).rejects.toThrow('iframeWallet.walletOrigin');
    expect(frame()).toBeNull();
  });
});
