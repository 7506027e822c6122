/** A host that mounts the wallet's UI, over a real frame of another origin. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { TransactionInput } from '../../types.js';
import { connectFrame } from '../host/handshake.js';
import { frameRunning, makeFrame, originOf, SERVICE_PATH, WALLET_ORIGIN } from '../testing/frames.js';
import type { UiMount, UiRegisterTypes, UiUnmount, UiUpdate } from './ui-messages.js';

type Told = { readonly type?: string; readonly payload?: Readonly<Record<string, unknown>> };

const frames: HTMLIFrameElement[] = [];
let over: AbortController;
let wallet: HTMLIFrameElement;
/** The wallet's messages to this window. */
let told: Told[];

beforeEach(() => {
  over = new AbortController();
  told = [];
});
afterEach(() => {
  over.abort();
  for (const frame of frames.splice(0)) frame.remove();
});

async function open(wishes: Readonly<Record<string, string>> = {}): Promise<void> {
  const query = new URLSearchParams({ host: location.origin, ...wishes });
  wallet = makeFrame(`${WALLET_ORIGIN}${SERVICE_PATH}/?${query}`);
  frames.push(wallet);
  Object.assign(wallet.style, { position: 'fixed', inset: '40px', width: '300px', height: '80px' });
  const { signal } = over;
  await connectFrame(wallet, { walletOrigin: WALLET_ORIGIN, connectTimeoutMs: 10_000, signal });
  addEventListener(
    'message',
    ({ source, origin, data }: MessageEvent<Told>) => {
      if (source !== wallet.contentWindow || data.type === 'SERVICE_HOST_BOOTED') return;
      expect(origin).toBe(WALLET_ORIGIN);
      if (data.type) told.push(data);
    },
    { signal },
  );
}

/** Sends any message as the host. */
const send = (message: unknown): void => wallet.contentWindow?.postMessage(message, WALLET_ORIGIN);
const ask = (message: UiRegisterTypes | UiMount | UiUpdate | UiUnmount): void => send(message);

/** The page's drawings, once it has handled all earlier messages. */
function drawn(): Promise<readonly string[]> {
  return new Promise((resolve) => {
    const onMessage = ({ source, data }: MessageEvent<{ drawn?: string[] }>): void => {
      if (source !== wallet.contentWindow || !data.drawn) return;
      removeEventListener('message', onMessage);
      resolve(data.drawn.map((html) => html.replace(/<button[^>]*>(.*)<\/button>/, '$1')));
    };
    addEventListener('message', onMessage);
    send('what is drawn?');
  });
}

/** Expects that these messages draw nothing, and returns the answers to them. */
async function refusals(...messages: readonly unknown[]): Promise<unknown[]> {
  const before = await drawn();
  told.length = 0;
  messages.forEach(send);
  expect(await drawn()).toEqual(before);
  for (const { type, payload } of told) {
    expect({ type, code: payload?.code }).toEqual({ type: 'ERROR', code: 'INVALID_MESSAGE' });
  }
  return told.map(({ payload }) => [payload?.message, payload?.details]);
}

const refused = (type: string, field: string, reason: string) => [
  `The message ${type} is not valid: ${field}: ${reason}`,
  { field },
];
const registerTypes = (...types: string[]) => ({ type: 'WALLET_UI_REGISTER_TYPES', payload: { types } });
const mount = (payload: unknown) => ({ type: 'WALLET_UI_MOUNT', payload });
const registerButton = (id: string, nearAccountId: string): UiMount => ({
  type: 'WALLET_UI_MOUNT',
  payload: { id, type: 'register-button', props: { nearAccountId } },
});
const settings = (id: string): UiMount => ({ type: 'WALLET_UI_MOUNT', payload: { id, type: 'settings' } });
const unmount = (id: string): UiUnmount => ({ type: 'WALLET_UI_UNMOUNT', payload: { id } });
const closed = (id: string) => ({ type: 'WALLET_UI_CLOSED', payload: { id } });

const soon = <T>(check: () => T) => vi.waitFor(check, { timeout: 10_000 });
/** Chromium drops clicks on a frame of another origin that has just moved. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 2_000));

describe("the wallet's UI, mounted by a host (button 10)", () => {
  it('is the set that the wallet ships, and registers its types silently', async () => {
    await open();
    ask({ type: 'WALLET_UI_REGISTER_TYPES', payload: { types: ['settings', 'register-button'] } });
    expect(await drawn()).toEqual([]);
    expect(told).toEqual([]);
  });

  it('is drawn and removed under the id that the host gave', async () => {
    await open();
    ask(settings('one'));
    ask(registerButton('two', 'alice.testnet'));
    expect(await drawn()).toEqual(['Settings', 'Register alice.testnet']);
    ask(unmount('one'));
    expect(await drawn()).toEqual(['Register alice.testnet']);
    ask(unmount('two'));
    expect(await drawn()).toEqual([]);
    expect(told).toEqual([closed('one'), closed('two')]);
    // The id is free again.
    ask(settings('one'));
    expect(await drawn()).toEqual(['Settings']);
  });

  it('has a transaction button, and refuses one whose transactions are none', async () => {
    await open();
    const transferring = (id: string, amount: string): UiMount => {
      const transactions: TransactionInput[] = [
        { receiverId: 'b.testnet', actions: [{ type: 'Transfer', amount }] },
      ];
      return {
        type: 'WALLET_UI_MOUNT',
        payload: { id, type: 'tx-button', props: { nearAccountId: 'alice.testnet', transactions } },
      };
    };
    ask(transferring('pay', '1'));
    expect(await drawn()).toEqual(['Pay as alice.testnet']);
    ask(unmount('pay'));
    ask(transferring('bad', '-1'));
    expect(await drawn()).toEqual([]);
    expect(told).toEqual([
      closed('pay'),
      { type: 'ERROR', payload: expect.objectContaining({ id: 'bad', code: 'INVALID_MESSAGE' }) },
    ]);
  });

  it('becomes another account’s button on an update, and stays the same on an update without changes', async () => {
    await open();
    ask(registerButton('a', 'alice.testnet'));
    ask(settings('b'));
    ask({ type: 'WALLET_UI_UPDATE', payload: { id: 'a', props: { nearAccountId: 'alice.testnet' } } });
    ask({ type: 'WALLET_UI_UPDATE', payload: { id: 'b' } });
    ask({ type: 'WALLET_UI_UPDATE', payload: { id: 'b', props: {} } });
    expect(await drawn()).toEqual(['Register alice.testnet', 'Settings']);
    ask({ type: 'WALLET_UI_UPDATE', payload: { id: 'a', props: { nearAccountId: 'bob.testnet' } } });
    expect(await drawn()).toEqual(['Settings', 'Register bob.testnet']);
    expect(told).toEqual([]);
    ask(unmount('a'));
    expect(await drawn()).toEqual(['Settings']);
    expect(told).toEqual([closed('a')]);
  });

  it('reports that it closed when the user closes it', async () => {
    await open();
    ask(settings('s'));
    await settled();
    await userEvent.click(wallet, { force: true });
    await soon(() => expect(told).toEqual([closed('s')]));
    expect(await drawn()).toEqual([]);
  });

  it('reports that it closed when it cannot be drawn, after an error that reveals nothing of the wallet', async () => {
    await open({ settings: 'fail' });
    ask(settings('s'));
    await soon(() => expect(told).toHaveLength(2));
    expect(told).toEqual([
      {
        type: 'ERROR',
        payload: { id: 's', code: 'HOST_ERROR', message: 'Wallet error', values: { reason: 'Wallet error' } },
      },
      closed('s'),
    ]);
    expect(await refusals(unmount('s'))).toHaveLength(1);
  });

  it('registers by a click inside the frame, reports the result, and disappears', async () => {
    await open();
    ask(registerButton('r', 'old.testnet'));
    const props = { nearAccountId: 'new.testnet', signupVoucher: 'v1.a.b' };
    ask({ type: 'WALLET_UI_UPDATE', payload: { id: 'r', props } });
    await settled();
    await userEvent.click(wallet, { force: true });
    await soon(() => expect(told).toHaveLength(3));
    expect(told).toEqual([
      { type: 'REGISTER_BUTTON_SUBMIT', payload: { nearAccountId: 'new.testnet' } },
      {
        type: 'REGISTER_BUTTON_RESULT',
        payload: {
          ok: true,
          result: expect.objectContaining({
            success: true,
            nearAccountId: 'new.testnet',
            transactionId: 'tx for v1.a.b',
          }),
        },
      },
      closed('r'),
    ]);
    expect(await drawn()).toEqual([]);
  });

  it('stays after a click without a result', async () => {
    await open();
    ask(registerButton('r', 'refused.testnet'));
    await settled();
    await userEvent.click(wallet, { force: true });
    await soon(() => expect(told).toHaveLength(2));
    expect(told[1]).toMatchObject({
      type: 'REGISTER_BUTTON_RESULT',
      payload: { ok: false, cancelled: true, error: 'no' },
    });
    expect(await drawn()).toEqual(['Register refused.testnet']);
  });
});

describe('what a host may not mount', () => {
  it('includes its own type and a name that every object has', async () => {
    await open();
    const ofItsOwn = ['evil-button', 'script', '__proto__', 'constructor', 'Settings', ''];
    for (const type of ofItsOwn) {
      expect(await refusals(registerTypes('settings', type))).toEqual([
        refused('WALLET_UI_REGISTER_TYPES', 'payload.types.1', `the wallet ships no "${type}"`),
      ]);
      expect(await refusals(mount({ id: 'x', type, props: { src: 'https://evil.example/x.js' } }))).toEqual([
        refused('WALLET_UI_MOUNT', 'payload.type', `the wallet ships no "${type}"`),
      ]);
    }
    expect(told).toMatchObject([{ payload: { id: 'x' } }]);
  });

  it('includes a definition: types are names', async () => {
    await open();
    const definition = { 'evil-button': { tag: 'evil-button', src: 'https://evil.example/x.js' } };
    for (const payload of [
      undefined,
      null,
      'settings',
      definition,
      { types: definition },
      { types: [definition] },
    ]) {
      expect(await refusals({ type: 'WALLET_UI_REGISTER_TYPES', payload })).toHaveLength(1);
    }
  });

  it('includes props that the type does not have', async () => {
    await open();
    const button = { id: 'x', type: 'register-button' };
    const account = { nearAccountId: 'alice.testnet' };
    const html = '<img src="https://evil.example/x" onerror="parent.postMessage(1, \'*\')">';
    const notThis: readonly [payload: unknown, field: string, reason: string][] = [
      [{ ...button, props: { ...account, innerHTML: html } }, 'payload.props.innerHTML', 'no such field'],
      [{ ...button, props: { ...account, style: { top: 0 } } }, 'payload.props.style', 'no such field'],
      [{ ...button, props: { nearAccountId: html } }, 'payload.props.nearAccountId', 'is no account id'],
      [{ ...button, props: { nearAccountId: [html] } }, 'payload.props.nearAccountId', 'must be string'],
      [
        { ...button, props: { nearAccountId: new Date(0) } },
        'payload.props.nearAccountId',
        'is Date, not plain data',
      ],
      [
        { ...button, props: new Map([['nearAccountId', 'a.testnet']]) },
        'payload.props',
        'is Map, not plain data',
      ],
      [{ ...button, props: html }, 'payload.props', 'must be Object'],
      [button, 'payload.props', 'must be Object'],
      [{ id: 'x', type: 'settings', props: account }, 'payload.props.nearAccountId', 'no such field'],
      [{ ...button, props: account, onClick: html }, 'payload.onClick', 'no such field'],
      [{ ...button, id: '', props: account }, 'payload.id', 'must have 1 to 64 characters'],
      [{ ...button, id: 7, props: account }, 'payload.id', 'must be string'],
    ];
    for (const [payload, field, reason] of notThis) {
      expect(await refusals(mount(payload))).toEqual([refused('WALLET_UI_MOUNT', field, reason)]);
    }
    const tooMuch = { ...account, more: 'x'.repeat(20_000) };
    expect(await refusals(mount({ ...button, props: tooMuch }))).toHaveLength(1);
    // The browser itself lets no function out of the host's page.
    const withFunction = { ...button, props: { ...account, onClick: () => undefined } };
    expect(() => send(mount(withFunction))).toThrow(DOMException);
    expect(await refusals()).toEqual([]);
  });

  it('includes an update to unknown props, which leaves the mounted UI unchanged', async () => {
    await open();
    ask(registerButton('r', 'alice.testnet'));
    const update = (payload: unknown) => refusals({ type: 'WALLET_UI_UPDATE', payload });
    expect(await update({ id: 'r', props: { nearAccountId: 'bob.testnet', label: 'Log in' } })).toEqual([
      refused('WALLET_UI_UPDATE', 'payload.props.label', 'no such field'),
    ]);
    expect(await update({ id: 'r', type: 'settings', props: {} })).toEqual([
      refused('WALLET_UI_UPDATE', 'payload.type', 'no such field'),
    ]);
    expect(await update({ id: 'other', props: {} })).toEqual([
      refused('WALLET_UI_UPDATE', 'payload.id', 'nothing is mounted under it'),
    ]);
    expect(await refusals(unmount('other'))).toEqual([
      refused('WALLET_UI_UNMOUNT', 'payload.id', 'nothing is mounted under it'),
    ]);
  });

  it('includes a second UI under one id, or a fifth UI', async () => {
    await open();
    ask(settings('1'));
    expect(await refusals(registerButton('1', 'alice.testnet'))).toEqual([
      refused('WALLET_UI_MOUNT', 'payload.id', 'something is mounted under it'),
    ]);
    for (const id of ['2', '3', '4']) ask(settings(id));
    expect(await drawn()).toHaveLength(4);
    expect(await refusals(settings('5'))).toEqual([
      ['The message WALLET_UI_MOUNT is not valid: 4 are mounted already', undefined],
    ]);
    ask(unmount('2'));
    ask(settings('5'));
    expect(await drawn()).toHaveLength(4);
  });
});

describe('a frame other than the host', () => {
  /** Sends it to every frame of the page around it. */
  const shout = (message: unknown): string =>
    `for (let i = 0; i < parent.length; i += 1) parent.frames[i].postMessage(${JSON.stringify(message)}, '*')`;

  it('mounts nothing, even on the host’s own origin', async () => {
    await open();
    const message = settings('forged');
    frames.push(await frameRunning(shout(message)));
    const sibling = makeFrame('about:blank');
    frames.push(sibling);
    const script = sibling.contentDocument?.createElement('script');
    if (script) {
      script.textContent = shout(message);
      sibling.contentDocument?.body.append(script);
    }
    expect(await drawn()).toEqual([]);
    ask(registerButton('mine', 'alice.testnet'));
    frames.push(await frameRunning(shout(unmount('mine'))));
    expect(await drawn()).toEqual(['Register alice.testnet']);
    expect(told).toEqual([]);
  });

  it('mounts nothing and gets no answer when it is the parent under another origin', async () => {
    await open({ as: originOf('other') });
    ask(settings('forged'));
    send(registerTypes('evil-button'));
    expect(await drawn()).toEqual([]);
    expect(told).toEqual([]);
  });

  it('gets no answer to any other message', async () => {
    await open();
    for (const message of [
      null,
      'WALLET_UI_MOUNT',
      closed('x'),
      { type: 'constructor' },
      { type: ['WALLET_UI_MOUNT'] },
    ]) {
      send(message);
    }
    expect(await drawn()).toEqual([]);
    expect(told).toEqual([]);
  });
});
