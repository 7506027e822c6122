/** The window's side of the handshake with the page that opened it: one port, for the first origin that asks. */
import * as v from 'valibot';
import { LatchkeyError, OPENER_NOT_ALLOWED } from '../../errors/frame.js';
import {
  OpenerConnectSchema,
  type OpenerMessage,
  OpenerMessageSchema,
  type OpenerReady,
  type OpenerRefused,
} from '../opener-messages.js';
import { canonicalOrigin } from '../origin.js';
import { PROTOCOL_VERSION } from '../protocol/version.js';

export interface OpenerConnection {
  /** The window's end of the port that the opener's messages arrive on. */
  readonly port: MessagePort;
  /** The opener's origin, as the browser told it. */
  readonly origin: string;
}

export interface AcceptOpenerOptions {
  readonly opener: Window;
  readonly isAllowed: (origin: string) => boolean;
  /** Called once for an origin that is not served; `'null'` where it has none that can be answered. */
  readonly refused: (origin: string) => void;
}

/**
 * Resolves with a port once the opener has asked from an origin that is allowed. Everything after that is taken from this
 * window and origin alone, and answered to it. An opener that navigates elsewhere is no longer heard.
 */
export function acceptOpener({ opener, isAllowed, refused }: AcceptOpenerOptions): Promise<OpenerConnection> {
  return new Promise((resolve) => {
    let accepted:
      | { readonly origin: string; readonly session: string; readonly port: MessagePort }
      | undefined;
    let isRefused = false;

    const accept = (origin: string, session: string): void => {
      if (isRefused) return;
      if (canonicalOrigin(origin) !== origin || !isAllowed(origin)) {
        isRefused = true;
        refused(origin);
        // An opaque origin cannot be addressed exactly.
        if (origin !== 'null') opener.postMessage(refusal(origin, session), origin);
        return;
      }
      const { port1, port2 } = new MessageChannel();
      accepted = { origin, session, port: port2 };
      port2.onmessage = ({ data }: MessageEvent<OpenerMessage['message']>) => {
        const message: OpenerMessage = { type: 'WALLET_OPENER_MESSAGE', session, message: data };
        opener.postMessage(message, origin);
      };
      const ready: OpenerReady = { type: 'WALLET_OPENER_READY', session, protocolVersion: PROTOCOL_VERSION };
      opener.postMessage(ready, origin);
      resolve({ port: port1, origin });
    };

    addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
      if (source !== opener || (accepted && origin !== accepted.origin)) return;
      if (v.is(OpenerConnectSchema, data)) {
        if (!accepted) accept(origin, data.session);
      } else if (v.is(OpenerMessageSchema, data) && accepted?.session === data.session) {
        accepted.port.postMessage(data.message);
      }
    });
  });
}

function refusal(origin: string, session: string): OpenerRefused {
  const { code, message } = new LatchkeyError(OPENER_NOT_ALLOWED, { values: { origin } });
  return { type: 'WALLET_OPENER_REFUSED', session, code, message };
}
