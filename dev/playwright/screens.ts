// A user in front of the wallet's screens: in the page, in the wallet's frame, and in every window that the page opens.
import type { Frame, Locator, Page } from '@playwright/test';
import { isGoneWithin, pause, pressNow, STEP_TIMEOUT_MS } from './press.js';

/** The layers of a document of the wallet that wait for its user. */
const CONFIRM = 'latchkey-confirm';
const CHOOSER = 'latchkey-connect';
const NEEDS_WINDOW = 'latchkey-popup';
const LAYERS = [CONFIRM, CHOOSER, NEEDS_WINDOW].join();

/** The wallet's frame while it covers the page, with a layer or for a moment without one: a call that fails has it too. */
const COVER = 'latchkey-wallet dialog[open]';

/** The buttons of a confirmation that agree, by the wallet's English texts. */
export const AGREE = new RegExp(
  `^(${[
    ...[
      'Create passkey',
      'Connect',
      'Link device',
      'Register device',
      'Give full access',
      'Sign message',
      'Sign in',
      'Sign both',
    ],
    ...[
      'Send',
      'Call',
      'Confirm',
      'Confirm all',
      'Stake',
      'Unstake',
      'Unwrap',
      'Withdraw',
      'Allow',
      'Destroy',
    ],
    ...['Take back', 'Close storage', 'Remove', 'Add key', 'Remove key', 'Create account', 'Delete account'],
    ...['Deploy', 'Publish', 'Use contract'],
  ].join('|')})$`,
);

/** How long a confirmation may take to scroll. */
const SCROLL_MS = 300;

/** Takes a press: a button of the wallet waits until it was seen for a while. */
const ARMED = '[aria-disabled="false"]';

/** Moves the mouse over a screen that has just opened: a press counts only of a mouse that was there for a while. */
export const reach = (page: Page): Promise<void> => page.mouse.move(1, 1);

/** Scrolls and unfolds a confirmation that waits until all of it was seen. */
export async function seeAll(dialog: Locator): Promise<void> {
  const more = dialog.getByRole('button', { name: 'Show more' });
  while (await more.isVisible()) {
    await pressNow(more);
    await isGoneWithin(more, SCROLL_MS);
  }
}

/**
 * Agrees to everything that the wallet asks until `done` is visible, and returns the texts of what it agreed to, in their
 * order. It opens the wallet's window where a browser lets the wallet ask only there. The wallet's texts must be the
 * English ones. Rejects after 30 s, with what page and wallet say.
 */
export async function approveUntil(page: Page, done: Locator): Promise<readonly string[]> {
  const user = new User(page);
  for (const deadline = Date.now() + STEP_TIMEOUT_MS; Date.now() < deadline; await pause()) {
    if (await done.isVisible()) {
      await uncovered(page, deadline);
      return user.agreedTo;
    }
    for (const document of await documentsOf(page)) await inOpen(document, () => user.agree(document));
  }
  throw new Error(`The step did not come to its end. ${await saidBy(page)}`);
}

/** Presses Cancel in the next screen of the wallet, and waits until the page has no screen of it. */
export async function cancel(page: Page): Promise<void> {
  let isPressed = false;
  for (const deadline = Date.now() + STEP_TIMEOUT_MS; Date.now() < deadline; await pause()) {
    const open = await openDocuments(page);
    if (isPressed && open.length === 0) return;
    for (const document of open) {
      const button = document.locator(LAYERS).getByRole('button', { name: 'Cancel' }).last();
      await inOpen(document, async () => {
        if (!(await button.isVisible())) return;
        isPressed = true;
        await pressNow(button);
      });
    }
  }
  throw new Error(`The wallet shows nothing to cancel, or takes no press. ${await saidBy(page)}`);
}

/**
 * Where a page asks which account it gets, as by near-connect, chooses a new account of this name. {@link approveUntil}
 * then presses Connect and agrees to the passkey.
 */
export async function chooseNewAccount(page: Page, name: string): Promise<void> {
  for (const deadline = Date.now() + STEP_TIMEOUT_MS; Date.now() < deadline; await pause()) {
    for (const document of await openDocuments(page)) {
      const chooser = document.locator(CHOOSER).getByRole('dialog');
      if (!(await chooser.isVisible())) continue;
      await chooser.getByRole('radio', { name: 'A new account' }).check();
      return chooser.getByRole('textbox', { name: 'Name of the new account' }).fill(name);
    }
  }
  throw new Error(`The wallet asks for no account. ${await saidBy(page)}`);
}

/** Agrees to what the wallet shows, and remembers it. */
class User {
  readonly agreedTo: string[] = [];
  /** The windows that the mouse has reached. */
  readonly #reached = new WeakSet<Page>();
  /** The title of the dialog that is open in a document and was noted. */
  readonly #noted = new WeakMap<Frame, string>();
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Presses what takes a press in this document. A press that comes too soon to count is repeated by the next call. */
  async agree(document: Frame): Promise<void> {
    if (this.#isWindow(document))
      await this.#press(document.getByRole('button', { name: 'Continue with passkey' }));
    if ((await document.locator(LAYERS).count()) === 0) {
      this.#noted.delete(document);
      return;
    }
    await this.#press(document.locator(NEEDS_WINDOW).getByRole('button', { name: 'Open the window' }));
    const dialog = document.locator(`${CONFIRM}, ${CHOOSER}`).getByRole('dialog').last();
    await seeAll(dialog);
    const button = dialog.getByRole('button', { name: AGREE }).and(document.locator(ARMED));
    if (!(await button.isVisible())) return;
    this.#note(document, await dialog.innerText());
    await this.#press(button);
  }

  /** Whether it is the wallet's own window, and not the page or a frame. */
  #isWindow(document: Frame): boolean {
    return document.parentFrame() === null && document.page() !== this.#page;
  }

  async #press(button: Locator): Promise<void> {
    if (!(await button.isVisible())) return;
    const page = button.page();
    if (!this.#reached.has(page)) await reach(page);
    this.#reached.add(page);
    await pressNow(button);
  }

  /** Notes a dialog once, though its text changes when a press comes too soon. */
  #note(document: Frame, text: string): void {
    const [title = ''] = text.split('\n');
    if (this.#noted.get(document) !== title) this.agreedTo.push(text);
    this.#noted.set(document, title);
  }
}

/** Every document of a page and of the windows that it opened. */
async function documentsOf(page: Page): Promise<Frame[]> {
  const windows = [page];
  for (const other of page.context().pages()) if ((await other.opener()) === page) windows.push(other);
  return windows.flatMap((window) => window.frames());
}

/** Those of them where the wallet waits for its user. */
async function openDocuments(page: Page): Promise<Frame[]> {
  const open: Frame[] = [];
  for (const document of await documentsOf(page)) {
    const layers = await inOpen(document, () => document.locator(LAYERS).count());
    if (layers) open.push(document);
  }
  return open;
}

/** Runs a step in a document. One that closes meanwhile has no answer. */
async function inOpen<T>(document: Frame, step: () => Promise<T>): Promise<T | undefined> {
  try {
    return await step();
  } catch (error) {
    if (document.isDetached() || document.page().isClosed()) return undefined;
    throw error;
  }
}

/** Waits until no screen of the wallet covers the page: a closing one swallows typed text, and a press. */
async function uncovered(page: Page, deadline: number): Promise<void> {
  while ((await openDocuments(page)).length > 0 || (await page.locator(COVER).count()) > 0) {
    if (Date.now() > deadline) throw new Error(`A screen of the wallet stays. ${await saidBy(page)}`);
    await pause();
  }
  // The browser sends a press where the last drawn picture had the frame.
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
}

/** For an error: the texts of the page and of the wallet's screens. */
async function saidBy(page: Page): Promise<string> {
  const screens: (string | undefined)[] = [];
  for (const document of await openDocuments(page))
    screens.push(
      ...((await inOpen(document, () => document.locator(LAYERS).getByRole('dialog').allInnerTexts())) ?? []),
    );
  const wallet = screens.length > 0 ? `\nThe wallet shows:\n${screens.join('\n')}` : '';
  return `The page says:\n${await page.locator('body').innerText()}${wallet}`;
}
