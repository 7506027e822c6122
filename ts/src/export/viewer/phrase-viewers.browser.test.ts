import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { ARMING_MS } from '../../confirm/guard.js';
import { isLatchkeyError } from '../../errors/latchkey-error.js';
import type { FromViewer, PhraseModel, ToViewer } from '../contract.js';
import { openViewer } from '../open-viewer.js';
import { englishEnterPhrase, englishShowPhrase, type ShowPhraseTexts } from '../phrase-viewer-texts.js';
import { enterPhrase } from './enter-phrase.js';
import { showPhrase } from './show-phrase.js';

const MINUTE_MS = 60_000;
const PHRASE = 'one two three four five six seven eight nine ten eleven twelve';
const common = { networkId: 'testnet', variant: 'modal', theme: 'light' } as const;
const SHOW = { ...common, purpose: 'show', accountId: 'alice.testnet' } as const satisfies PhraseModel;
const ENTER = { ...common, purpose: 'enter', accountId: 'alice.testnet' } as const satisfies PhraseModel;

const named = (name: string) => page.getByRole('button', { name, exact: true });
const field = (position: number) => page.getByRole('textbox', { name: `Word ${position}`, exact: true });
/** Presses it once the user has seen the viewer and the mouse has rested there. */
const press = async (name: string): Promise<void> => {
  await named(name).hover();
  const rested = performance.now() + ARMING_MS;
  while (performance.now() < rested) await new Promise(requestAnimationFrame);
  await expect.element(named(name)).not.toHaveAttribute('aria-disabled');
  await named(name).click();
};

/** The page's end of the viewer's port. */
let ours: MessagePort;
let heard: FromViewer[];
const tell = (message: ToViewer, ports: Transferable[] = []): void => ours.postMessage(message, ports);
const hears = (message: FromViewer) => expect.poll(() => heard).toContainEqual(message);
const requests = () => heard.filter(({ type }) => type === 'KEY_REQUESTED').length;

function connected(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  ours = port1;
  heard = [];
  port1.onmessage = ({ data }) => heard.push(data);
  return port2;
}
const show = (texts: ShowPhraseTexts = englishShowPhrase, language = 'en'): void =>
  showPhrase(SHOW, { language, texts }, connected());
const enter = (): void => enterPhrase(ENTER, { language: 'en', texts: englishEnterPhrase }, connected());

/** A port of the viewer's, as the phrase worker has it. */
function workersPort(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  tell({ type: 'KEY_PORT' }, [port2]);
  return port1;
}

async function showWords(): Promise<void> {
  await press('Show the words');
  await hears({ type: 'KEY_REQUESTED' });
  workersPort().postMessage({ phrase: new TextEncoder().encode(PHRASE) });
  await hears({ type: 'KEY_RECEIVED' });
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  vi.useRealTimers();
  ours.close();
  document.adoptedStyleSheets = [];
  document.body.replaceChildren();
  document.documentElement.lang = '';
  await page.viewport(1000, 800);
});

describe('the time of a phrase viewer', () => {
  it('is five minutes to decide, and fifteen with the words; the page hears which has passed [S4]', async () => {
    show();
    vi.advanceTimersByTime(5 * MINUTE_MS);
    await hears({ type: 'WALLET_UI_CLOSED', by: 'timeout', limitMs: 5 * MINUTE_MS });

    show();
    await showWords();
    // Every wait of a test moves the fake clock a little.
    vi.advanceTimersByTime(14 * MINUTE_MS);
    await expect.element(page.getByRole('listitem').first()).toHaveTextContent('one');
    vi.advanceTimersByTime(MINUTE_MS);
    await hears({ type: 'WALLET_UI_CLOSED', by: 'timeout', limitMs: 15 * MINUTE_MS });
    expect(page.getByRole('listitem').elements()).toEqual([]);
  });

  it('is fifteen minutes to type a phrase, whose words it then wipes', async () => {
    enter();
    await field(1).fill('one');
    vi.advanceTimersByTime(15 * MINUTE_MS);
    await hears({ type: 'WALLET_UI_CLOSED', by: 'timeout', limitMs: 15 * MINUTE_MS });
    await expect.element(field(1)).toHaveValue('');
  });

  it('is named in the error of the page', async () => {
    vi.useRealTimers();
    connected();
    const closed: FromViewer = { type: 'WALLET_UI_CLOSED', by: 'timeout', limitMs: 15 * MINUTE_MS };
    const script = `onmessage = ({ ports: [port] }) => {
      port.postMessage({ type: 'WALLET_UI_OPENED' });
      port.postMessage(${JSON.stringify(closed)});
    }`;
    const address = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
    const viewer = openViewer(address, SHOW, { texts: englishShowPhrase }, new AbortController().signal);
    await viewer.opened;
    expect(await viewer.closed).toBe('timeout');
    expect(isLatchkeyError(viewer.signal.reason, 'MODAL_TIMEOUT')).toBe(true);
    expect(viewer.signal.reason.message).toContain('900s');
  });
});

describe('the request of a phrase viewer', () => {
  it('is one for many presses, until the page has answered', async () => {
    show();
    await press('Show the words');
    await hears({ type: 'KEY_REQUESTED' });
    await named('Show the words').click({ force: true });
    tell({ type: 'FAILED', message: 'The worker did not start' });
    await expect.element(page.getByRole('alert')).toHaveTextContent('The worker did not start');
    expect(requests()).toBe(1);
    await press('Try again');
    await expect.poll(requests).toBe(2);
  });

  it('takes no port before it, and none after the end', async () => {
    enter();
    await field(1).fill('one');
    const got: unknown[] = [];
    workersPort().onmessage = ({ data }) => got.push(data);
    await press('Cancel');
    await hears({ type: 'WALLET_UI_CLOSED', by: 'cancel' });
    workersPort().onmessage = ({ data }) => got.push(data);
    await userEvent.keyboard('{Enter}');
    expect(got).toEqual([]);
    expect(heard.map(({ type }) => type)).toEqual(['WALLET_UI_OPENED', 'WALLET_UI_CLOSED']);
  });

  it('gives the words that the user typed to that port alone', async () => {
    enter();
    for (const [at, word] of PHRASE.split(' ').entries()) await field(at + 1).fill(word);
    await press('Continue');
    await hears({ type: 'KEY_REQUESTED' });
    const got = new Promise<Uint8Array>((resolve) => {
      workersPort().onmessage = ({ data }) => resolve(data.phrase);
    });
    expect(new TextDecoder().decode(await got)).toBe(PHRASE);
    expect(JSON.stringify(heard)).not.toContain('twelve');
  });
});

it('a title of one long word is whole on a narrow phone', async () => {
  await page.viewport(320, 640);
  show({ ...englishShowPhrase, title: 'Wiederherstellungsphrase machen' }, 'de');
  const title = document.querySelector('h1') as HTMLElement;
  const dialog = document.querySelector('main') as HTMLElement;
  expect(title.scrollWidth).toBeLessThanOrEqual(title.clientWidth);
  expect(title.getBoundingClientRect().right).toBeLessThanOrEqual(dialog.getBoundingClientRect().right);
});
