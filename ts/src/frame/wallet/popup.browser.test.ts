import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { ConfirmModel } from '../../confirm/port.js';
import { POPUP_LOST_TEXT } from '../../errors/popup.js';
import { framedConfirmer } from './other-places.js';
import { type PopupScreen, type PopupState, popupConfirmer, popupCredentials } from './popup.js';

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
  show(state, actions, signal) {
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
const click = () => userEvent.click(button as HTMLButtonElement);
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

describe("a window of the wallet's own", () => {
  it('is opened by a click, confirms, and is closed', async () => {
    const decided = popupConfirmer({ screen, address }).show(model, signal);
    await click();
    expect(await decided).toBe('confirm');
    expect(states).toEqual(['needed']);
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

  it('offers another click when none came, and opens then', async () => {
    vi.mocked(window.open).mockReturnValueOnce(null);
    const decided = popupConfirmer({ screen, address }).show(model, signal);
    await click();
    expect(states).toEqual(['needed', 'blocked']);
    await click();
    expect(await decided).toBe('confirm');
  });

  it('gives up at once where there is another way, and names the header', async () => {
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

  it('that is cut off before it has said a word is no cancel, and no reason for another way', async () => {
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

  it('is a cancel when the person cancels in the frame, and ends with its flow', async () => {
    const ended = new AbortController();
    const asked = popupCredentials({ screen, address });
    const first = asked.get({ challenge: new Uint8Array(32) }, ended.signal);
    cancel();
    await expect(first).rejects.toMatchObject({ code: 'CANCELLED' });
    const second = asked.get({ challenge: new Uint8Array(32) }, ended.signal);
    ended.abort();
    await expect(second).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(button?.isConnected).toBe(false);
    expect(await popupConfirmer({ screen, address }).show(model, ended.signal)).toBe('cancel');
  });

  it('takes no result from another window of this origin', async () => {
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

  it('takes the click that gives the account away, where the browser does not tell what is painted', async () => {
    const here = vi.fn(async (_asked: ConfirmModel) => 'confirm' as const);
    const at = { isFramed: true, tracksVisibility: false };
    const ended = new AbortController();
    const registration = { ...model, kind: 'registration', deviceNumber: 2 } as const;
    const joining = { checkCode: 'ABCD2345' };
    const asked = (shown: ConfirmModel, isTrustedHost: boolean) =>
      framedConfirmer({ show: here }, { screen, isTrustedHost, host: 'https://app.example', at }).show(
        shown,
        ended.signal,
      );
    expect(await asked(registration, false)).toBe('confirm');
    expect(await asked({ ...registration, joining }, true)).toBe('confirm');
    expect(here).toHaveBeenCalledTimes(2);
    expect(here.mock.calls.map(([asked]) => asked.askedBy)).toEqual([
      'https://app.example',
      'https://app.example',
    ]);
    const linking = asked({ ...registration, joining }, false);
    expect(states).toEqual(['needed']);
    ended.abort();
    expect(await linking).toBe('cancel');
    expect(here).toHaveBeenCalledTimes(2);
  });

  it('says so when nobody of the wallet has opened it', async () => {
    const frame = document.createElement('iframe');
    frame.src = `${address}?popup#confirm:1:x`;
    document.body.append(frame);
    await expect.poll(() => frame.contentDocument?.body?.textContent?.trim()).toBe(POPUP_LOST_TEXT);
    frame.remove();
  });
});
