/** A user's steps in the demo and in its wallet: in the frame, in the wallet's own window, or in the page. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { KeyPair, type KeyPairString } from 'near-api-js';
import { ROOT } from '../../dev/services/services.js';
import { type LocalStack, startLocalStack } from '../support/local-stack.js';
import type { SignedMessage } from '../support/oracle.js';
import { accountOf } from '../support/wallet.js';
import { type Browser, type ElementRef, isGone } from './browser.js';

const BLOCK_TIME_MS = 100;
const MAX_BLOCK_AGE = 3_000;
/** A guard against waiting forever, longer than the wallet's own time limits. */
const STEP_TIMEOUT_MS = 120_000;
const POLL_MS = 100;
const AGREE = [
  'Create passkey',
  'Send',
  'Call',
  'Add key',
  'Confirm all',
  'Sign message',
  'Sign in',
  'Link device',
];
/** Matches a confirmation's buttons while they take a press. */
const ARMED = 'latchkey-confirm >>> button[aria-disabled="false"]';
/** A button that a press has an effect on. */
const ENABLED = 'button:not([aria-disabled="true"])';
const FRAME = `return document.querySelector('latchkey-wallet')?.shadowRoot?.querySelector('iframe') ?? null;`;

/** What the wallet shows over the page, and whether its document is drawn. */
const SHOWN = `
  const isDrawn = await new Promise((resolve) => {
    requestAnimationFrame(() => resolve(true));
    setTimeout(() => resolve(false), 1_000);
  });
  const state = { isDrawn, isHidden: document.hidden, hasFocus: document.hasFocus(), size: [innerWidth, innerHeight] };
  const layers = [...document.querySelectorAll('latchkey-confirm, latchkey-popup, latchkey-waiting')];
  return [JSON.stringify(state), ...layers.map(({ shadowRoot }) => shadowRoot?.innerHTML)].join('\\n');`;

/** The frame of the key viewer. */
export const VIEWER = `return document.querySelector('latchkey-key-viewer')?.shadowRoot?.querySelector('iframe') ?? null;`;

/** Notes each call of navigator.credentials in a document, once. By proxies, so that they read as the browser's own functions. */
const RECORD = `
  if (window.prompts) return;
  window.prompts = [];
  for (const kind of ['create', 'get']) {
    const ask = CredentialsContainer.prototype[kind];
    CredentialsContainer.prototype[kind] = new Proxy(ask, {
      apply: (target, credentials, options) => {
        window.prompts.push(kind);
        return target.apply(credentials, options);
      },
    });
  }`;

/** The demo, or a page of the facade, in a browser. */
export interface Demo {
  browser: Browser;
  stack: LocalStack;
}

/**
 * Gives the surrounding tests their own stack, with its demo open; `prepare` runs before it is opened. 'trusted': in a
 * frame, on a page that the wallet's operator trusts not to cover it.
 */
export function openDemo(
  browser: () => Browser,
  framed: boolean | 'trusted',
  prepare: (stack: LocalStack) => void = () => undefined,
): Demo {
  const demo = {} as Demo;
  before(async () => {
    const stack = await startLocalStack({
      blockTimeMs: BLOCK_TIME_MS,
      maxBlockAge: MAX_BLOCK_AGE,
      framed: framed !== false,
      isTrusted: framed === 'trusted',
      linkCodeHosts: ['localhost'],
    });
    Object.assign(demo, { stack, browser: browser() });
    prepare(stack);
    await demo.browser.open(stack.appUrl);
  });
  after(() => demo.stack?.stop());
  return demo;
}

/** Polls until there is a result, and returns it. The timeout error names what it waits for, with a picture and what page and wallet show. */
export async function until<T>(
  demo: Demo,
  what: string,
  look: () => Promise<T | null | undefined | false>,
): Promise<T> {
  const { browser } = demo;
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
  if (!(await browser.windows()).includes(await browser.window().catch(() => '')))
    throw new Error(`There was no ${what}: the window that it was looked for in is closed.`);
  const picture = join(ROOT, 'test-results', `${browser.engine}-${Date.now()}.png`);
  await mkdir(join(ROOT, 'test-results'), { recursive: true });
  await browser.toPage();
  await browser.screenshot(picture);
  const said = await browser.evaluate<string>('return document.body.innerText;');
  const shown = (await toWallet(demo))
    ? await browser.evaluate<string>(SHOWN)
    : 'nothing: it has no document';
  throw new Error(
    `There was no ${what}. A picture: ${picture}. The page says:\n${said}\nThe wallet shows:\n${shown}`,
  );
}

/** Switches to the wallet's document. If it does not exist yet, returns false and stays in the page. */
export async function toWallet({ browser, stack: { walletOrigin } }: Demo): Promise<boolean> {
  await browser.toPage();
  try {
    if (walletOrigin !== null) {
      const frame = await browser.evaluate<ElementRef | null>(FRAME);
      if (!frame) return false;
      await browser.intoFrame(frame);
      // At first the frame holds an empty document on the page's origin.
      if ((await browser.evaluate('return location.origin;')) !== walletOrigin) {
        await browser.toPage();
        return false;
      }
    }
    await browser.evaluate(RECORD);
    return true;
  } catch (error) {
    if (!isGone(error)) throw error;
    await browser.toPage();
    return false;
  }
}

/** The same, once its document exists. */
export const inWallet = (demo: Demo): Promise<true> =>
  until(demo, 'wallet', async () => (await toWallet(demo)) && true);

/** Presses the matching element of the current document. */
export async function pressIn(demo: Demo, selector: string, ...names: string[]): Promise<void> {
  await until(demo, `${selector} ${names}`, async () => {
    const element = await demo.browser.find(selector, ...names);
    return element !== null && demo.browser.press(element);
  });
}

/** Presses this button of the wallet, in its frame or in the page, until it has gone. */
export const pressUntilGone = (demo: Demo, selector: string, name: string): Promise<unknown> =>
  until(demo, `end of ${name}`, async () => {
    const button = (await toWallet(demo)) && (await demo.browser.find(selector, name));
    if (button) await demo.browser.press(button);
    return !button;
  });

/** Presses a button of the page, once it is enabled: a press before does nothing. */
export async function press(demo: Demo, ...names: string[]): Promise<void> {
  await demo.browser.toPage();
  await pressIn(demo, ENABLED, ...names);
}

/** Types into an input of the page, by its label. */
async function fill(demo: Demo, label: string, text: string): Promise<void> {
  const { browser } = demo;
  await browser.toPage();
  // A confirmation that closes gives the focus back a moment later.
  await until(demo, `${label} with its text`, async () => {
    const field = await browser.find('input, textarea', label);
    if (!field || !(await browser.press(field))) return false;
    if (!(await browser.evaluate('return args[0].getRootNode().activeElement === args[0];', field)))
      return false;
    await browser.type(text);
    return browser.evaluate<boolean>('return args[0].value.includes(args[1]);', field, text);
  });
}

/**
 * Agrees to the wallet's requests, in its frame, in its own window or in the page, until `end` has a result; repeats
 * early presses. A test of a refused prompt sets `triesAgain` to false, or its refusal may be answered before it looks.
 */
export async function agreeUntil<T>(
  demo: Demo,
  what: string,
  end: () => Promise<T | null | false>,
  { triesAgain = true } = {},
): Promise<T> {
  const { browser } = demo;
  let isOffered = false;
  const ended = await until(demo, what, async () => {
    await browser.toPage();
    const found = await end();
    if (found) return { found };
    // `end` may look for the offer too, so it comes first.
    if (isOffered) await agreeInWindow(demo, ...AGREE);
    isOffered = false;
    const button =
      (await toWallet(demo)) &&
      ((await unseen(demo)) ??
        (await browser.find(ARMED, ...AGREE)) ??
        (triesAgain ? await anotherTry(demo) : null));
    if (button) await browser.press(button);
    else isOffered = (await findOffer(demo)) !== null;
    return undefined;
  });
  await browser.toPage();
  return ended.found;
}

/** The button for another try, after a prompt that failed. Prints the reason: nodes and machines can be slow. */
async function anotherTry({ browser }: Demo): Promise<ElementRef | null> {
  const button = await browser.find(ARMED, 'Try again');
  if (button) {
    const reason = await browser.find('latchkey-confirm >>> [role=alert]');
    console.warn(
      'The wallet offers another try:',
      await browser.evaluate('return args[0]?.textContent;', reason),
    );
  }
  return button;
}

/** The button of a confirmation that waits until all of it was seen. */
const unseen = ({ browser }: Demo): Promise<ElementRef | null> =>
  browser.find('latchkey-confirm >>> button', 'Show more');

/** The same, and waits until the confirmation is gone: text typed while it closes is lost. */
async function agreed<T>(demo: Demo, what: string, end: () => Promise<T | null | false>): Promise<T> {
  const ended = await agreeUntil(demo, what, end);
  await confirmationGone(demo);
  return ended;
}

async function confirmationGone(demo: Demo): Promise<void> {
  await until(demo, 'end of the confirmation', async () => {
    await inWallet(demo);
    return demo.browser.evaluate<boolean>(`return document.querySelector('latchkey-confirm') === null;`);
  });
  await demo.browser.toPage();
}

/** Chooses what to do in the login menu, and presses Continue. Without a username, leaves the one that is filled in. */
export async function startAs(
  demo: Demo,
  mode: 'Register' | 'Login' | 'Recover',
  username?: string,
): Promise<void> {
  await toPageOf(demo, 'Home');
  await pressIn(demo, 'input[type=radio]', mode);
  if (username !== undefined) await fill(demo, 'Username', username);
  await press(demo, 'Continue');
}

/** The button of the user's menu, which only a logged-in user has. */
export const isLoggedIn = (demo: Demo): Promise<ElementRef | null> =>
  demo.browser.find('[aria-haspopup="menu"]');

/** Opens the user's menu and presses this item. */
export async function chooseInMenu(
  demo: Demo,
  name: 'Export Keys' | 'Scan and Link Device' | 'Linked Devices' | 'Transaction Settings' | 'Lock Wallet',
): Promise<void> {
  await demo.browser.toPage();
  await pressIn(demo, '[aria-haspopup="menu"][aria-expanded="false"]');
  await pressIn(demo, '[role="menuitem"] strong', name);
}

/** Goes to a page of the demo by its link, unless it shows. */
async function toPageOf(demo: Demo, name: 'Home' | 'Demos'): Promise<void> {
  await demo.browser.toPage();
  const isHere = await demo.browser.find('nav a[aria-current="page"]', name);
  if (!isHere) await pressIn(demo, 'nav a', name);
}

/** Presses the button that opens the key viewer. */
export async function startExport(demo: Demo): Promise<void> {
  await toPageOf(demo, 'Demos');
  await press(demo, 'Export keys');
}

async function continueAs(...[demo, mode, username]: Parameters<typeof startAs>): Promise<void> {
  await startAs(demo, mode, username);
  await agreed(demo, 'account that is logged in', () => isLoggedIn(demo));
}

export const register = (demo: Demo, username: string): Promise<void> =>
  continueAs(demo, 'Register', username);

/** Registers in a browser that creates no passkey in a frame: in the wallet's own window. */
export async function registerInWindow(demo: Demo, username: string): Promise<void> {
  await startAs(demo, 'Register', username);
  await agreeUntil(demo, 'offer of a window', async () => (await toWallet(demo)) && findOffer(demo));
  await agreeInWindow(demo, 'Continue with passkey');
  await until(demo, 'account that is logged in', () => isLoggedIn(demo));
}

/** Recovers the account that the page has filled in. */
export const recover = (demo: Demo): Promise<void> => continueAs(demo, 'Recover');

/** Logs in with the username that the page fills in itself: the last one. */
export const logIn = (demo: Demo): Promise<void> => continueAs(demo, 'Login');

export async function logOut(demo: Demo): Promise<void> {
  await chooseInMenu(demo, 'Lock Wallet');
  await until(demo, 'login menu', () => demo.browser.find('button', 'Continue'));
}

/** Sets the greeting; returns the transaction's id. */
export async function setGreeting(demo: Demo, text: string): Promise<string> {
  await toPageOf(demo, 'Home');
  const before = await textOf(demo, 'transaction-id');
  await startGreeting(demo, text);
  return agreed(demo, 'transaction', async () => {
    const id = await textOf(demo, 'transaction-id');
    return id !== before && id;
  });
}

/** Waits until a confirmation takes a press, or waits to be seen; stays in the wallet's document. */
export const confirmationShown = (demo: Demo): Promise<ElementRef | null | false> =>
  until(
    demo,
    'confirmation',
    async () =>
      (await toWallet(demo)) && ((await unseen(demo)) ?? (await demo.browser.find(ARMED, ...AGREE))),
  );

/** Presses Cancel in the confirmation. */
export async function cancel(demo: Demo): Promise<void> {
  await pressUntilGone(demo, 'latchkey-confirm >>> button', 'Cancel');
  await confirmationGone(demo);
}

/** Types a greeting and presses Set greeting. */
export async function startGreeting(demo: Demo, text: string): Promise<void> {
  await toPageOf(demo, 'Home');
  await fill(demo, 'New greeting', text);
  await press(demo, 'Set greeting');
}

interface Transfer {
  recipient: string;
  near: string;
}

/** Fills in a row for each transfer and presses Send all. */
export async function startBatch(demo: Demo, transfers: readonly Transfer[]): Promise<void> {
  await toPageOf(demo, 'Demos');
  for (const [index, { recipient, near }] of transfers.entries()) {
    await fill(demo, `Recipient ${index + 1}`, recipient);
    await fill(demo, `NEAR ${index + 1}`, near);
  }
  await press(demo, 'Send all');
}

/** Sends these transfers as a batch; returns the page's result for each. */
export async function sendBatch(demo: Demo, transfers: readonly Transfer[]): Promise<string[]> {
  await startBatch(demo, transfers);
  return batchResults(demo);
}

/** Agrees to a batch; returns the page's result for each transfer. */
export const batchResults = (demo: Demo): Promise<string[]> =>
  agreed(demo, 'results of the batch', async () => {
    const list = await demo.browser.find('ul, ol', 'What became of each');
    return (
      list &&
      demo.browser.evaluate<string[]>('return [...args[0].children].map((row) => row.innerText);', list)
    );
  });

/** Types a message and presses Sign message. */
export async function startMessage(demo: Demo, message: string): Promise<void> {
  await toPageOf(demo, 'Demos');
  await fill(demo, 'Message', message);
  await press(demo, 'Sign message');
}

/** Signs a message for the page's default recipient. */
export async function signMessage(demo: Demo, username: string, message: string): Promise<SignedMessage> {
  await startMessage(demo, message);
  const recipient = await demo.browser.evaluate<string>(
    'return args[0].value;',
    await demo.browser.find('input', 'Recipient'),
  );
  const signature = await agreed(demo, 'signature', () => textOf(demo, 'nep413-signature'));
  const publicKey = await textOf(demo, 'nep413-public-key');
  const nonce = await textOf(demo, 'nep413-nonce');
  return { accountId: accountOf(username), message, recipient, signature, publicKey, nonce };
}

/** The text of a page's element; '' if there is none. */
const textOf = ({ browser }: Demo, testId: string): Promise<string> =>
  browser.evaluate(
    `return document.querySelector('[data-testid="' + args[0] + '"]')?.textContent.trim() ?? '';`,
    testId,
  );

/** The wallet's requests to the authenticator since its document was loaded. */
export async function promptsOf(demo: Demo): Promise<string[]> {
  await inWallet(demo);
  const prompts = await demo.browser.evaluate<string[]>('return window.prompts;');
  await demo.browser.toPage();
  return prompts;
}

/** The button that opens the wallet's own window; looks in the current document. */
export const findOffer = ({ browser }: Demo): Promise<ElementRef | null> =>
  browser.find('latchkey-popup >>> button', 'Open the window', 'Try again');

/** Opens the wallet's own window from its frame, runs this in it, and returns to the page. */
export async function inWindow<T>(demo: Demo, inside: (opened: string) => Promise<T>): Promise<T> {
  const { browser } = demo;
  const host = await browser.window();
  const others = await browser.windows();
  await until(demo, 'offer of a window', async () => {
    const button = (await toWallet(demo)) && (await findOffer(demo));
    return button && browser.press(button);
  });
  const opened = await until(demo, 'window', async () =>
    (await browser.windows()).find((handle) => !others.includes(handle)),
  );
  await browser.toWindow(opened);
  try {
    const done = await inside(opened);
    await until(demo, 'end of the window', async () => !(await browser.windows()).includes(opened));
    return done;
  } finally {
    await browser.toWindow(host);
    await browser.toPage();
  }
}

/** Presses one of these buttons in the wallet's own window, until it closes. */
export const agreeInWindow = (demo: Demo, ...names: string[]): Promise<void> =>
  inWindow(demo, (opened) => pressUntilClosed(demo, opened, ...names));

/**
 * Presses these buttons of the window that the browser is in, until it closes: the last one of them that takes a press.
 * A button that is disabled or gone for a moment may come back.
 */
export async function pressUntilClosed(demo: Demo, opened: string, ...names: string[]): Promise<void> {
  const { browser } = demo;
  await until(demo, `end of the window by ${names}`, async () => {
    if (!(await browser.windows()).includes(opened)) return true;
    let button = await unseen(demo);
    for (const name of names.toReversed()) button ??= await browser.find(ENABLED, name);
    if (button) await browser.press(button);
    return false;
  });
}

/** Goes through the current document's key viewer to its end; returns the key. */
export async function exportKey(demo: Demo): Promise<string> {
  const { browser } = demo;
  const viewer = await until(demo, 'viewer', () => browser.evaluate<ElementRef | null>(VIEWER));
  await browser.intoFrame(viewer);
  await until(demo, 'key in the viewer', async () => {
    const show = await browser.find(ENABLED, 'Show');
    if (show) return browser.press(show);
    // A press that comes too early starts the wait again.
    const go = await browser.find(ENABLED, 'Continue with passkey');
    if (go) await browser.press(go);
    return false;
  });
  const shown = await until(demo, 'key', () =>
    browser.evaluate<string | null>('return /ed25519:\\w{80,}/.exec(document.body.innerText)?.[0] ?? null;'),
  );
  await until(demo, 'copy', async () => {
    if (await browser.find('[role=status]', 'Copied. The clipboard is cleared in 30 seconds.')) return true;
    // The key that is shown changed the dialog, so the viewer waits until the user has seen it.
    const copy = await browser.find(ENABLED, 'Copy');
    if (copy) await browser.press(copy);
    return false;
  });
  await until(demo, 'end of the viewer', () => isClosedBy(demo, 'Done'));
  return shown;
}

/** Presses this button, which closes its document. The driver reports a press that arrived, or that the document has gone. */
async function isClosedBy({ browser }: Demo, name: string): Promise<boolean> {
  try {
    const button = await browser.find('button', name);
    return button !== null && (await browser.press(button));
  } catch (error) {
    if (isGone(error)) return true;
    throw error;
  }
}

/** The public key of a secret key, as the chain writes it. */
export const publicKeyOf = (secret: string): string =>
  KeyPair.fromString(secret as KeyPairString)
    .getPublicKey()
    .toString();

/** No script failed and no policy was violated, in the app and in the wallet. */
export async function noProblems({ browser, stack }: Demo): Promise<void> {
  const { appUrl, walletOrigin } = stack;
  assert.deepEqual(await browser.problems([appUrl, ...(walletOrigin === null ? [] : [walletOrigin])]), []);
}
