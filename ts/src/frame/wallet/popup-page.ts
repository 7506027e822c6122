/** The wallet page opened at top level with `?popup`: does the one thing that the frame which opened it requests. */

import * as v from 'valibot';
import type { Confirmer, Decision } from '../../confirm/port.js';
import { POPUP_LOST_TEXT } from '../../errors/frame.js';
import { LatchkeyError, NO_CONFIRMER } from '../../errors/wallet.js';
import type { KeyToShow } from '../../export/contract.js';
import type { Theme } from '../../types.js';
import { browserCredentials } from '../../webauthn/credentials.js';
import { wipeAnswer } from '../../webauthn/prf.js';
import { createSignerPool } from '../../workers/start.js';
import {
  type PopupNews,
  type PopupReady,
  PopupReadySchema,
  type PopupRequest,
  PopupRequestSchema,
  type PopupResult,
  PopupThemeSchema,
} from '../popup-messages.js';
import { type CeremonyResult, readFrom, sentError } from '../webauthn-messages.js';
import { trustOwnWorkers } from './trusted-workers.js';

/** Longest wait for the frame's request. */
const REQUEST_LIMIT_MS = 10_000;

/** What draws in this window. */
export interface PopupPageUi {
  readonly confirmer: Confirmer;
  /** Paints the window, and all that shows in it. */
  paint(theme: Theme): void;
  /** Gives the window the frame's language, unless its user chose another. Resolves once it has it, or keeps its own. */
  speak(language: string): Promise<void>;
  /** Draws one button to continue, and one to cancel: Safari shows a passkey prompt only in a click. */
  continueByClick(
    ceremony: { readonly kind: 'create' | 'get'; readonly rpId: string },
    signal: AbortSignal,
  ): Promise<Decision>;
  /** Draws a notice that there is nothing to do here, and why. */
  lost(text: string): void;
}

/**
 * Runs the window, which the frame closes at the end. Without a frame on the wallet's origin, only shows a
 * notice.
 */
export async function runPopup(ui: PopupPageUi): Promise<void> {
  trustOwnWorkers();
  const opener = window.opener as Window | null;
  const ready = v.safeParse(PopupReadySchema, {
    type: 'WALLET_POPUP_READY',
    requestId: decodeURIComponent(location.hash.slice(1)),
  });
  const request = opener && ready.success ? await requestFrom(opener, ready.output) : undefined;
  if (!opener || !request) return ui.lost(POPUP_LOST_TEXT);
  const { requestId } = request;
  ui.paint(request.theme);
  followTheme(opener, requestId, ui);
  if (request.language !== undefined) await ui.speak(request.language);
  const ending = new AbortController();
  addEventListener('pagehide', () => ending.abort(), { once: true });

  const tell = (message: PopupNews | PopupResult): void => opener.postMessage(message, location.origin);
  const send = (payload: PopupResult['payload']): void => tell({ type: 'WALLET_POPUP_RESULT', payload });
  if (request.kind === 'confirm') {
    const decision = await ui.confirmer.show(request.model, ending.signal);
    return send({ requestId, ok: true, decision });
  }
  if (request.kind === 'export') {
    return send(
      await show(ui.confirmer, request.key, requestId, tell, ending.signal).then(
        () => ({ requestId, ok: true, isShown: true }) as const,
        (error: unknown) => ({ requestId, ok: false, error: sentError(error) }) as const,
      ),
    );
  }
  if (request.kind === 'scan') {
    return send(
      await scan(ui.confirmer, request.theme, ending.signal).then(
        (scanned) => ({ requestId, ok: true, scanned }) as const,
        (error: unknown) => ({ requestId, ok: false, error: sentError(error) }) as const,
      ),
    );
  }
  const result = await ceremonyResult(requestId, () => ceremony(ui, request, ending.signal));
  send(result);
  if (result.ok) wipeAnswer(result.credential.prf);
}

/** Takes the theme that the frame has, as often as it changes. */
function followTheme(opener: Window, requestId: string, ui: Pick<PopupPageUi, 'paint'>): void {
  addEventListener('message', (event) => {
    const told = readFrom(PopupThemeSchema, event, opener, location.origin);
    if (told?.requestId === requestId) ui.paint(told.theme);
  });
}

/** Scans a linking code. The frame gets its text and reads it again. */
async function scan(confirmer: Confirmer, theme: Theme, signal: AbortSignal): Promise<string> {
  const { parseLinkQr } = await import('../../flows/linking/qr.js');
  if (!confirmer.scan) throw new LatchkeyError(NO_CONFIRMER);
  return confirmer.scan({ theme, check: (text) => void parseLinkQr(text) }, signal);
}

/** The key never leaves this window and its worker; the frame gets progress only. */
async function show(
  confirmer: Confirmer,
  key: KeyToShow,
  requestId: string,
  tell: (news: PopupNews) => void,
  signal: AbortSignal,
): Promise<void> {
  const { showKey } = await import('../../flows/show-key.js');
  const context = {
    credentials: browserCredentials,
    signers: createSignerPool(),
    confirmer: () => confirmer,
    onCopied: (clearAfterMs: number | null) => tell({ type: 'WALLET_POPUP_COPIED', requestId, clearAfterMs }),
  };
  await showKey(
    context,
    key,
    (phase, status, message) => tell({ type: 'WALLET_POPUP_PROGRESS', requestId, phase, status, message }),
    signal,
  );
}

async function ceremony(
  ui: PopupPageUi,
  request: Extract<PopupRequest, { readonly kind: 'create' | 'get' }>,
  signal: AbortSignal,
) {
  const { kind } = request;
  const rpId = kind === 'create' ? request.publicKey.rp.id : request.publicKey.rpId;
  if ((await ui.continueByClick({ kind, rpId }, signal)) === 'cancel') {
    throw new DOMException('The user cancelled', 'NotAllowedError');
  }
  return kind === 'create'
    ? browserCredentials.create(request.publicKey as PublicKeyCredentialCreationOptions, signal)
    : browserCredentials.get(request.publicKey as PublicKeyCredentialRequestOptions, signal);
}

/** The outcome of a ceremony, as it is sent. Never rejects. */
export async function ceremonyResult(
  requestId: string,
  run: () => Promise<unknown>,
): Promise<CeremonyResult> {
  try {
    const credential = (await run()) as Extract<CeremonyResult, { readonly ok: true }>['credential'];
    return { requestId, ok: true, credential };
  } catch (error) {
    return { requestId, ok: false, error: sentError(error) };
  }
}

/** Announces this window to the opener and waits for its request. Accepts messages only from the wallet's origin. */
function requestFrom(opener: Window, ready: PopupReady): Promise<PopupRequest | undefined> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const end = (request?: PopupRequest): void => {
      over.abort();
      clearTimeout(timer);
      resolve(request);
    };
    const timer = setTimeout(() => end(), REQUEST_LIMIT_MS);
    addEventListener(
      'message',
      (event) => {
        const request = readFrom(PopupRequestSchema, event, opener, location.origin);
        if (request?.requestId === ready.requestId) end(request);
      },
      { signal: over.signal },
    );
    opener.postMessage(ready, location.origin);
  });
}
