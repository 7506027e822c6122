/** The host's side of the handshake: from an iframe to a port that the wallet page in it has accepted. */
import {
  errorFrom,
  HOST_NOT_ALLOWED,
  INVALID_MESSAGE,
  isErrorCode,
  LatchkeyError,
  NOT_A_WALLET,
  WALLET_FRAME_ISOLATED,
  WALLET_FRAME_MISSING,
  WALLET_FRAME_TIMEOUT,
  WALLET_FRAME_UNREACHABLE,
} from '../../errors/frame.js';
import { PROTOCOL_VERSION } from '../protocol/version.js';
import { BOOTED, type Connect, READY, REFUSED, readMessage, readShape } from '../window-messages.js';

const CONNECT_TIMEOUT_MS = 8_000;
const LONGEST_BOOT_WAIT_MS = 1_500;
const LOAD_WAIT_MS = 150;
/** How long a loaded page may stay silent before this page asks its server whether it answers, and accepts the host. */
const SILENCE_MS = 1_000;
const FORBIDDEN = 403;
const CONNECT: Connect = { type: 'CONNECT' };

export interface ConnectOptions {
  readonly walletOrigin: string;
  /** How long the page may take to be ready. Default 8000. */
  readonly connectTimeoutMs?: number;
  readonly signal: AbortSignal;
  /** Whether the page in the frame has already said that it booted; the handshake then starts without waiting. */
  readonly hasBooted?: boolean;
  /** Whether the frame has loaded already: the browser's own page, where no server answers, loads before this begins. */
  readonly hasLoaded?: boolean;
}

export interface FrameConnection {
  readonly port: MessagePort;
  /** Identifies one load of the wallet page: a message with another id means that the page was loaded again. */
  readonly loadId: string | undefined;
}

/** The delay between the try of this number, counted from 1, and the next. */
export function retryDelayMs(tries: number): number {
  if (tries <= 10) return 200;
  return tries <= 20 ? 400 : 800;
}

/**
 * Asks the wallet page until it accepts a port. Alternates between a question to any origin, which carries nothing,
 * and a port to the wallet's origin alone; a page that says that it booted gets a port immediately. Every port stays
 * open until READY arrives on one; the others are closed then. A frame whose page stays silent although its server answers
 * is loaded again, once. Rejects with WALLET_FRAME_TIMEOUT, WALLET_FRAME_UNREACHABLE (no server answers there),
 * NOT_A_WALLET (one does, and its page stays silent), WALLET_FRAME_ISOLATED, WALLET_FRAME_MISSING (the frame is in no document), HOST_NOT_ALLOWED (or another refusal of the wallet page),
 * INVALID_MESSAGE (another version of the protocol), or the reason of `signal`.
 */
export async function connectFrame(
  frame: HTMLIFrameElement,
  {
    walletOrigin,
    connectTimeoutMs = CONNECT_TIMEOUT_MS,
    signal,
    hasBooted = false,
    hasLoaded = false,
  }: ConnectOptions,
): Promise<FrameConnection> {
  signal.throwIfAborted();
  const ports = new Set<MessagePort>();
  const over = new AbortController();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const after = (ms: number, call: () => void): void => void timers.add(setTimeout(call, ms));
  const connected = new Promise<FrameConnection>((resolve, reject) => {
    const offerPort = (wallet: Window): void => {
      const { port1, port2 } = new MessageChannel();
      ports.add(port1);
      port1.onmessage = ({ data }: MessageEvent<unknown>) => {
        const ready = readShape(READY, data);
        if (!ready) return;
        const { protocolVersion, loadId } = ready.payload;
        if (!speaksOurs(protocolVersion)) return reject(otherVersion(protocolVersion));
        port1.onmessage = null;
        ports.delete(port1);
        resolve({ port: port1, loadId });
      };
      wallet.postMessage(CONNECT, walletOrigin, [port2]);
    };
    let tries = 0;
    let isTrying = false;
    const tryOnce = (toWallet: boolean) => {
      const wallet = frame.contentWindow;
      if (!wallet) return reject(new LatchkeyError(WALLET_FRAME_MISSING));
      if (toWallet) offerPort(wallet);
      else wallet.postMessage(CONNECT, '*');
    };
    const keepTrying = (): void => {
      if (over.signal.aborted) return;
      tryOnce(tries % 2 === 1);
      tries += 1;
      after(retryDelayMs(tries), keepTrying);
    };
    const start = (): void => {
      if (isTrying) return;
      isTrying = true;
      keepTrying();
    };

    let booted: string | undefined;
    const onMessage = (event: MessageEvent<unknown>) => {
      const from = { source: frame.contentWindow, origin: walletOrigin };
      const refused = readMessage(REFUSED, event, from);
      if (refused) return reject(refusal(refused.payload, walletOrigin));
      const { loadId } = readMessage(BOOTED, event, from)?.payload ?? {};
      if (loadId === undefined || loadId === booted) return;
      booted = loadId;
      tryOnce(true);
    };
    /** Whether this page's own policy forbids it to ask the server. */
    let mayAsk = true;
    addEventListener('securitypolicyviolation', () => (mayAsk = false), { signal: over.signal });
    const ask = (mode: 'cors' | 'no-cors'): Promise<number | 'silent'> =>
      fetch(frame.src, { mode, credentials: 'omit', signal: over.signal }).then(
        ({ status }) => status,
        () => 'silent',
      );
    const isSettled = (): boolean => hasBooted || booted !== undefined || over.signal.aborted;
    let isReloaded = false;
    const blocked = async (text: typeof WALLET_FRAME_UNREACHABLE | typeof NOT_A_WALLET): Promise<void> => {
      const page = new URL(frame.src);
      const values = { origin: walletOrigin, page: page.origin + page.pathname };
      const details = { walletOrigin };
      const isIsolated = await hasEmbedderPolicy(over.signal);
      reject(new LatchkeyError(isIsolated ? WALLET_FRAME_ISOLATED : text, { values, details }));
    };
    /** Where the server refuses this host or is down, the browser shows its own page, which cannot say why. */
    const askServer = async (): Promise<void> => {
      if (isSettled()) return;
      const status = await ask('cors');
      // A server without CORS headers answers the second question alone.
      const isSilent = status === 'silent' && (await ask('no-cors')) === 'silent';
      if (status === FORBIDDEN) {
        const details = { walletOrigin };
        reject(new LatchkeyError(HOST_NOT_ALLOWED, { values: { origin: location.origin }, details }));
      } else if (isSilent && mayAsk) {
        await blocked(WALLET_FRAME_UNREACHABLE);
      } else if (!(isSilent || isReloaded || isSettled())) {
        // The server has come back since the frame was loaded.
        isReloaded = true;
        frame.setAttribute('src', frame.src);
      }
    };
    addEventListener('message', onMessage, { signal: over.signal });
    signal.addEventListener('abort', () => reject(signal.reason), { signal: over.signal });
    const onLoad = (): void => {
      after(LOAD_WAIT_MS, start);
      after(SILENCE_MS, () => void askServer());
    };
    frame.addEventListener('load', onLoad, { signal: over.signal });
    if (hasLoaded) onLoad();
    after(Math.min(connectTimeoutMs / 4, LONGEST_BOOT_WAIT_MS), start);
    after(connectTimeoutMs, () => {
      // It was loaded twice from a server that answers, so all of its scripts ran, and none said that it is a wallet.
      if (isReloaded && !isSettled()) return void blocked(NOT_A_WALLET);
      reject(new LatchkeyError(WALLET_FRAME_TIMEOUT, { details: { walletOrigin, connectTimeoutMs } }));
    });
    if (hasBooted) tryOnce(true);
    else if (!frame.contentWindow) reject(new LatchkeyError(WALLET_FRAME_MISSING));
  });
  try {
    return await connected;
  } finally {
    over.abort();
    for (const timer of timers) clearTimeout(timer);
    for (const port of ports) port.close();
  }
}

/**
 * Whether this page embeds isolated pages alone (HTML, 7.1.4.1, Cross-Origin-Embedder-Policy). A script reads that only of
 * a page that isolates itself in the other direction too; otherwise the page's own server says it.
 */
async function hasEmbedderPolicy(signal: AbortSignal): Promise<boolean> {
  if (crossOriginIsolated) return true;
  const limited = AbortSignal.any([signal, AbortSignal.timeout(SILENCE_MS)]);
  const headers = await fetch(location.href, { method: 'HEAD', signal: limited }).then(
    (response) => response.headers,
    () => undefined,
  );
  return /require-corp|credentialless/.test(headers?.get('cross-origin-embedder-policy') ?? '');
}

/** Versions with the same first number understand each other. */
function speaksOurs(version: string): boolean {
  const major = (of: string): string | undefined => of.split('.')[0];
  return major(version) === major(PROTOCOL_VERSION);
}

function otherVersion(version: string): LatchkeyError {
  const reason = `the wallet page speaks version ${version} of the protocol, and this page ${PROTOCOL_VERSION}`;
  return new LatchkeyError(INVALID_MESSAGE, { values: { type: 'READY', reason }, details: { version } });
}

function refusal({ code, message }: { code: string; message: string }, walletOrigin: string): LatchkeyError {
  return errorFrom({ code: isErrorCode(code) ? code : 'HOST_ERROR', message, details: { walletOrigin } });
}
