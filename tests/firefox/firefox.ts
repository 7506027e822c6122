/** A Firefox with a virtual passkey, and a user's actions in it: look, press, type, change windows. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../../demo/stack/service.js';
import { firefoxPath } from '../../scripts/firefox.mjs';
import { connectMarionette, type Marionette, WebDriverError } from './marionette.js';

/** An element of the document that it was found in. */
export type ElementRef = Readonly<Record<string, string>>;

export interface Firefox {
  /** Such as `153.7.0`. */
  readonly version: string;
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
  /** Presses the middle of the element with the mouse. False if it has disappeared, or something covers it. */
  press(element: ElementRef): Promise<boolean>;
  /** Presses these keys one after the other. */
  type(text: string): Promise<void>;
  /** Runs the body of an async function in the document, with `args`. What it returns must be JSON or an element. */
  evaluate<T>(body: string, ...args: unknown[]): Promise<T>;
  windows(): Promise<string[]>;
  window(): Promise<string>;
  toWindow(handle: string): Promise<void>;
  /** Whether the user lets the authenticator answer from now on. Initially true. */
  setAgrees(agrees: boolean): Promise<void>;
  /** The errors that scripts and policies of these origins caused, in every window. */
  problems(origins: readonly string[]): Promise<string[]>;
  /** Writes a PNG of what this window shows. */
  screenshot(path: string): Promise<void>;
  stop(): Promise<void>;
}

const SCRIPT_TIMEOUT_MS = 120_000;
/** Wide enough that the demo's toasts appear next to its cards. */
const WINDOW = { width: 1500, height: 950 };
const PREFS = {
  // A free port, which Firefox reports.
  'marionette.port': 0,
  'security.webauth.webauthn_enable_softtoken': true,
  'security.webauth.webauthn_enable_usbtoken': false,
  'ui.prefersReducedMotion': 1,
};
const AUTHENTICATOR = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserConsenting: true,
  isUserVerified: true,
};
const SCRIPT = 'WebDriver:ExecuteAsyncScript';
/** How the driver reports an element or a document that has gone. */
const GONE = /stale element|no such (element|window|frame)|out of bounds|not interactable|unloaded|discarded/;

/** Whether this error means that the target no longer exists. */
export const isGone = (error: unknown): boolean =>
  error instanceof WebDriverError && GONE.test(error.message);

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

const UNCOVER = `
  const [element] = args;
  element.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  const { x, y, width, height } = element.getBoundingClientRect();
  const there = element.getRootNode().elementFromPoint(x + width / 2, y + height / 2);
  return [element, ...(element.labels ?? [])].some((whole) => whole.contains(there));`;

const PROBLEMS = `
  return Services.console.getMessageArray()
    .filter((message) => message instanceof Ci.nsIScriptError && !(message.flags & Ci.nsIScriptError.warningFlag))
    .filter(({ sourceName }) => args.some((origin) => sourceName.startsWith(origin)))
    .map(String);`;

/** Starts the Firefox that set-up found, headless, with its own temporary profile. */
export async function startFirefox(): Promise<Firefox> {
  const command = firefoxPath();
  if (!command) throw new Error('There is no Firefox here: scripts/setup.sh installs one where it can.');
  const profile = await mkdtemp(join(tmpdir(), 'latchkey-firefox-'));
  const prefs = Object.entries(PREFS).map(([name, value]) => `user_pref("${name}", ${value});`);
  await writeFile(join(profile, 'user.js'), prefs.join('\n'));
  const service = await startService({
    name: 'firefox',
    command,
    // System access lets the tests read the browser's reports on scripts and policies.
    args: ['--headless', '--marionette', '--remote-allow-system-access', '--no-remote', '--profile', profile],
    env: {
      HOME: profile,
      MOZ_HEADLESS_WIDTH: String(WINDOW.width),
      MOZ_HEADLESS_HEIGHT: String(WINDOW.height),
    },
    ready: /Listening on port (\d+)/,
    readyTimeoutMs: 60_000,
  });
  const end = async (): Promise<void> => {
    await service.stop();
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    return await session(await connectMarionette(Number(service.url)), end);
  } catch (error) {
    await end();
    throw error;
  }
}

async function session({ send, close }: Marionette, end: () => Promise<void>): Promise<Firefox> {
  const opened = (await send('WebDriver:NewSession', { capabilities: {} })) as {
    capabilities: { browserVersion: string };
  };
  await send('WebDriver:SetTimeouts', { script: SCRIPT_TIMEOUT_MS });
  await send('WebDriver:SetWindowRect', WINDOW);
  const authenticatorId = await send('WebAuthn:AddVirtualAuthenticator', AUTHENTICATOR);

  const evaluate = async <T>(body: string, ...args: unknown[]): Promise<T> => {
    // Returns a rejection as an answer, because the driver would only pass on its text.
    const script = `
      const done = arguments[arguments.length - 1];
      const run = async (...args) => { ${body} };
      run(...[...arguments].slice(0, -1)).then(
        (value) => done({ value }), (error) => done({ error: String(error?.stack ?? error) + ' ' + error }));`;
    const outcome = (await send(SCRIPT, { script, args, sandbox: null })) as {
      value?: T;
      error?: string;
    } | null;
    if (!outcome) throw new WebDriverError(SCRIPT, 'javascript error', 'the document was unloaded');
    if (outcome.error !== undefined) throw new Error(outcome.error);
    return outcome.value as T;
  };
  const act = (actions: object): Promise<unknown> => send('WebDriver:PerformActions', { actions: [actions] });

  return {
    version: opened.capabilities.browserVersion,
    open: async (url) => void (await send('WebDriver:Navigate', { url })),
    toPage: async () => void (await send('WebDriver:SwitchToFrame', {})),
    intoFrame: async (frame) =>
      void (await send('WebDriver:SwitchToFrame', { element: Object.values(frame)[0] })),
    find: (selector, ...names) => evaluate(FIND, selector, ...names),
    press: async (element) => {
      try {
        if (!(await evaluate<boolean>(UNCOVER, element))) return false;
        const move = { type: 'pointerMove', duration: 0, origin: element, x: 0, y: 0 };
        const press = [
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ];
        await act({ type: 'pointer', id: 'mouse', actions: [move, ...press] });
        return true;
      } catch (error) {
        if (isGone(error)) return false;
        throw error;
      }
    },
    type: async (text) => {
      const keys = [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]);
      await act({ type: 'key', id: 'keyboard', actions: keys });
    },
    evaluate,
    windows: async () => (await send('WebDriver:GetWindowHandles')) as string[],
    window: async () => (await send('WebDriver:GetWindowHandle')) as string,
    toWindow: async (handle) => void (await send('WebDriver:SwitchToWindow', { handle })),
    setAgrees: async (isUserVerified) =>
      void (await send('WebAuthn:SetUserVerified', { authenticatorId, isUserVerified })),
    problems: async (origins) => {
      await send('Marionette:SetContext', { value: 'chrome' });
      try {
        return await evaluate<string[]>(PROBLEMS, ...origins);
      } finally {
        await send('Marionette:SetContext', { value: 'content' });
      }
    },
    screenshot: async (path) => {
      const png = (await send('WebDriver:TakeScreenshot', { full: false })) as string;
      await writeFile(path, Buffer.from(png, 'base64'));
    },
    stop: async () => {
      close();
      await end();
    },
  };
}
