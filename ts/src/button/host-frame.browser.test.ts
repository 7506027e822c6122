import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BUTTON_SIZE, TOOLTIP } from './geometry.js';
import { type HostFrame, mountHostFrame } from './host-frame.js';

const nothing = (): void => undefined;
let container: HTMLElement;
let frame: HostFrame;

/** Sends as the frame's script would. */
function says(message: unknown): void {
  (frame.element.contentWindow as Window & typeof globalThis).eval(
    `parent.postMessage(${JSON.stringify(message)}, self.origin)`,
  );
}

/** The ids of the digests that the page asked for. */
function listen(): string[] {
  const asked: string[] = [];
  frame.element.contentWindow?.addEventListener('message', ({ data }) => {
    if (data.type === 'REQUEST_UI_DIGEST') asked.push(data.payload.requestId);
  });
  return asked;
}

beforeEach(async () => {
  container = document.createElement('div');
  document.body.append(container);
  frame = mountHostFrame(
    {
      container,
      sdkBasePath: '/none',
      onHover: nothing,
      onFocus: nothing,
      onConfirm: nothing,
      onError: nothing,
    },
    { size: BUTTON_SIZE, tooltip: TOOLTIP, backgroundColor: 'transparent' },
  );
  await expect.poll(() => frame.element.contentDocument?.querySelectorAll('script').length).toBe(2);
});
afterEach(() => {
  frame.remove();
  container.remove();
});

const textOf = (digest: Promise<string>) =>
  digest.then(
    () => 'none',
    (error: Error) => error.message,
  );

describe("The digest of what the transaction button's frame shows (button 8)", () => {
  const define = () => {
    says({ type: 'READY' });
    says({ type: 'ETX_DEFINED' });
    // Delivered after both.
    says({ type: 'HS5_GEOMETRY_RESULT', payload: { button: rect, tooltip: rect, visible: false } });
    return expect.poll(() => frame.geometry).toBeTruthy();
  };
  const rect = { x: 0, y: 0, width: 1, height: 1 };
  const digest = '9j30Wo0FabKgZPM9gwLTw9VMbRv3cBKUp1ntODveguQ';

  it('is there only once the frame is', async () => {
    expect(await textOf(frame.uiDigest())).toBe('iframe not ready');
    await define();
    const asked = listen();
    const found = frame.uiDigest();
    await expect.poll(() => asked.length).toBe(1);
    says({ type: 'UI_INTENT_DIGEST', payload: { ok: true, digest, requestId: asked[0] } });
    expect(await found).toBe(digest);
  });

  it('fails where the frame has none', async () => {
    await define();
    const asked = listen();
    const found = textOf(frame.uiDigest());
    await expect.poll(() => asked.length).toBe(1);
    says({ type: 'UI_INTENT_DIGEST', payload: { ok: false, error: 'no', requestId: asked[0] } });
    expect(await found).toBe('UI digest failed');
  });

  it('is superseded by the next question, whose answer is its own', async () => {
    await define();
    const asked = listen();
    const former = textOf(frame.uiDigest());
    const found = frame.uiDigest();
    expect(await former).toBe('superseded');
    await expect.poll(() => asked.length).toBe(2);
    says({
      type: 'UI_INTENT_DIGEST',
      payload: { ok: true, digest: digest.toLowerCase(), requestId: asked[0] },
    });
    says({ type: 'UI_INTENT_DIGEST', payload: { ok: true, digest, requestId: asked[1] } });
    expect(await found).toBe(digest);
  });

  it('is given up after 3 seconds without an answer', async () => {
    await define();
    expect(await textOf(frame.uiDigest())).toBe('UI digest timeout');
  });
});
