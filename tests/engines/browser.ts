/** A user's actions in a browser that a WebDriver drives: look, press, type, change windows. */
import { writeFile } from 'node:fs/promises';

/** The failure of a WebDriver command: `code` is the specification's, such as `no such element`. */
export class WebDriverError extends Error {
  override readonly name = 'WebDriverError';
  constructor(
    readonly command: string,
    readonly code: string,
    message: string,
  ) {
    super(`${command}: ${code}: ${message}`);
  }
}

/** An element of the document that it was found in. */
export type ElementRef = Readonly<Record<string, string>>;

/** The commands of one session (W3C WebDriver), whatever carries them. Each rejects with a WebDriverError. */
export interface Driver {
  navigate(url: string): Promise<void>;
  /** Runs a script whose last argument ends it. */
  executeAsync(script: string, args: readonly unknown[]): Promise<unknown>;
  performActions(actions: object): Promise<void>;
  /** Chooses a file of this machine in an `input type=file`. */
  chooseFile(element: ElementRef, path: string): Promise<void>;
  /** Into this frame of the document, or out of every frame. */
  switchToFrame(frame: ElementRef | null): Promise<void>;
  windowHandles(): Promise<string[]>;
  windowHandle(): Promise<string>;
  switchToWindow(handle: string): Promise<void>;
  /** Opens an empty window; returns its handle. */
  newWindow(): Promise<string>;
  /** A PNG as base64. */
  takeScreenshot(): Promise<string>;
}

export interface Actions {
  /** Opens the address; its document and scripts have loaded then. */
  open(url: string): Promise<void>;
  /** Switches to this window's page, out of every frame. */
  toPage(): Promise<void>;
  /** Switches into this frame of the document. */
  intoFrame(frame: ElementRef): Promise<void>;
  /**
   * The first visible element that matches the selector and has one of these names, also in shadow trees; null if there
   * is none. `host >>> selector` looks in the shadow tree of the host alone.
   */
  find(selector: string, ...names: string[]): Promise<ElementRef | null>;
  /**
   * Presses the middle of the element with the mouse. False if it has disappeared, something covers it, or the click has not
   * reached it because the page moved it meanwhile.
   */
  press(element: ElementRef): Promise<boolean>;
  /** Moves the mouse to its middle. False in the same cases. */
  hover(element: ElementRef): Promise<boolean>;
  /** Presses these keys one after the other. */
  type(text: string): Promise<void>;
  /** Chooses a file of this machine in an `input type=file`. */
  chooseFile(element: ElementRef, path: string): Promise<void>;
  /** Runs the body of an async function in the document, with `args`. What it returns must be JSON or an element. */
  evaluate<T>(body: string, ...args: unknown[]): Promise<T>;
  windows(): Promise<string[]>;
  window(): Promise<string>;
  toWindow(handle: string): Promise<void>;
  /** Opens an empty window, and returns it; stays in this one. */
  newWindow(): Promise<string>;
  /** Writes a PNG of what this window shows. */
  screenshot(path: string): Promise<void>;
}

/** A browser under test, with passkeys. */
export interface Browser extends Actions {
  /** Such as `firefox` or `webkit`; part of the names of pictures. */
  readonly engine: string;
  readonly version: string;
  /** Whether the user lets the authenticator answer from now on. Initially true. */
  setAgrees(agrees: boolean): Promise<void>;
  /** The errors that scripts and policies of these origins caused, in every window. */
  problems(origins: readonly string[]): Promise<string[]>;
  stop(): Promise<void>;
}

const LOAD_TIMEOUT_MS = 30_000;
const LOAD_POLL_MS = 50;

/** Wide enough that the demo's toasts appear next to its cards. */
export const WINDOW = { width: 1500, height: 950 };

/**
 * How the drivers report an element or a document that has gone. WebKit's has no words for a window that closes in a press,
 * and gets no result to parse from a document that goes while a script runs in it.
 */
const GONE =
  /stale element|no such (element|window|frame)|out of bounds|not interactable|unloaded|discarded|actions: unknown error: $|Could not parse script result|currentWindowGlobal is null/;

/** Whether this error means that the target no longer exists. */
export const isGone = (error: unknown): boolean =>
  error instanceof WebDriverError && GONE.test(error.message);

/** The result of the work, or this one if its target is gone. */
async function unlessGone<T>(work: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isGone(error)) return otherwise;
    throw error;
  }
}

/** An element's name is its label or its text. */
const FIND = `
  const [selector, ...names] = args;
  const within = (root) =>
    [...root.querySelectorAll('*')].flatMap((element) =>
      element.shadowRoot ? [element, ...within(element.shadowRoot)] : [element]);
  const nameOf = (element) =>
    (element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent ?? '').trim();
  const [inner, host] = selector.split(' >>> ').reverse();
  const everything = within(document);
  const looked = host ? everything.filter((element) => element.matches(host)).flatMap(({ shadowRoot }) => within(shadowRoot)) : everything;
  return looked.find((element) =>
    element.matches(inner) && (names.length === 0 || names.includes(nameOf(element))) && element.checkVisibility()) ?? null;`;

/** Scrolls to the element; returns its middle in the document, unless something covers it. */
const UNCOVER = `
  const [element, block] = args;
  element.scrollIntoView({ block, behavior: 'instant' });
  const { x, y, width, height } = element.getBoundingClientRect();
  const there = element.getRootNode().elementFromPoint(x + width / 2, y + height / 2);
  const isThere = [element, ...(element.labels ?? [])].some((whole) => whole.contains(there));
  return isThere ? [scrollX + x + width / 2, scrollY + y + height / 2] : null;`;

/** Whether the address's document shows, and has loaded. */
const LOADED = `return location.origin === new URL(args[0]).origin && document.readyState === 'complete';`;

/** Notes whether the next click reaches the element. */
const AWAIT_CLICK = `
  const [element] = args;
  const wholes = [element, ...(element.labels ?? [])];
  const note = (event) => { globalThis.wasClicked = event.composedPath().some((one) => wholes.includes(one)); };
  globalThis.wasClicked = false;
  addEventListener('click', note, { capture: true, once: true });`;

/** Whether it did, a moment after the press. A document that has come since then has no note. */
const WAS_CLICKED = `
  for (let looks = 0; looks < 20 && globalThis.wasClicked === false; looks += 1)
    await new Promise((next) => setTimeout(next, 10));
  return globalThis.wasClicked !== false;`;

/**
 * The actions of a user by this driver. With a `zoom`, WebKit's adds CSS pixels to pixels of the window where it places an
 * element: it takes the middle in CSS pixels, adds how far the document is scrolled in CSS pixels, and subtracts the same in
 * pixels of the window (WebAutomationSessionProxy::computeElementLayout). A press then needs the difference.
 */
export function actionsOver(driver: Driver, zoom = 1): Actions {
  const evaluate = async <T>(body: string, ...args: unknown[]): Promise<T> => {
    // Returns a rejection as an answer, because a driver would only pass on its text.
    const script = `
      const done = arguments[arguments.length - 1];
      const run = async (...args) => { ${body} };
      run(...[...arguments].slice(0, -1)).then(
        (value) => done({ value }), (error) => done({ error: String(error?.stack ?? error) + ' ' + error }));`;
    const outcome = (await driver.executeAsync(script, args)) as { value?: T; error?: string } | null;
    if (!outcome) throw new WebDriverError('execute', 'javascript error', 'the document was unloaded');
    if (outcome.error !== undefined) throw new Error(outcome.error);
    return outcome.value as T;
  };
  /** Moves the mouse to the middle of the element, and does this there. */
  const point = async (element: ElementRef, ...then: object[]): Promise<boolean> => {
    // The further a zoomed document is scrolled, the less of it WebKit's driver reaches.
    const block = zoom === 1 ? 'nearest' : 'end';
    const middle = await evaluate<[x: number, y: number] | null>(UNCOVER, element, block);
    if (!middle) return false;
    const [x, y] = middle.map((at) => Math.round(at * (zoom - 1)));
    const move = { type: 'pointerMove', duration: 0, origin: element, x, y };
    await driver.performActions({ type: 'pointer', id: 'mouse', actions: [move, ...then] });
    return true;
  };
  const press = async (element: ElementRef): Promise<boolean> => {
    await evaluate(AWAIT_CLICK, element);
    if (!(await point(element, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 })))
      return false;
    // A press after which the document is gone has arrived.
    return unlessGone(evaluate<boolean>(WAS_CLICKED), true);
  };
  const open = async (url: string): Promise<void> => {
    await driver.navigate(url);
    await driver.switchToFrame(null);
    // WebKit's driver returns at the first document that loads, which may be the empty one of a new window
    // (WebAutomationSession::navigationOccurredForFrame).
    for (const deadline = Date.now() + LOAD_TIMEOUT_MS; ; ) {
      if (await unlessGone(evaluate<boolean>(LOADED, url), false)) return;
      if (Date.now() >= deadline) throw new Error(`${url} did not load.`);
      await new Promise((resolve) => setTimeout(resolve, LOAD_POLL_MS));
    }
  };
  return {
    open,
    toPage: () => driver.switchToFrame(null),
    intoFrame: (frame) => driver.switchToFrame(frame),
    find: (selector, ...names) => evaluate(FIND, selector, ...names),
    press: (element) => unlessGone(press(element), false),
    hover: (element) => unlessGone(point(element), false),
    type: async (text) => {
      const keys = [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]);
      await driver.performActions({ type: 'key', id: 'keyboard', actions: keys });
    },
    chooseFile: (element, path) => driver.chooseFile(element, path),
    evaluate,
    windows: () => driver.windowHandles(),
    window: () => driver.windowHandle(),
    toWindow: (handle) => driver.switchToWindow(handle),
    newWindow: () => driver.newWindow(),
    screenshot: async (path) => writeFile(path, Buffer.from(await driver.takeScreenshot(), 'base64')),
  };
}
