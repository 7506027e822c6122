/** A user's steps in the demo and in its wallet: in the frame, in the wallet's own window, or in the page. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { LocalStack } from '../../demo/stack/local-stack.js';
import type { SignedMessage } from '../../demo/stack/oracle.js';
import { ROOT } from '../../demo/stack/services.js';
import { accountOf } from '../../demo/stack/wallet.js';
import { type ElementRef, type Firefox, isGone } from './firefox.js';

/** A guard against waiting forever. */
const STEP_TIMEOUT_MS = 60_000;
const POLL_MS = 30;
const AGREE = ['Create passkey', 'Confirm', 'Sign message', 'Link device'];
/** Matches a confirmation's buttons while they take a press. */
export const ARMED = 'latchkey-confirm >>> button[aria-disabled="false"]';
const FRAME = `return document.querySelector('latchkey-wallet')?.shadowRoot?.querySelector('iframe') ?? null;`;

/** The frame of the key viewer. */
export const VIEWER = `return document.querySelector('latchkey-key-viewer')?.shadowRoot?.querySelector('iframe') ?? null;`;

/** Notes each call of navigator.credentials in a document, once. */
const RECORD = `
  if (window.prompts) return;
  window.prompts = [];
  for (const kind of ['create', 'get']) {
    const ask = CredentialsContainer.prototype[kind];
    CredentialsContainer.prototype[kind] = function (options) {
      window.prompts.push(kind);
      return ask.call(this, options);
    };
  }`;

/** The demo, or a page of the facade, in Firefox. */
export interface Demo {
  firefox: Firefox;
  stack: LocalStack;
}

/** Polls until there is a result, and returns it. The timeout error names what it waits for, with a picture. */
export async function until<T>(
  { firefox }: Demo,
  what: string,
  look: () => Promise<T | null | undefined | false>,
): Promise<T> {
  for (const deadline = Date.now() + STEP_TIMEOUT_MS; Date.now() < deadline; ) {
    try {
      const found = await look();
      if (found) return found;
    } catch (error) {
      // An element may disappear during the query.
      if (!isGone(error)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const picture = join(ROOT, 'test-results', `firefox-${Date.now()}.png`);
  await mkdir(join(ROOT, 'test-results'), { recursive: true });
  await firefox.toPage();
  await firefox.screenshot(picture);
  const said = await firefox.evaluate<string>('return document.body.innerText;');
  throw new Error(`There was no ${what}. A picture: ${picture}. The page says:\n${said}`);
}

/** Switches to the wallet's document. If it does not exist yet, returns false and stays in the page. */
export async function toWallet({ firefox, stack: { walletOrigin } }: Demo): Promise<boolean> {
  await firefox.toPage();
  try {
    if (walletOrigin !== null) {
      const frame = await firefox.evaluate<ElementRef | null>(FRAME);
      if (!frame) return false;
      await firefox.intoFrame(frame);
      // At first the frame holds an empty document on the page's origin.
      if ((await firefox.evaluate('return location.origin;')) !== walletOrigin) {
        await firefox.toPage();
        return false;
      }
    }
    await firefox.evaluate(RECORD);
    return true;
  } catch (error) {
    if (!isGone(error)) throw error;
    await firefox.toPage();
    return false;
  }
}

/** The same, once its document exists. */
const inWallet = (demo: Demo): Promise<true> =>
  until(demo, 'wallet', async () => (await toWallet(demo)) && true);

/** Presses the matching element of the current document. */
async function pressIn(demo: Demo, selector: string, ...names: string[]): Promise<void> {
  await until(demo, `${selector} ${names}`, async () => {
    const element = await demo.firefox.find(selector, ...names);
    return element !== null && demo.firefox.press(element);
  });
}

/** Presses a button of the page, once it is enabled: a press before does nothing. */
export async function press(demo: Demo, ...names: string[]): Promise<void> {
  await demo.firefox.toPage();
  await pressIn(demo, 'button:not([aria-disabled="true"])', ...names);
}

/** Types into an input of the page, by its label. */
async function fill(demo: Demo, label: string, text: string): Promise<void> {
  await demo.firefox.toPage();
  await pressIn(demo, 'input, textarea', label);
  await demo.firefox.type(text);
}

/** Agrees to the wallet's requests, in its frame or in the page, until `end` has a result; repeats early presses. */
export async function agreeUntil<T>(
  demo: Demo,
  what: string,
  end: () => Promise<T | null | false>,
): Promise<T> {
  const { firefox } = demo;
  const ended = await until(demo, what, async () => {
    await firefox.toPage();
    const found = await end();
    if (found) return { found };
    const button = (await toWallet(demo)) && (await firefox.find(ARMED, ...AGREE));
    if (button) await firefox.press(button);
    return undefined;
  });
  await firefox.toPage();
  return ended.found;
}

/** The same, and waits until the confirmation is gone: text typed while it closes is lost. */
async function agreed<T>(demo: Demo, what: string, end: () => Promise<T | null | false>): Promise<T> {
  const ended = await agreeUntil(demo, what, end);
  await until(demo, 'end of the confirmation', async () => {
    await inWallet(demo);
    return demo.firefox.evaluate<boolean>(`return document.querySelector('latchkey-confirm') === null;`);
  });
  await demo.firefox.toPage();
  return ended;
}

async function continueAs(demo: Demo, mode: 'Register' | 'Login', username?: string): Promise<void> {
  await demo.firefox.toPage();
  await pressIn(demo, 'input[type=radio]', mode);
  if (username !== undefined) await fill(demo, 'Username', username);
  await press(demo, 'Continue');
  await agreed(demo, 'account that is logged in', () => demo.firefox.find('button', 'Lock wallet'));
}

export const register = (demo: Demo, username: string): Promise<void> =>
  continueAs(demo, 'Register', username);

/** Logs in with the username that the page fills in itself: the last one. */
export const logIn = (demo: Demo): Promise<void> => continueAs(demo, 'Login');

export async function logOut(demo: Demo): Promise<void> {
  await press(demo, 'Lock wallet');
  await until(demo, 'login menu', () => demo.firefox.find('button', 'Continue'));
}

/** Sets the greeting; returns the transaction's id. */
export async function setGreeting(demo: Demo, text: string): Promise<string> {
  const before = await textOf(demo, 'transaction-id');
  await startGreeting(demo, text);
  return agreed(demo, 'transaction', async () => {
    const id = await textOf(demo, 'transaction-id');
    return id !== before && id;
  });
}

/** Types a greeting and presses Set greeting. */
export async function startGreeting(demo: Demo, text: string): Promise<void> {
  await fill(demo, 'New greeting', text);
  await press(demo, 'Set greeting');
}

/** Signs a message for the page's default recipient. */
export async function signMessage(demo: Demo, username: string, message: string): Promise<SignedMessage> {
  await fill(demo, 'Message', message);
  const recipient = await demo.firefox.evaluate<string>(
    'return args[0].value;',
    await demo.firefox.find('input', 'Recipient'),
  );
  await press(demo, 'Sign message');
  const signature = await agreed(demo, 'signature', () => textOf(demo, 'nep413-signature'));
  const publicKey = await textOf(demo, 'nep413-public-key');
  const nonce = await textOf(demo, 'nep413-nonce');
  return { accountId: accountOf(username), message, recipient, signature, publicKey, nonce };
}

/** The text of a page's element; '' if there is none. */
const textOf = ({ firefox }: Demo, testId: string): Promise<string> =>
  firefox.evaluate(
    `return document.querySelector('[data-testid="' + args[0] + '"]')?.textContent.trim() ?? '';`,
    testId,
  );

/** The wallet's requests to the authenticator since its document was loaded. */
export async function promptsOf(demo: Demo): Promise<string[]> {
  await inWallet(demo);
  const prompts = await demo.firefox.evaluate<string[]>('return window.prompts;');
  await demo.firefox.toPage();
  return prompts;
}

/** Opens the wallet's own window from its frame, runs this in it, and returns to the page. */
export async function inWindow<T>(demo: Demo, inside: (opened: string) => Promise<T>): Promise<T> {
  const { firefox } = demo;
  const host = await firefox.window();
  await until(demo, 'offer of a window', async () => {
    const button = (await toWallet(demo)) && (await firefox.find('button', 'Open the window'));
    return button && firefox.press(button);
  });
  const opened = await until(demo, 'window', async () =>
    (await firefox.windows()).find((handle) => handle !== host),
  );
  await firefox.toWindow(opened);
  const done = await inside(opened);
  await until(demo, 'end of the window', async () => !(await firefox.windows()).includes(opened));
  await firefox.toWindow(host);
  await firefox.toPage();
  return done;
}

/** Presses one of these buttons in the wallet's own window, until it closes. */
export const agreeInWindow = (demo: Demo, ...names: string[]): Promise<void> =>
  inWindow(demo, async (opened) => {
    await until(demo, `${names} in the window`, async () => {
      if (!(await demo.firefox.windows()).includes(opened)) return true;
      const button = await demo.firefox.find('button:not([aria-disabled="true"])', ...names);
      if (button) await demo.firefox.press(button);
      return false;
    });
  });

/** Goes through the current document's key viewer to its end; returns the key. */
export async function exportKey(demo: Demo): Promise<string> {
  const { firefox } = demo;
  const viewer = await until(demo, 'viewer', () => firefox.evaluate<ElementRef | null>(VIEWER));
  await firefox.intoFrame(viewer);
  await until(demo, 'key in the viewer', async () => {
    const show = await firefox.find('button', 'Show');
    if (show) return firefox.press(show);
    const go = await firefox.find('button', 'Continue with passkey');
    if (go) await firefox.press(go);
    return false;
  });
  const shown = await until(demo, 'key', () =>
    firefox.evaluate<string | null>('return /ed25519:\\w{80,}/.exec(document.body.innerText)?.[0] ?? null;'),
  );
  await pressIn(demo, 'button', 'Copy');
  await until(demo, 'copy', () =>
    firefox.find('[role=status]', 'Copied. The clipboard is cleared in 30 seconds.'),
  );
  await pressIn(demo, 'button', 'Done');
  return shown;
}
