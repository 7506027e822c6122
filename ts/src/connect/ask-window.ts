/** One request to a window of the wallet: opened for it, and closed after it. */
import * as v from 'valibot';
import { CANCELLED, errorFrom, isErrorCode, LatchkeyError, WINDOW_SILENT } from '../errors/frame.js';
import { createPortClient, type PortClient } from '../frame/host/port-client.js';
import {
  type OpenerConnect,
  type OpenerMessage,
  OpenerMessageSchema,
  OpenerReadySchema,
  OpenerRefusedSchema,
} from '../frame/opener-messages.js';
import type { WalletWindow } from './wallet-window.js';

/** How often the page asks until the window answers, and how often it looks whether the window is still there. */
const POLL_MS = 200;

const Told = v.variant('type', [OpenerMessageSchema, OpenerReadySchema, OpenerRefusedSchema]);

export interface AskWindowOptions {
  readonly walletOrigin: string;
  readonly signal: AbortSignal;
}

/**
 * Connects to the window and makes the request. Rejects with OPENER_NOT_ALLOWED, WINDOW_SILENT (closed or cut off before it
 * answered), CANCELLED (closed by the user, or `signal` aborted), or the request's own error: one that had sent something names it. Closes the window at the end.
 */
export async function askWindow<T>(
  opened: WalletWindow,
  { walletOrigin, signal }: AskWindowOptions,
  request: (client: PortClient) => Promise<T>,
): Promise<T> {
  const session = crypto.randomUUID();
  const { port1, port2 } = new MessageChannel();
  const client = createPortClient(port1);
  let isReady = false;
  let poll: ReturnType<typeof setInterval> | undefined;
  let stopHearing = (): void => undefined;
  const ready = new Promise<void>((resolve, reject) => {
    const connect: OpenerConnect = { type: 'WALLET_OPENER_CONNECT', session };
    stopHearing = opened.hear((message) => {
      const { success, output: told } = v.safeParse(Told, message);
      // Another window of the wallet answers another session.
      if (!success || told.session !== session) return;
      if (told.type === 'WALLET_OPENER_MESSAGE') port2.postMessage(told.message);
      else if (told.type === 'WALLET_OPENER_READY') {
        isReady = true;
        resolve();
      } else {
        const code = isErrorCode(told.code) ? told.code : 'HOST_ERROR';
        reject(errorFrom({ code, message: told.message }));
      }
    });
    port2.onmessage = ({ data }: MessageEvent<OpenerMessage['message']>) => {
      const message: OpenerMessage = { type: 'WALLET_OPENER_MESSAGE', session, message: data };
      opened.post(message, 'wallet');
    };
    const look = (): void => {
      if (opened.isClosed()) {
        const error = isReady
          ? new LatchkeyError(CANCELLED)
          : new LatchkeyError(WINDOW_SILENT, {
              values: { origin: walletOrigin },
              details: { walletOrigin },
            });
        client.close(error);
        reject(error);
      } else if (!isReady) opened.post(connect, 'anyone');
    };
    poll = setInterval(look, POLL_MS);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    look();
  });
  try {
    await ready;
    return await request(client);
  } finally {
    clearInterval(poll);
    stopHearing();
    client.close(new LatchkeyError(CANCELLED));
    port2.close();
    opened.close();
  }
}
