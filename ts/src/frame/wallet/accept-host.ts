/** The wallet page's side of the handshake: accepts one port, of an allowed host. */
import { HOST_NOT_ALLOWED, isLatchkeyError, LatchkeyError, messageOf } from '../../errors/frame.js';
import { canonicalOrigin } from '../origin.js';
import { PROTOCOL_VERSION } from '../protocol/version.js';
import { type Booted, CONNECT, type Ready, type Refused, readMessage } from '../window-messages.js';

export interface HostConnection {
  readonly port: MessagePort;
  /** The host's, as the browser told it. */
  readonly origin: string;
}

export interface AcceptHostOptions {
  /** Called once: the parent's origin does not change while this page is in it. */
  readonly isAllowed: (origin: string) => Promise<boolean>;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
}

/**
 * Resolves with the first port of an allowed host and sends the host READY on it; later ports of this page load are
 * ignored. A host that is not allowed gets one window message, HOST_NOT_ALLOWED, and no port; the promise then stays
 * pending, as it does in a page without a parent. Rejects when `signal` aborts.
 */
export function acceptHost({ isAllowed, signal }: AcceptHostOptions): Promise<HostConnection> {
  const loadId = crypto.randomUUID();
  const host = window.parent;
  const tellBooted = (origin: string): void =>
    tell(host, origin, { type: 'SERVICE_HOST_BOOTED', payload: { loadId } });

  return new Promise((resolve, reject) => {
    let verdict: Promise<boolean> | undefined;
    const listening = new AbortController();
    const end = (): void => listening.abort();
    const fail = (reason: unknown): void => {
      end();
      reject(reason);
    };
    if (signal?.aborted) return fail(signal.reason);
    signal?.addEventListener('abort', () => fail(signal.reason), { signal: listening.signal });

    const judge = async (origin: string): Promise<boolean> => {
      const refusal = await isAllowed(origin).then((is) => (is ? null : notAllowed(origin)), asRefusal);
      if (refusal && !listening.signal.aborted) tell(host, origin, refusal);
      return refusal === null;
    };
    const onMessage = async (event: MessageEvent<unknown>): Promise<void> => {
      const { origin } = event;
      const connect = readMessage(CONNECT, event, { source: host, origin });
      // An opaque origin cannot be distinguished from another, nor addressed exactly.
      if (!connect || origin === 'null') return;
      const [port] = event.ports;
      if (!port) return tellBooted(origin);
      verdict ??= judge(origin);
      if (!(await verdict) || listening.signal.aborted) return port.close();
      end();
      const ready: Ready = { type: 'READY', payload: { protocolVersion: PROTOCOL_VERSION, loadId } };
      port.postMessage(ready);
      resolve({ port, origin });
    };
    if (host === window) return;
    addEventListener('message', onMessage, { signal: listening.signal });
    const named = canonicalOrigin(new URLSearchParams(location.search).get('host') ?? '');
    if (named) tellBooted(named);
  });
}

function tell(host: Window, origin: string, message: Booted | Refused): void {
  host.postMessage(message, origin);
}

function notAllowed(origin: string): Refused {
  const { code, message } = new LatchkeyError(HOST_NOT_ALLOWED, { values: { origin } });
  return { type: 'ERROR', payload: { code, message } };
}

/** The reason that it could not be determined. */
function asRefusal(error: unknown): Refused {
  const code = isLatchkeyError(error) ? error.code : 'HOST_ERROR';
  return { type: 'ERROR', payload: { code, message: messageOf(error) } };
}
