import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { resolveConfig } from '../../config.js';
import type { LoginState } from '../../types.js';
import type { IframeWalletConfig } from '../config.js';
import { frameRunning, SERVICE_PATH, SILENT_PATH, WALLET_ORIGIN } from '../testing/frames.js';
import { REFUSED_HOST } from '../testing/refused-host.js';
import { createFramedWallet, type FramedWallet } from './framed-wallet.js';

const wallets: FramedWallet[] = [];
const states: LoginState[] = [];
let button: HTMLButtonElement;

beforeEach(() => {
  states.length = 0;
  button = document.createElement('button');
  document.body.append(button);
});

afterEach(async () => {
  for (const wallet of wallets.splice(0)) await wallet.close();
  button.remove();
});

function open(frame: IframeWalletConfig = {}, rest = {}, page = location.origin): FramedWallet {
  const config = resolveConfig({
    relayer: { url: 'https://relay.example' },
    iframeWallet: { walletOrigin: WALLET_ORIGIN, walletServicePath: SERVICE_PATH, ...frame },
    ...rest,
  });
  const wallet = createFramedWallet(config, {
    page,
    onLoginState: (state) => states.push(state),
  });
  wallets.push(wallet);
  return wallet;
}

const host = () => document.querySelector('latchkey-wallet');
const iframe = () => host()?.shadowRoot?.querySelector('iframe') ?? null;
const isCovered = () => host()?.shadowRoot?.querySelector('dialog')?.open ?? false;
const reasonOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('it did not reject'),
    (reason) => reason,
  );
const action = { receiverId: 'b.testnet', actionArgs: { type: 'Transfer', amount: '1' } } as const;

/** Generous, because these tests do not measure speed and a busy machine is slow. */
const soon = <T>(check: () => T) => vi.waitFor(check, { timeout: 10_000 });

describe('a wallet in a frame (frame 4, frame 6, frame 7, frame 8)', () => {
  it('loads nothing before its first call, and one frame for all calls', async () => {
    const wallet = open();
    expect(host()).toBeNull();
    const [known, unknown] = await Promise.all([
      wallet.hasPasskeyCredential('known.testnet'),
      wallet.hasPasskeyCredential('other.testnet'),
    ]);
    expect([known, unknown]).toEqual([true, false]);
    expect(document.querySelectorAll('latchkey-wallet')).toHaveLength(1);
  });

  it('allows the frame passkeys, the clipboard and the camera explicitly, and gives it a title and no sandbox', async () => {
    const wallet = open();
    await wallet.warmUp();
    const frame = iframe();
    expect(frame?.allow).toBe(
      `publickey-credentials-get ${WALLET_ORIGIN}; publickey-credentials-create ${WALLET_ORIGIN}; clipboard-write ${WALLET_ORIGIN}; camera ${WALLET_ORIGIN}`,
    );
    expect(frame?.title).toBe('Wallet');
    expect(frame?.hasAttribute('sandbox')).toBe(false);
    expect(new URL(frame?.src ?? '').searchParams.get('host')).toBe(location.origin);
  });

  it('sends the developer’s configuration to the wallet, and reports the wallet’s answer to every call', async () => {
    const light = open({}, { confirmationConfig: { theme: 'light' } });
    expect(await light.getConfirmationConfig()).toMatchObject({ theme: 'light' });
    await light.close();
    const greedy = open({}, { rpcUrl: 'https://evil.example' });
    for (let call = 0; call < 2; call += 1) {
      const error = await reasonOf(greedy.getRecentLogins());
      expect(error).toMatchObject({ code: 'CONFIG_NOT_ALLOWED' });
      expect(host()).toBeNull();
    }
  });

  it('loads the frame of a wallet that refuses this host once for all reads, and again for each try of the user', async () => {
    const loads = vi.spyOn(HTMLIFrameElement.prototype, 'src', 'set');
    for (const [name, wallet] of [
      ['HOST_NOT_ALLOWED', open({}, {}, REFUSED_HOST)],
      ['CONFIG_NOT_ALLOWED', open({}, { rpcUrl: 'https://evil.example' })],
    ] as const) {
      loads.mockClear();
      const refused = async (call: Promise<unknown>, times: number): Promise<void> => {
        expect(await reasonOf(call)).toMatchObject({ code: name });
        expect(loads).toHaveBeenCalledTimes(times);
        expect(host()).toBeNull();
      };
      await refused(wallet.warmUp(), 1);
      await refused(wallet.getLoginState(), 1);
      await refused(wallet.hasPasskeyCredential('known.testnet'), 1);
      await refused(wallet.setConfirmationConfig({ theme: 'dark' }), 1);
      await refused(wallet.loginPasskey('a.testnet', {}), 2);
      await refused(wallet.hasPasskeyCredential('known.testnet'), 2);
      await refused(wallet.warmUp(), 3);
    }
    loads.mockRestore();
  });

  it("loads its code from the place that its own page names, and not from the host's", async () => {
    const wallet = open({ sdkBasePath: '/of-the-host' });
    expect(await wallet.hasPasskeyCredential('known.testnet')).toBe(true);
    expect(iframe()?.src).not.toContain('of-the-host');
  });

  it('covers the page while a signing needs the user, and runs the callbacks here', async () => {
    const wallet = open();
    await wallet.warmUp();
    button.focus();
    const told: unknown[] = [];
    const result = await wallet.executeAction({
      nearAccountId: 'a.testnet',
      ...action,
      options: {
        beforeCall: () => void told.push(['before', isCovered()]),
        onEvent: ({ flow, step, phase }) => told.push([flow, step, phase, isCovered()]),
        afterCall: (success, result) =>
          void told.push(['after', success, result?.transactionId, isCovered()]),
      },
    });
    expect(result).toMatchObject({ success: true, transactionId: 'tx of a.testnet' });
    expect(told).toEqual([
      ['before', false],
      ['action', 2, 'user-confirmation', true],
      ['action', 8, 'broadcasting', false],
      ['after', true, 'tx of a.testnet', false],
    ]);
    expect(document.activeElement).toBe(button);
  });

  it('returns a failure, and reports it to onError and afterCall', async () => {
    const told: unknown[] = [];
    const result = await open().registerPasskey('refused.testnet', {
      onEvent: ({ phase, status, error }) => told.push([phase, status, error?.code]),
      onError: ({ code, message }) => told.push([code, message]),
      afterCall: (success) => void told.push(success),
    });
    expect(result).toMatchObject({ success: false, error: 'no', errorCode: 'REGISTRATION_CANCELLED' });
    expect(told).toEqual([
      ['webauthn-verification', 'progress', undefined],
      ['registration-error', 'error', 'REGISTRATION_CANCELLED'],
      ['REGISTRATION_CANCELLED', 'no'],
      false,
    ]);
  });

  it('is never reached by a call that beforeCall refuses, or whose signal was aborted', async () => {
    const wallet = open();
    const refused = wallet.registerPasskey('a.testnet', {
      beforeCall: () => Promise.reject(new Error('not now')),
    });
    expect(await reasonOf(refused)).toMatchObject({ code: 'UNKNOWN' });
    const aborted = wallet.loginPasskey('a.testnet', { signal: AbortSignal.abort() });
    expect(await reasonOf(aborted)).toMatchObject({ code: 'LOGIN_CANCELLED' });
    expect(host()).toBeNull();
  });

  it('is cancelled by the signal, and by Escape while it covers the page', async () => {
    const wallet = open();
    const ending = new AbortController();
    const signalled = wallet.loginPasskey('a.testnet', {
      signal: ending.signal,
      onEvent: () => ending.abort(),
    });
    expect(await reasonOf(signalled)).toMatchObject({ code: 'LOGIN_CANCELLED' });
    expect(isCovered()).toBe(false);

    const escaped = reasonOf(wallet.loginPasskey('a.testnet', {}));
    await soon(() => expect(isCovered()).toBe(true));
    iframe()?.blur();
    await userEvent.keyboard('{Escape}');
    expect(await escaped).toMatchObject({ code: 'LOGIN_CANCELLED' });
    expect(isCovered()).toBe(false);
  });

  /** Presses in the wallet's own document, which has the focus while it covers the page. */
  const escapeInFrame = async () => {
    iframe()?.focus();
    await userEvent.keyboard('{Escape}');
  };

  it('is cancelled by Escape in the frame while the frame draws nothing, one request for each press', async () => {
    const wallet = open();
    const ended: string[] = [];
    const ask = (name: string) => {
      wallet.loginPasskey(name, {}).catch(({ code }) => ended.push(`${name}: ${code}`));
    };
    ask('first.testnet');
    await soon(() => expect(isCovered()).toBe(true));
    ask('second.testnet');
    await wallet.hasPasskeyCredential('known.testnet');
    await escapeInFrame();
    await soon(() => expect(ended).toEqual(['first.testnet: LOGIN_CANCELLED']));
    await wallet.hasPasskeyCredential('known.testnet');
    expect(ended).toHaveLength(1);
    expect(isCovered()).toBe(true);
    await escapeInFrame();
    await soon(() => expect(ended).toHaveLength(2));
    expect(isCovered()).toBe(false);
  });

  it('leaves Escape to a dialog in the frame', async () => {
    const wallet = open();
    const cancelled = vi.fn();
    const first = wallet.loginPasskey('dialog.testnet', { onError: cancelled });
    await soon(() => expect(isCovered()).toBe(true));
    const second = reasonOf(wallet.loginPasskey('second.testnet', { onError: cancelled }));
    await wallet.hasPasskeyCredential('known.testnet');
    await escapeInFrame();
    expect(await first).toMatchObject({ success: true });
    expect(isCovered()).toBe(true);
    expect(cancelled).not.toHaveBeenCalled();
    await escapeInFrame();
    expect(await second).toMatchObject({ code: 'LOGIN_CANCELLED' });
  });

  it('continues with events after the answer of a linking, until it ends', async () => {
    const told: unknown[] = [];
    const ended = new Promise<unknown>((resolve) => {
      open()
        .startDevice2LinkingFlow({
          onEvent: ({ phase }) => told.push(phase),
          afterCall: (success, account) => resolve([success, account?.nearAccountId]),
        })
        .then(({ checkCode }) => told.push(checkCode), resolve);
    });
    expect(await ended).toEqual([true, 'linked.testnet']);
    expect(told).toEqual(['ABCDEFGHIJKLMNOP', 'registration', 'linking-complete']);
    expect(isCovered()).toBe(false);
  });

  it('covers the page before the answer of a linking whose account is known, because its passkey comes first', async () => {
    const atAnswer: boolean[] = [];
    const wallet = open();
    await wallet.warmUp();
    const answer = wallet
      .startDevice2LinkingFlow({ accountId: 'a.testnet' })
      .then(() => atAnswer.push(isCovered()));
    await soon(() => expect(isCovered()).toBe(true));
    expect(atAnswer).toEqual([]);
    iframe()?.contentWindow?.postMessage('answer', '*');
    await answer;
    expect(atAnswer).toEqual([false]);
  });

  it('lets the page run its ceremonies only if the page is configured to', async () => {
    expect(await open().hasPasskeyCredential('bridge.testnet')).toBe(false);
    const bridged = open({ enableSafariGetWebauthnRegistrationFallback: true });
    expect(await bridged.hasPasskeyCredential('bridge.testnet')).toBe(true);
  });

  it('passes on the login state that the wallet reports', async () => {
    const wallet = open();
    await wallet.logoutAndClearVrfSession();
    await soon(() => expect(states.at(-1)?.nearAccountId).toBe('told.testnet'));
  });

  it('refuses to change the user’s own settings, and says where to change them', async () => {
    const error = await reasonOf(open().setUserPreferences({ theme: 'dark' }));
    expect(error).toMatchObject({ code: 'CONFIG_NOT_ALLOWED' });
    expect(error.message).toContain('openSettings');
  });
});

describe('a wallet page that is lost (frame 4, frame 6, frame 8)', () => {
  it('rejects pending requests with an unknown outcome, and reconnects after a reload', async () => {
    const wallet = open();
    await wallet.warmUp();
    const frame = iframe();
    const quiet = reasonOf(wallet.hasPasskeyCredential('mute.testnet'));
    const sending = await reasonOf(wallet.executeAction({ nearAccountId: 'reload.testnet', ...action }));
    expect(sending).toMatchObject({ code: 'WALLET_FRAME_LOST', details: { fate: 'unknown' } });
    expect(sending.message).toContain('may have been sent');
    const asking = await quiet;
    expect(asking).toMatchObject({ code: 'WALLET_FRAME_LOST', details: {} });
    expect(isCovered()).toBe(false);
    // The host requests its login state again by itself, and keeps the same frame.
    await soon(() => expect(states).toHaveLength(1));
    expect(await wallet.hasPasskeyCredential('known.testnet')).toBe(true);
    expect(iframe()).toBe(frame);
  });

  it('is created again after the page removed the frame', async () => {
    const wallet = open();
    await wallet.warmUp();
    const pending = reasonOf(wallet.hasPasskeyCredential('mute.testnet'));
    // The answer follows the arrival of the previous request.
    await wallet.hasPasskeyCredential('known.testnet');
    host()?.remove();
    expect(await pending).toMatchObject({ code: 'WALLET_FRAME_LOST' });
    expect(await wallet.hasPasskeyCredential('known.testnet')).toBe(true);
    expect(document.querySelectorAll('latchkey-wallet')).toHaveLength(1);
  });

  it('is kept when one request takes too long, and created again when it answers nothing at all', async () => {
    const wallet = open({ requestTimeoutMs: 3_000 });
    await wallet.warmUp();
    const frame = iframe();
    const late = await reasonOf(wallet.hasPasskeyCredential('mute.testnet'));
    expect(late).toMatchObject({
      code: 'REQUEST_TIMEOUT',
      message: 'Wallet request timeout for PM_HAS_PASSKEY',
    });
    expect(await wallet.hasPasskeyCredential('known.testnet')).toBe(true);
    expect(iframe()).toBe(frame);

    // Its main thread is busy for longer than the timeout.
    const stuck = await reasonOf(wallet.hasPasskeyCredential('hang.testnet'));
    expect(stuck).toMatchObject({ code: 'REQUEST_TIMEOUT' });
    await soon(() => expect(iframe()).toBeNull());
    expect(await wallet.hasPasskeyCredential('known.testnet')).toBe(true);
    expect(iframe()).not.toBe(frame);
  });

  it('ignores a third frame that forges BOOTED or Escape', async () => {
    const wallet = open();
    await wallet.warmUp();
    const booted = { type: 'SERVICE_HOST_BOOTED', payload: { loadId: crypto.randomUUID() } };
    const pressed = { type: 'WALLET_ESCAPE_PRESSED' };
    const third = await frameRunning(`setInterval(() => {
      for (const forged of ${JSON.stringify([booted, pressed])}) parent.postMessage(forged, '*');
    }, 10)`);
    const slow = wallet.executeAction({ nearAccountId: 'a.testnet', ...action });
    expect(await slow).toMatchObject({ success: true });
    expect(states).toHaveLength(0);
    third.remove();
  });

  it('removes everything when it is closed', async () => {
    const wallet = open();
    const pending = reasonOf(wallet.loginPasskey('a.testnet', {}));
    await soon(() => expect(isCovered()).toBe(true));
    await wallet.close();
    expect(await pending).toMatchObject({ code: 'LOGIN_CANCELLED' });
    expect(host()).toBeNull();
    expect(await reasonOf(wallet.getRecentLogins())).toMatchObject({ code: 'CANCELLED' });
  });

  it('reports that it was not ready in time, and tries again at the next call', async () => {
    const silent = open({ connectTimeoutMs: 600, walletServicePath: SILENT_PATH });
    for (let call = 0; call < 2; call += 1) {
      const error = await reasonOf(silent.getRecentLogins());
      expect(error).toMatchObject({ code: 'WALLET_FRAME_TIMEOUT', message: 'Wallet iframe READY timeout' });
      expect(host()).toBeNull();
    }
  });
});

describe('the transaction button of the wallet (button 10)', () => {
  let container: HTMLDivElement;
  const transactions = [{ receiverId: 'b.testnet', actions: [{ type: 'Transfer' as const, amount: '1' }] }];

  beforeEach(() => {
    container = document.createElement('div');
    container.style.cssText = 'position: absolute; left: 40px; top: 120px; width: 280px; height: 240px;';
    document.body.append(container);
  });
  afterEach(() => container.remove());

  const width = () => iframe()?.getBoundingClientRect().width;
  /** Chromium drops clicks on a frame of another origin that has just moved. */
  const settled = async () => {
    await soon(() => expect(width()).toBe(280));
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  };

  it('sends by a click inside the frame, and is gone afterwards', async () => {
    const phases: unknown[] = [];
    const onSubmit = vi.fn();
    const { sent } = await open().transactionButton({
      container,
      nearAccountId: 'a.testnet',
      transactions,
      onSubmit,
      onEvent: ({ phase }) => phases.push(phase),
    });
    await settled();
    await userEvent.click(container, { force: true });
    expect(await sent).toMatchObject([{ success: true, transactionId: 'tx' }]);
    expect(phases).toEqual(['user-confirmation', 'broadcasting']);
    expect(onSubmit).toHaveBeenCalledOnce();
    expect(width()).toBe(0);
  });

  it('stays for another try after a click without a result, until another button takes its place', async () => {
    const failures: unknown[] = [];
    const wallet = open();
    const { sent } = await wallet.transactionButton({
      container,
      nearAccountId: 'refused.testnet',
      transactions,
      onFailure: (failure) => failures.push(failure),
    });
    for (const times of [1, 2]) {
      await settled();
      await userEvent.click(container, { force: true });
      await soon(() => expect(failures).toHaveLength(times));
    }
    expect(failures[0]).toEqual({ error: 'no', cancelled: true });
    const { dispose } = await wallet.registerButton({ container, nearAccountId: 'a.testnet' });
    expect(await reasonOf(sent)).toMatchObject({ code: 'CANCELLED' });
    dispose();
  });
});

describe('the register button of the wallet (frame 4, frame 6, frame 7, frame 10)', () => {
  let container: HTMLDivElement;

  beforeEach(() => {
    container = document.createElement('div');
    container.style.cssText = 'position: absolute; left: 40px; top: 120px; width: 220px; height: 50px;';
    document.body.append(container);
  });
  afterEach(() => container.remove());

  const box = () => {
    const { left, top, width, height } = iframe()?.getBoundingClientRect() ?? new DOMRect();
    return { left, top, width, height };
  };
  /** Chromium drops clicks on a frame of another origin that has just moved. */
  const settled = async () => {
    await shown();
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  };
  const shown = () => soon(() => expect(box()).toEqual({ left: 40, top: 120, width: 220, height: 50 }));

  it('covers its container and follows it', async () => {
    const { dispose, registered } = await open().registerButton({ container, nearAccountId: 'a.testnet' });
    await shown();
    container.style.top = '300px';
    container.style.width = '180px';
    await soon(() => expect(box()).toEqual({ left: 40, top: 300, width: 180, height: 50 }));
    dispose();
    expect(await reasonOf(registered)).toMatchObject({ code: 'REGISTRATION_CANCELLED' });
    expect(box()).toMatchObject({ width: 0, height: 0 });
  });

  it('registers by a click inside the frame, and is gone afterwards', async () => {
    const phases: unknown[] = [];
    const onSubmit = vi.fn();
    const { registered } = await open().registerButton({
      container,
      nearAccountId: 'a.testnet',
      onSubmit,
      onEvent: ({ phase }) => phases.push(phase),
    });
    await settled();
    await userEvent.click(container, { force: true });
    expect(await registered).toMatchObject({ success: true, transactionId: 'tx' });
    expect(phases).toEqual(['webauthn-verification', 'registration-complete']);
    expect(onSubmit).toHaveBeenCalledOnce();
    expect(box()).toMatchObject({ width: 0, height: 0 });
  });

  it('stays for another try after a click without a result', async () => {
    const failures: unknown[] = [];
    const { dispose } = await open().registerButton({
      container,
      nearAccountId: 'refused.testnet',
      onFailure: (failure) => failures.push(failure),
    });
    for (const times of [1, 2]) {
      await settled();
      await userEvent.click(container, { force: true });
      await soon(() => expect(failures).toHaveLength(times));
    }
    expect(failures[0]).toEqual({ error: 'no', cancelled: true });
    dispose();
  });

  it('takes no result from a third frame', async () => {
    const failures: unknown[] = [];
    const { dispose } = await open().registerButton({
      container,
      nearAccountId: 'a.testnet',
      onSubmit: () => failures.push('submit'),
      onFailure: (failure) => failures.push(failure),
    });
    await shown();
    const forged = { type: 'REGISTER_BUTTON_RESULT', payload: { ok: false, error: 'forged' } };
    const third = await frameRunning(`parent.postMessage(${JSON.stringify(forged)}, '*')`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(failures).toEqual([]);
    third.remove();
    dispose();
  });
});

describe('the passkey field of the wallet (frame 4)', () => {
  let container: HTMLDivElement;
  beforeEach(() => {
    container = document.createElement('div');
    container.style.cssText = 'position: absolute; left: 40px; top: 120px; width: 220px; height: 50px;';
    document.body.append(container);
  });
  afterEach(() => container.remove());
  const width = () => iframe()?.getBoundingClientRect().width;

  it('covers its container until a passkey is chosen there, which opens its account', async () => {
    const phases: unknown[] = [];
    const onEvent = ({ phase }: { phase: string }) => phases.push(phase);
    const opened = open().recoverByAutofill({ container, onEvent });
    await soon(() => expect(width()).toBe(220));
    // Chromium drops clicks on a frame of another origin that has just moved.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await userEvent.click(container, { force: true });
    expect(await opened).toMatchObject({ success: true, accountId: 'a.testnet' });
    expect(phases).toEqual(['webauthn-authentication']);
    expect(width()).toBe(0);
  });

  it('leaves its place to a button that replaces it, and goes with its signal', async () => {
    const wallet = open();
    const first = wallet.recoverByAutofill({ container });
    await soon(() => expect(width()).toBe(220));
    const { dispose } = await wallet.registerButton({ container, nearAccountId: 'a.testnet' });
    expect(await reasonOf(first)).toMatchObject({ code: 'CANCELLED' });
    await soon(() => expect(width()).toBe(220));
    dispose();
    const ending = new AbortController();
    const second = wallet.recoverByAutofill({ container, signal: ending.signal });
    await soon(() => expect(width()).toBe(220));
    ending.abort();
    expect(await reasonOf(second)).toMatchObject({ code: 'CANCELLED' });
    expect(width()).toBe(0);
  });

  it('is not drawn without a place, or in a browser that offers no passkeys in fields', async () => {
    expect(await open().recoverByAutofill({})).toBeNull();
    vi.spyOn(PublicKeyCredential, 'isConditionalMediationAvailable').mockResolvedValueOnce(false);
    expect(await open().recoverByAutofill({ container })).toBeNull();
  });
});
