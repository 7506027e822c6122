/** A session of a W3C WebDriver that listens on HTTP. */
import { type Driver, type ElementRef, WebDriverError } from '../engines/browser.js';

const START_TIMEOUT_MS = 20_000;
const POLL_MS = 50;
const SCRIPT_TIMEOUT_MS = 15_000;
/** A driver whose window has gone may never answer. */
const COMMAND_TIMEOUT_MS = 30_000;

export interface Session {
  readonly version: string;
  readonly driver: Driver;
  resize(size: { width: number; height: number }): Promise<void>;
  end(): Promise<void>;
}

/** Opens a session at the driver, once it listens. */
export async function openSession(url: string, alwaysMatch: object): Promise<Session> {
  await listening(url);
  const opened = (await ask(url, 'POST', '/session', { capabilities: { alwaysMatch } })) as {
    sessionId: string;
    capabilities: { browserVersion: string };
  };
  const own = `/session/${opened.sessionId}`;
  const get = (path: string) => ask(url, 'GET', own + path);
  const post = (path: string, body: object = {}) => ask(url, 'POST', own + path, body);
  await post('/timeouts', { script: SCRIPT_TIMEOUT_MS });
  return {
    version: opened.capabilities.browserVersion,
    resize: async (size) => void (await post('/window/rect', size)),
    end: async () => void (await ask(url, 'DELETE', own)),
    driver: {
      navigate: async (to) => void (await post('/url', { url: to })),
      executeAsync: (script, args) => post('/execute/async', { script, args }),
      performActions: async (actions) => void (await post('/actions', { actions: [actions] })),
      chooseFile: async (element, path) =>
        void (await post(`/element/${Object.values(element)[0]}/value`, { text: path })),
      switchToFrame: async (frame: ElementRef | null) => void (await post('/frame', { id: frame })),
      windowHandles: async () => (await get('/window/handles')) as string[],
      windowHandle: async () => (await get('/window')) as string,
      switchToWindow: async (handle) => void (await post('/window', { handle })),
      newWindow: async () => ((await post('/window/new', { type: 'window' })) as { handle: string }).handle,
      takeScreenshot: async () => (await get('/screenshot')) as string,
    },
  };
}

async function listening(url: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      await ask(url, 'GET', '/status');
      return;
    } catch (error) {
      if (Date.now() >= deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}

async function ask(url: string, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(url + path, {
    method,
    signal: AbortSignal.timeout(COMMAND_TIMEOUT_MS),
    ...(body && { body: JSON.stringify(body) }),
  });
  const { value } = (await response.json()) as { value: unknown };
  if (response.ok) return value;
  const { error, message } = value as { error: string; message: string };
  throw new WebDriverError(`${method} ${path.replace(/^\/session\/[^/]+/, '')}`, error, message);
}
