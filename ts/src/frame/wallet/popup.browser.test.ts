import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { Confirmer, ConfirmModel } from '../../confirm/port.js';
import { CAMERA_ACCESS_FAILED, CANCELLED, LatchkeyError } from '../../errors/account.js';
import { POPUP_LOST_TEXT } from '../../errors/frame.js';
import type { KeyToShow } from '../../export/contract.js';
import { framedConfirmer, framedKeyWindow } from './other-places.js';
import {
  type PopupScreen,
  type PopupState,
  popupConfirmer,
  popupCredentials,
  popupKeyViewer,
  setPopupTheme,
} from './popup.js';

const address = new URL('../testing/popup.html', import.meta.url).href;
const model: ConfirmModel = {
  kind: 'nep413',
  accountId: 'alice.testnet',
  rpId: 'localhost',
  networkId: 'testnet',
  digest: '',
  uiMode: 'modal',
  behavior: 'requireClick',
  autoProceedDelayMs: 0,
  theme: 'dark',
  message: 'm',
  recipient: 'r',
  nonce: 'n',
};

let states: PopupState[];
let opened: Window | null;
let button: HTMLButtonElement | undefined;
let cancel: () => void;
const screen: PopupScreen = {
  show({ state }, actions, signal) {
    states.push(state);
    button?.remove();
    const drawn = document.createElement('button');
    drawn.textContent = 'Open the window';
    drawn.addEventListener('click', actions.open);
    signal.addEventListener('abort', () => drawn.remove());
    document.body.append(drawn);
    button = drawn;
    cancel = actions.cancel;
  },
};
const shown = () => expect.poll(() => button?.isConnected).toBe(true);
const click = async () => {
  await shown();
  await userEvent.click(button as HTMLButtonElement);
};
const { signal } = new AbortController();

beforeEach(() => {
  states = [];
  opened = null;
  const open = window.open.bind(window);
  vi.spyOn(window, 'open').mockImplementation((...args) => {
    opened = open(...args);
    return opened;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  opened?.close();
  button?.remove();
});

describe("the wallet's own window (core 2, frame 4, frame 7, frame 10)", () => {
  it('follows each change of the theme while it is open', async () => {
    const ending = new AbortController();
    const patient = { ...model, accountId: 'patient.testnet' };
    const decided = popupConfirmer({ screen, address }).show(patient, ending.signal);
    await click();
    for (const theme of ['dark', 'light', 'dark'] as const) {
      setPopupTheme(theme);
      await expect.poll(() => opened?.document.title).toBe(theme);
    }
    ending.abort();
    expect(await decided).toBe('cancel');
  });

  it('has the language of the frame', async () => {
    document.documentElement.lang = 'ar';
    const ending = new AbortController();
    const patient = { ...model, accountId: 'patient.testnet' };
    const decided = popupConfirmer({ screen, address }).show(patient, ending.signal);
    await click();
    await expect.poll(() => opened?.document.documentElement.lang).toBe('ar');
    ending.abort();
    await decided;
    document.documentElement.lang = 'en';
  });

  it('opens by a click, confirms, and closes', async () => {
    const decided = popupConfirmer({ screen, address }).show(model, signal);
    await click();
    expect(await decided).toBe('confirm');
    expect(states).toEqual(['needed', 'open']);
    await expect.poll(() => opened?.closed).toBe(true);
    expect(button?.isConnected).toBe(false);
    const refused = popupConfirmer({ screen, address }).show(
      { ...model, accountId: 'mallory.testnet' },
      signal,
    );
    await click();
    expect(await refused).toBe('cancel');
  });

  it("runs a ceremony, and brings the browser's own error back", async () => {
    const asked = popupCredentials({ screen, address }).get(
      { rpId: 'elsewhere.example', challenge: new Uint8Array(32), userVerification: 'required' },
      signal,
    );
    const failed = expect(asked).rejects.toMatchObject({ name: 'SecurityError' });
    await click();
    await failed;
    await expect.poll(() => opened?.closed).toBe(true);
  });

  it('offers another click when the first had no effect, and then opens', async () => {
    vi.mocked(window.open).mockReturnValueOnce(null);
    const decided = popupConfirmer({ screen, address }).show(model, signal);
    await click();
    expect(states).toEqual(['needed', 'blocked']);
    await click();
    expect(await decided).toBe('confirm');
    expect(states).toEqual(['needed', 'blocked', 'open']);
  });

  it('gives up immediately if there is another way, and names the header', async () => {
    vi.mocked(window.open).mockReturnValueOnce(null);
    const asked = popupCredentials({ screen, address, hasAnotherWay: true }).get(
      { challenge: new Uint8Array(32) },
      signal,
    );
    const failed = expect(asked).rejects.toMatchObject({
      code: 'POPUP_UNAVAILABLE',
      details: { isBlocked: true },
      message: expect.stringContaining('Cross-Origin-Opener-Policy: same-origin-allow-popups'),
    });
    await click();
    await failed;
    expect(states).toEqual(['needed']);
  });

  it('is reported as neither cancelled nor blocked when it is cut off before its first message', async () => {
    const asked = popupCredentials({ screen, address: new URL('/none', address).href }).get(
      { challenge: new Uint8Array(32) },
      signal,
    );
    const failed = expect(asked).rejects.toMatchObject({
      code: 'POPUP_UNAVAILABLE',
      details: { isBlocked: false },
    });
    await click();
    opened?.close();
    await failed;
  });

  it('is cancelled when the user cancels in the frame, and ends with its flow', async () => {
    const ended = new AbortController();
    const asked = popupCredentials({ screen, address });
    const first = asked.get({ challenge: new Uint8Array(32) }, ended.signal);
    await shown();
    cancel();
    await expect(first).rejects.toMatchObject({ code: 'CANCELLED' });
    const second = asked.get({ challenge: new Uint8Array(32) }, ended.signal);
    ended.abort();
    await expect(second).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(button?.isConnected).toBe(false);
    expect(await popupConfirmer({ screen, address }).show(model, ended.signal)).toBe('cancel');
  });

  it('ends with the reason of its flow, such as a time limit, whether it is shown or waits for its turn', async () => {
    const late = new LatchkeyError(CANCELLED, { details: { timedOut: true } });
    const ended = new AbortController();
    const asked = popupCredentials({ screen, address });
    const inTurn = [1, 2].map(() => asked.get({ challenge: new Uint8Array(32) }, ended.signal));
    const failed = Promise.all(inTurn.map((one) => expect(one).rejects.toBe(late)));
    await shown();
    ended.abort(late);
    await failed;
    await expect(asked.get({ challenge: new Uint8Array(32) }, ended.signal)).rejects.toBe(late);
  });

  it('shows one request at a time; one that waits ends with its flow, and the next one follows', async () => {
    const ended = new AbortController();
    const confirmer = popupConfirmer({ screen, address });
    const first = confirmer.show(model, signal);
    const second = confirmer.show(model, ended.signal);
    const third = confirmer.show(model, signal);
    await shown();
    ended.abort();
    expect(await second).toBe('cancel');
    expect(states).toEqual(['needed']);
    await click();
    expect(await first).toBe('confirm');
    await expect.poll(() => states).toEqual(['needed', 'open', 'needed']);
    await click();
    expect(await third).toBe('confirm');
    expect(states).toEqual(['needed', 'open', 'needed', 'open']);
  });

  it('takes no result from another window of this origin [S42]', async () => {
    const decided = popupConfirmer({ screen, address }).show(
      { ...model, accountId: 'mallory.testnet' },
      signal,
    );
    await click();
    const [url] = vi.mocked(window.open).mock.calls[0] ?? [];
    const payload = { requestId: new URL(String(url)).hash.slice(1), ok: true, decision: 'confirm' };
    window.postMessage({ type: 'WALLET_POPUP_RESULT', payload }, location.origin);
    expect(await decided).toBe('cancel');
  });

  it('takes every click that signs or joins an account, if the browser does not track visibility', async () => {
    const here = vi.fn(async (_asked: ConfirmModel) => 'confirm' as const);
    const at = { isFramed: true, tracksVisibility: false };
    let ended = new AbortController();
    const registration = { ...model, kind: 'registration', deviceNumber: 2 } as const;
    const joining = { checkCode: 'ABCD2345EFGH6723' };
    const asked = (model: ConfirmModel, isTrustedHost: boolean) =>
      framedConfirmer({ show: here }, { screen, isTrustedHost, host: 'https://app.example', at }).show(
        model,
        ended.signal,
      );
    expect(await asked(registration, false)).toBe('confirm');
    expect(await asked({ ...registration, joining }, true)).toBe('confirm');
    expect(here).toHaveBeenCalledTimes(2);
    expect(here.mock.calls.map(([asked]) => asked.askedBy)).toEqual([
      'https://app.example',
      'https://app.example',
    ]);
    const message = { ...model, kind: 'nep413', message: 'm', recipient: 'r', nonce: 'n' } as const;
    const transactions = [
      { receiverId: 'bob.testnet', actions: [{ type: 'Transfer', amount: '1' } as const] },
    ];
    for (const request of [
      { ...registration, joining },
      message,
      { ...model, kind: 'transactions', transactions } as const,
    ]) {
      states.length = 0;
      const waiting = asked(request, false);
      await shown();
      expect(states).toEqual(['needed']);
      ended.abort();
      expect(await waiting).toBe('cancel');
      ended = new AbortController();
    }
    expect(here).toHaveBeenCalledTimes(2);
  });

  describe('that scans', () => {
    const scanner = { theme: 'dark', check: () => undefined } as const;
    const framed = (here: NonNullable<Confirmer['scan']>, mayUseCamera: boolean) =>
      framedConfirmer(
        { show: async () => 'cancel', scan: here },
        { screen, isTrustedHost: false, host: 'https://app.example', mayUseCamera: () => mayUseCamera },
      );

    it('is offered where the host left the frame no camera', async () => {
      const here = vi.fn(async () => 'a code');
      const scanned = framed(here, false).scan?.(scanner, signal);
      await shown();
      cancel();
      await expect(scanned).rejects.toMatchObject({ code: 'CANCELLED' });
      expect(here).not.toHaveBeenCalled();
    });

    it('is not needed where the frame has the camera', async () => {
      const here = vi.fn(async () => 'a code');
      expect(await framed(here, true).scan?.(scanner, signal)).toBe('a code');
      expect(here.mock.calls).toEqual([[{ ...scanner, hasAnotherWay: true }, signal]]);
      expect(states).toEqual([]);
    });

    it('follows when the user chooses it after the camera failed in the frame, and never after a cancel', async () => {
      const failed = new LatchkeyError(CAMERA_ACCESS_FAILED);
      const scanned = framed(() => Promise.reject(failed), true).scan?.(scanner, signal);
      await shown();
      cancel();
      await expect(scanned).rejects.toMatchObject({ code: 'CANCELLED' });
      const cancelled = framed(() => Promise.reject(new LatchkeyError(CANCELLED)), true);
      states = [];
      await expect(cancelled.scan?.(scanner, signal)).rejects.toMatchObject({ code: 'CANCELLED' });
      expect(states).toEqual([]);
    });
  });

  it('shows a key only if no frame can take its click safely', () => {
    const blind = { isFramed: true, tracksVisibility: false };
    const windowAt = (at: typeof blind, isTrustedHost = false) =>
      framedKeyWindow({ screen, isTrustedHost, at });
    expect(windowAt(blind)).toBeTypeOf('function');
    expect(windowAt(blind, true)).toBeUndefined();
    expect(windowAt({ ...blind, tracksVisibility: true })).toBeUndefined();
  });

  describe('that shows a key', () => {
    const key: KeyToShow = {
      rpId: 'localhost',
      model: {
        accountId: model.accountId,
        publicKey: 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2',
        networkId: 'testnet',
        variant: 'modal',
        theme: 'dark',
      },
      passkeys: [{ credentialId: 'Y3JlZA', transports: ['internal'] }],
      sealed: { encryptedData: 'c2VhbGVk', iv: 'aXY' },
    };

    /** Opens a window whose messages the test sends: an empty frame of this origin. */
    async function shownIn() {
      const frame = document.createElement('iframe');
      document.body.append(frame);
      const inside = frame.contentWindow as Window & typeof globalThis;
      vi.mocked(window.open).mockReturnValueOnce(inside);
      const emit = vi.fn();
      const showing = popupKeyViewer({ screen, address })(key, emit, signal);
      showing.catch(() => undefined);
      await click();
      const [url] = vi.mocked(window.open).mock.calls[0] ?? [];
      const requestId = new URL(String(url)).hash.slice(1);
      const say = (message: object): void => {
        // Runs there, so that the message comes from that window.
        inside.eval('(text) => parent.postMessage(JSON.parse(text), origin)')(JSON.stringify(message));
      };
      const report = (phase: string): void =>
        say({ type: 'WALLET_POPUP_PROGRESS', requestId, phase, status: 'success', message: phase });
      const asked = new Promise((resolve) => {
        inside.addEventListener('message', ({ data }) => resolve(data), { once: true });
      });
      say({ type: 'WALLET_POPUP_READY', requestId });
      expect(await asked).toMatchObject({ kind: 'export', key, theme: 'dark' });
      return { showing, emit, report, say, requestId, frame };
    }

    it('reports its progress, and is done when it says so', async () => {
      const { showing, emit, report, say, requestId, frame } = await shownIn();
      report('viewer-opened');
      report('key-delivered');
      say({ type: 'WALLET_POPUP_RESULT', payload: { requestId, ok: true, isShown: true } });
      await showing;
      expect(emit.mock.calls.map(([phase]) => phase)).toEqual(['viewer-opened', 'key-delivered']);
      frame.remove();
    });

    it('reports its failure by its code', async () => {
      const { showing, say, requestId, frame } = await shownIn();
      const error = { name: 'LatchkeyError', message: 'm', code: 'CRYPTO_FAILED' };
      say({ type: 'WALLET_POPUP_RESULT', payload: { requestId, ok: false, error } });
      await expect(showing).rejects.toMatchObject({ code: 'CRYPTO_FAILED' });
      frame.remove();
    });

    it('is done if the user closes it with the key, and cancelled before that', async () => {
      const before = await shownIn();
      before.report('viewer-opened');
      await expect.poll(() => before.emit.mock.calls.length).toBe(1);
      before.frame.remove();
      await expect(before.showing).rejects.toMatchObject({ code: 'CANCELLED' });

      vi.mocked(window.open).mockClear();
      const after = await shownIn();
      after.report('key-delivered');
      await expect.poll(() => after.emit.mock.calls.length).toBe(1);
      after.frame.remove();
      await expect(after.showing).resolves.toBeUndefined();
    });
  });

  it('says so when no page of the wallet has opened it', async () => {
    const frame = document.createElement('iframe');
    frame.src = `${address}?popup#confirm:1:x`;
    document.body.append(frame);
    await expect.poll(() => frame.contentDocument?.body?.textContent?.trim()).toBe(POPUP_LOST_TEXT);
    frame.remove();
  });
});
