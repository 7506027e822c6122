/**
 * A wallet page with the real handshake and the real port, over flows that a test scripts by the account's name; other
 * tests cover the flows on a chain. Its parent may request what is drawn. `as=...` in its address names the origin
 * that its UI takes for the host's; with `settings=fail` it cannot draw the settings. It refuses the host `REFUSED_HOST`.
 */
import { CANCELLED, CONFIG_NOT_ALLOWED, LatchkeyError } from '../../errors/frame.js';
import type { LoginState, RegistrationResult } from '../../types.js';
import type { Wallet } from '../../wallet.js';
import type { FrameServices, HostConfig, Progress } from '../protocol/index.js';
import { acceptHost } from '../wallet/accept-host.js';
import { bridgeCredentials } from '../wallet/bridge.js';
import { onEscapeWithoutDialog } from '../wallet/escape.js';
import { servePort } from '../wallet/serve-port.js';
import { serveUi } from '../wallet/serve-ui.js';
import { REFUSED_HOST } from './refused-host.js';

interface FlowCall {
  readonly onEvent?: (event: Progress) => void;
  readonly signal?: AbortSignal;
  readonly signupVoucher?: string;
}

const wish = new URLSearchParams(location.search);
let config: HostConfig = {};
const listeners = new Set<(state: LoginState) => void>();
const loggedOut: LoginState = {
  isLoggedIn: false,
  nearAccountId: null,
  publicKey: null,
  vrfActive: false,
  userData: null,
};

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new LatchkeyError(CANCELLED)), { once: true });
  });
}

/** Resolves once the test lets a linking answer. */
const toldToAnswer = new Promise<void>((resolve) => {
  addEventListener('message', ({ source, data }) => {
    if (source === parent && data === 'answer') resolve();
  });
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function registration(nearAccountId: string, outcome: Partial<RegistrationResult>): RegistrationResult {
  return {
    success: true,
    nearAccountId,
    clientNearPublicKey: null,
    transactionId: null,
    vrfRegistration: { success: true, vrfPublicKey: null, encryptedVrfKeypair: null, contractVerified: true },
    ...outcome,
  };
}

const wallet = {
  async registerPasskey(nearAccountId: string, { onEvent, signupVoucher }: FlowCall) {
    onEvent?.({ step: 1, phase: 'webauthn-verification', status: 'progress', message: 'Passkey' });
    await pause(50);
    if (nearAccountId.startsWith('refused')) {
      const error = { code: 'REGISTRATION_CANCELLED' as const, message: 'no' };
      onEvent?.({ step: 0, phase: 'registration-error', status: 'error', message: 'no', error });
      return registration(nearAccountId, {
        success: false,
        error: 'no',
        errorCode: 'REGISTRATION_CANCELLED',
      });
    }
    onEvent?.({ step: 7, phase: 'registration-complete', status: 'success', message: 'Done' });
    const transactionId = signupVoucher === undefined ? 'tx' : `tx for ${signupVoucher}`;
    return registration(nearAccountId, { transactionId });
  },
  async loginPasskey(nearAccountId: string, { onEvent, signal }: FlowCall) {
    onEvent?.({ step: 2, phase: 'webauthn-assertion', status: 'progress' });
    if (nearAccountId.startsWith('dialog')) await closedByUser();
    else await aborted(signal);
    return { success: true, nearAccountId, loggedInNearAccountId: null, clientNearPublicKey: null };
  },
  async executeAction({ nearAccountId, options }: { nearAccountId: string; options: FlowCall }) {
    if (nearAccountId.startsWith('slow')) await aborted(options.signal);
    if (nearAccountId.startsWith('frozen')) {
      isFrozen = true;
      await pause(60_000);
    }
    if (nearAccountId.startsWith('reload')) {
      location.reload();
      await pause(60_000);
    }
    options.onEvent?.({ step: 2, phase: 'user-confirmation', status: 'progress' });
    await pause(100);
    options.onEvent?.({ step: 8, phase: 'broadcasting', status: 'progress' });
    await pause(100);
    return { success: true, transactionId: `tx of ${nearAccountId}`, result: null };
  },
  async signAndSendTransactions({ nearAccountId, options }: { nearAccountId: string; options: FlowCall }) {
    options.onEvent?.({ step: 2, phase: 'user-confirmation', status: 'progress' });
    await pause(50);
    options.onEvent?.({ step: 8, phase: 'broadcasting', status: 'progress' });
    if (!nearAccountId.startsWith('refused')) return [{ success: true, transactionId: 'tx', result: null }];
    return [{ success: false, error: 'no', errorCode: 'CANCELLED', transactionId: null, result: null }];
  },
  getLoginState: async (nearAccountId?: string) => ({ ...loggedOut, nearAccountId: nearAccountId ?? null }),
  hasPasskeyCredential: async (nearAccountId: string) => {
    // Never answers, so that the request times out.
    if (nearAccountId.startsWith('mute')) await pause(60_000);
    if (nearAccountId.startsWith('hang')) hang(9_000);
    if (nearAccountId.startsWith('bridge')) return isBridgeServed();
    return nearAccountId.startsWith('known');
  },
  getConfirmationConfig: async () => ({
    uiMode: 'modal' as const,
    behavior: 'requireClick' as const,
    autoProceedDelayMs: 0,
    theme: config.theme ?? 'dark',
  }),
  async logoutAndClearVrfSession() {
    for (const listener of listeners) listener({ ...loggedOut, nearAccountId: 'told.testnet' });
  },
  async startDevice2LinkingFlow(
    options: FlowCall & { accountId?: string; afterCall: (ok: boolean, account: object) => void },
  ) {
    if (options.accountId !== undefined) await toldToAnswer;
    setTimeout(() => {
      options.onEvent?.({ step: 6, phase: 'registration', status: 'progress' });
      options.onEvent?.({ step: 7, phase: 'linking-complete', status: 'success' });
      options.afterCall(true, {
        success: true,
        nearAccountId: 'linked.testnet',
        deviceNumber: 2,
        publicKey: null,
        transactionIds: [],
        isLoggedIn: true,
      });
    }, 50);
    return {
      flowId: 'flow',
      qrData: { device2PublicKey: 'ed25519:x', timestamp: 1, version: '1.0' as const },
      qrCodeDataURL: 'data:image/png;base64,',
      checkCode: 'ABCDEFGHIJKLMNOP',
      expiresAt: 2,
    };
  },
} as unknown as Wallet;

const services: FrameServices = {
  openSettings: (signal) =>
    new Promise((resolve, reject) => {
      if (wish.get('settings') === 'fail') return reject(new Error('/sdk/ui.js: 404'));
      drawButton('Settings', signal, resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    }),
  async setConfig(wanted) {
    if (wanted.rpcUrl) throw new LatchkeyError(CONFIG_NOT_ALLOWED, { values: { reason: 'rpcUrl' } });
    config = wanted;
  },
  checkDevice: async () => ({}) as never,
  showLinkingCode: () => undefined,
  showRegisterButton: ({ nearAccountId, register }, signal) =>
    drawButton(`Register ${nearAccountId}`, signal, () => void register().catch(() => undefined)),
  offerPasskeys: ({ signal, onEvent }) =>
    new Promise((resolve, reject) => {
      aborted(signal).catch(reject);
      drawButton('Choose a passkey', signal, () => {
        onEvent({ step: 2, phase: 'webauthn-authentication', status: 'success', message: 'Passkey' });
        resolve({ success: true, accountId: 'a.testnet', publicKey: null, message: 'Recovered' });
      });
    }),
  showTransactionButton: async ({ nearAccountId, sign }, signal) =>
    drawButton(`Pay as ${nearAccountId}`, signal, () => void sign()),
  tellHost: (message) => parent.postMessage(message, connection.origin),
};

/** Whether the host runs a ceremony for this page: one of another site, which its browser refuses immediately. */
async function isBridgeServed(): Promise<boolean> {
  const publicKey = {
    rpId: 'elsewhere.example',
    challenge: new Uint8Array(32),
    userVerification: 'required',
  } as const;
  const { signal } = new AbortController();
  const error = await bridgeCredentials(connection.origin, 3_000)
    .get(publicKey, signal)
    .catch((reason: Error) => reason);
  return error instanceof Error && error.name === 'SecurityError';
}

/** A button over all of the page. A click on it closes the settings. */
function drawButton(text: string, signal: AbortSignal, onClick: () => void): void {
  const button = document.createElement('button');
  button.textContent = text;
  Object.assign(button.style, { width: '100vw', height: '100vh', display: 'block' });
  button.addEventListener('click', onClick);
  document.body.append(button);
  signal.addEventListener('abort', () => button.remove(), { once: true });
}

/** A screen of the wallet that handles Escape itself. */
async function closedByUser(): Promise<void> {
  const host = document.createElement('div');
  const dialog = document.createElement('dialog');
  host.attachShadow({ mode: 'open' }).append(dialog);
  document.body.append(host);
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener('close', resolve, { once: true }));
  host.remove();
}

/** Behaves as a page whose main thread hangs. */
function hang(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

const connection = await acceptHost({ isAllowed: async () => wish.get('host') !== REFUSED_HOST });
/** Hears nothing more, as a page of which the browser stopped the process. The host's own thread goes on. */
let isFrozen = false;
connection.port.addEventListener('message', (event) => {
  if (isFrozen) event.stopImmediatePropagation();
});
servePort(connection.port, {
  wallet,
  services,
  onLoginState: (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
});
serveUi(wish.get('as') ?? connection.origin, { wallet, services });
onEscapeWithoutDialog(() => parent.postMessage({ type: 'WALLET_ESCAPE_PRESSED' }, connection.origin));
addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
  if (source !== parent || data !== 'what is drawn?') return;
  const drawn = Array.from(document.body.children, ({ outerHTML }) => outerHTML);
  parent.postMessage({ drawn }, connection.origin);
});
