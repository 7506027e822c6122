import { afterEach, describe, expect, it, vi } from 'vitest';
import { frameRunning, makeFrame, originOf, WALLET_ORIGIN, walletPage } from '../testing/frames.js';
import { connectFrame, type FrameConnection, retryDelayMs } from './handshake.js';

const frames: HTMLIFrameElement[] = [];
const connections: FrameConnection[] = [];

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const { port } of connections.splice(0)) port.close();
  for (const frame of frames.splice(0)) frame.remove();
});

function open(src: string): HTMLIFrameElement {
  const frame = makeFrame(src);
  frames.push(frame);
  return frame;
}

async function connect(
  frame: HTMLIFrameElement,
  options: Partial<Parameters<typeof connectFrame>[1]> = {},
): Promise<FrameConnection> {
  const { signal } = new AbortController();
  const connection = await connectFrame(frame, {
    walletOrigin: WALLET_ORIGIN,
    signal,
    ...options,
  });
  connections.push(connection);
  return connection;
}

/** Puts the browser's error page in the frame, as for a server that is down; its address stays the wallet's. */
function showError(frame: HTMLIFrameElement): void {
  frame.contentWindow?.location.replace('http://wallet.localhost:65534/');
}

/** The next message on a port. */
function next(port: MessagePort): Promise<unknown> {
  return new Promise((resolve) => {
    port.onmessage = ({ data }) => resolve(data);
  });
}

/** The messages that the frame sends this window until the test ends. */
function messagesOf(frame: HTMLIFrameElement): unknown[] {
  const seen: unknown[] = [];
  addEventListener('message', ({ source, data }) => {
    if (source === frame.contentWindow) seen.push(data);
  });
  return seen;
}

const until = async (is: () => boolean): Promise<void> => {
  while (!is()) await new Promise((resolve) => setTimeout(resolve, 10));
};
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('the handshake (frame 7, frame 8, frame 9, frame 10)', () => {
  it('ends with a port to the wallet page, which knows the origin of the host', async () => {
    const { port, loadId } = await connect(open(walletPage()));
    const answer = next(port);
    port.postMessage('hello');
    expect(await answer).toEqual({ echo: 'hello', origin: location.origin });
    expect(loadId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('finds a page that was loaded earlier, and one whose address names no host', async () => {
    const frame = open(walletPage({ host: '' }));
    await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    await pause(50);
    const { port } = await connect(frame);
    expect(port).toBeInstanceOf(MessagePort);
  });

  it('asks any origin without a port and without data, and only the wallet origin with a port', async () => {
    // This page has another origin than the wallet, so it must not receive messages for the wallet.
    const frame = open(`${originOf('other')}/ts/src/frame/testing/listener/`);
    const seen = messagesOf(frame);
    const error = await connect(frame, { connectTimeoutMs: 6_000 }).catch((reason) => reason);
    expect(error).toMatchObject({ code: 'NOT_A_WALLET' });
    expect(seen.length).toBeGreaterThan(2);
    expect(new Set(seen.map((message) => JSON.stringify(message)))).toEqual(
      new Set([JSON.stringify({ heard: { type: 'CONNECT' }, ports: 0 })]),
    );
  });

  it('gives the page one port; the page takes no second one in the same page load', async () => {
    const frame = open(walletPage());
    const { port } = await connect(frame);
    const second = await connect(frame, { connectTimeoutMs: 900 }).catch((reason) => reason);
    expect(second).toMatchObject({ code: 'WALLET_FRAME_TIMEOUT', message: 'Wallet iframe READY timeout' });
    const answer = next(port);
    port.postMessage('still here');
    expect(await answer).toMatchObject({ echo: 'still here' });
  });

  it('continues with a reloaded page under another load id', async () => {
    const frame = open(walletPage());
    const first = await connect(frame);
    const seen = messagesOf(frame);
    first.port.postMessage('reload');
    await until(() => seen.length > 0);
    expect(seen[0]).toMatchObject({ type: 'SERVICE_HOST_BOOTED' });
    const second = await connect(frame, { hasBooted: true });
    expect(second.loadId).not.toBe(first.loadId);
    expect(seen[0]).toMatchObject({ payload: { loadId: second.loadId } });
  });

  it('refuses a host that is not allowed immediately, and gives it no port', async () => {
    const frame = open(walletPage({ deny: 'list' }));
    const seen = messagesOf(frame);
    const error = await connect(frame).catch((reason) => reason);
    expect(error).toMatchObject({ code: 'HOST_NOT_ALLOWED' });
    expect(error.message).toContain(location.origin);
    // Asking again does not help: the host gets only one message.
    const again = await connect(frame, { connectTimeoutMs: 900 }).catch((reason) => reason);
    expect(again).toMatchObject({ code: 'WALLET_FRAME_TIMEOUT' });
    expect(seen.filter((message) => (message as { type: string }).type === 'ERROR')).toHaveLength(1);
  });

  it('says that no server answers there, long before its own limit', async () => {
    const walletOrigin = 'http://wallet.localhost:65534';
    const error = await connect(open(`${walletOrigin}/service`), {
      walletOrigin,
      connectTimeoutMs: 3_600_000,
    }).catch((thrown) => thrown);
    expect(error).toMatchObject({
      code: 'WALLET_FRAME_UNREACHABLE',
      message: `The wallet at ${walletOrigin} cannot be reached. Your keys and your money are safe. Check your connection, or whether a blocker in this browser stops it, then try again.`,
    });
  });

  it('names the policy of this page where it is isolated and the wallet is not', async () => {
    vi.stubGlobal('crossOriginIsolated', true);
    const walletOrigin = 'http://wallet.localhost:65534';
    const error = await connect(open(`${walletOrigin}/service`), { walletOrigin }).catch((thrown) => thrown);
    vi.unstubAllGlobals();
    expect(error).toMatchObject({ code: 'WALLET_FRAME_ISOLATED' });
    expect(error.message).toContain('CROSS_ORIGIN');
  });

  it('says so too where the frame had shown the browser’s own page before the handshake began', async () => {
    const walletOrigin = 'http://wallet.localhost:65534';
    const frame = open(`${walletOrigin}/service`);
    await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    const error = await connect(frame, {
      walletOrigin,
      hasLoaded: true,
      connectTimeoutMs: 3_600_000,
    }).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'WALLET_FRAME_UNREACHABLE' });
  });

  it('loads the page again where its server answers and the frame shows an error', async () => {
    const frame = open(walletPage());
    const connecting = connect(frame, { connectTimeoutMs: 3_600_000 });
    showError(frame);
    const { port } = await connecting;
    const answer = next(port);
    port.postMessage('back');
    expect(await answer).toMatchObject({ echo: 'back' });
  });

  it('loads a page that never boots again once, then says that it is no wallet', async () => {
    const frame = open(walletPage({ mode: 'silent' }));
    let loads = 0;
    frame.addEventListener('load', () => {
      loads += 1;
    });
    const error = await connect(frame, { connectTimeoutMs: 6_000 }).catch((reason) => reason);
    const { origin, pathname } = new URL(frame.src);
    expect(error).toMatchObject({
      code: 'NOT_A_WALLET',
      message: `${origin}${pathname} answered, but is not a Latchkey wallet: check walletOrigin and walletServicePath.`,
    });
    expect(loads).toBe(2);
  });

  it('passes on why the wallet could not read its allowed hosts', async () => {
    const error = await connect(open(walletPage({ deny: 'throw' }))).catch((reason) => reason);
    expect(error).toMatchObject({ code: 'NEAR_RPC_FAILED', message: 'RPC request failed: down' });
  });

  it('refuses a page that speaks another version of the protocol', async () => {
    const error = await connect(open(walletPage({ version: '2.0.0' }))).catch((reason) => reason);
    expect(error).toMatchObject({ code: 'INVALID_MESSAGE' });
    expect(error.message).toContain('2.0.0');
    await expect(connect(open(walletPage({ version: '1.7.3' })))).resolves.toBeDefined();
  });

  it('ignores READY, BOOTED and refusals that a third frame forges', async () => {
    const silent = open(walletPage({ mode: 'silent' }));
    const forged = [
      { type: 'SERVICE_HOST_BOOTED', payload: { loadId: crypto.randomUUID() } },
      { type: 'READY', payload: { protocolVersion: '1.0.0' } },
      { type: 'ERROR', payload: { code: 'HOST_NOT_ALLOWED', message: 'go away' } },
    ];
    frames.push(
      await frameRunning(`setInterval(() => {
        const { port1, port2 } = new MessageChannel();
        for (const message of ${JSON.stringify(forged)}) {
          parent.postMessage(message, '*');
          parent.postMessage(message, '*', [new MessageChannel().port1]);
        }
      }, 50);`),
    );
    const error = await connect(silent, { connectTimeoutMs: 1_000 }).catch((reason) => reason);
    expect(error).toMatchObject({ code: 'WALLET_FRAME_TIMEOUT' });
  });

  it('ignores the wallet page of another origin in the right frame', async () => {
    const frame = open(walletPage({}, originOf('evil')));
    const error = await connect(frame, { connectTimeoutMs: 1_000 }).catch((reason) => reason);
    expect(error).toMatchObject({ code: 'WALLET_FRAME_TIMEOUT' });
  });

  it('ends by its signal, and reports a frame without a window', async () => {
    const ending = new AbortController();
    const connecting = connect(open(walletPage({ mode: 'silent' })), { signal: ending.signal });
    ending.abort(new Error('no longer wanted'));
    await expect(connecting).rejects.toThrow('no longer wanted');

    const missing = document.createElement('iframe');
    const error = await connect(missing).catch((reason) => reason);
    expect(error).toMatchObject({ code: 'WALLET_FRAME_MISSING', message: 'Wallet iframe window missing' });
    const removed = open(walletPage({ mode: 'silent' }));
    const waiting = connect(removed).catch((reason) => reason);
    removed.remove();
    expect(await waiting).toMatchObject({ code: 'WALLET_FRAME_MISSING' });
  });

  it('tries 10 times every 200 ms, 10 times every 400 ms, then every 800 ms', () => {
    const delays = Array.from({ length: 22 }, (_, index) => retryDelayMs(index + 1));
    expect(delays).toEqual([...Array(10).fill(200), ...Array(10).fill(400), 800, 800]);
  });

  /** The messages to a frame that never answers, on a clock that the test controls. */
  function sentTo(connectTimeoutMs?: number) {
    const frame = open('about:blank');
    const send = vi.spyOn(frame.contentWindow as Window, 'postMessage').mockImplementation(() => undefined);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const options = connectTimeoutMs === undefined ? {} : { connectTimeoutMs };
    const failed = connect(frame, options).catch((reason) => reason);
    const sent = () =>
      send.mock.calls.map(([, target, ports]: unknown[]) => [target, (ports as MessagePort[])?.length]);
    return { frame, failed, sent };
  }

  it.each([
    [1_500, 20_000],
    [1_500, 8_000],
    [500, 2_000],
  ])(
    'waits %d ms of %d for the page to boot, then asks any origin and the wallet in turn',
    async (wait, limit) => {
      const { failed, sent } = sentTo(limit);
      vi.advanceTimersByTime(wait - 1);
      expect(sent()).toEqual([]);
      vi.advanceTimersByTime(1);
      expect(sent()).toEqual([['*', undefined]]);
      vi.advanceTimersByTime(600);
      expect(sent()).toEqual([
        ['*', undefined],
        [WALLET_ORIGIN, 1],
        ['*', undefined],
        [WALLET_ORIGIN, 1],
      ]);
      vi.advanceTimersByTime(limit - wait - 601);
      vi.advanceTimersByTime(1);
      expect(await failed).toMatchObject({ code: 'WALLET_FRAME_TIMEOUT' });
    },
  );

  it('waits 8 s for the page to be ready by default', async () => {
    const { failed } = sentTo();
    const ended = vi.fn();
    failed.then(ended);
    await vi.advanceTimersByTimeAsync(7_999);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toHaveBeenCalledWith(expect.objectContaining({ code: 'WALLET_FRAME_TIMEOUT' }));
  });

  it('asks 150 ms after the frame was loaded', async () => {
    const { frame, failed, sent } = sentTo(20_000);
    frame.dispatchEvent(new Event('load'));
    vi.advanceTimersByTime(149);
    expect(sent()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(sent()).toEqual([['*', undefined]]);
    vi.advanceTimersByTime(20_000);
    expect(await failed).toMatchObject({ code: 'WALLET_FRAME_TIMEOUT' });
  });
});
