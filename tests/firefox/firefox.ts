/** A Firefox with a virtual passkey. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../../dev/services/service.js';
import { firefoxPath } from '../../scripts/firefox.mjs';
import { actionsOver, type Browser, WINDOW } from '../engines/browser.js';
import { connectMarionette, type Marionette } from './marionette.js';

const SCRIPT_TIMEOUT_MS = 120_000;
const PREFS = {
  // A free port, which Firefox reports.
  'marionette.port': 0,
  'security.webauth.webauthn_enable_softtoken': true,
  'security.webauth.webauthn_enable_usbtoken': false,
  'ui.prefersReducedMotion': 1,
  // The user refuses the camera.
  'permissions.default.camera': 2,
};
const AUTHENTICATOR = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserConsenting: true,
  isUserVerified: true,
};
const PROBLEMS = `
  return Services.console.getMessageArray()
    .filter((message) => message instanceof Ci.nsIScriptError && !(message.flags & Ci.nsIScriptError.warningFlag))
    .filter(({ sourceName }) => args.some((origin) => sourceName.startsWith(origin)))
    .map(String);`;

/** Starts the Firefox that set-up found, headless, with its own temporary profile. */
export async function startFirefox(): Promise<Browser> {
  const command = firefoxPath();
  if (!command)
    throw new Error('There is no Firefox here: CI=1 scripts/setup.sh tests installs one where it can.');
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

async function session({ send, close }: Marionette, end: () => Promise<void>): Promise<Browser> {
  const opened = (await send('WebDriver:NewSession', { capabilities: {} })) as {
    capabilities: { browserVersion: string };
  };
  await send('WebDriver:SetTimeouts', { script: SCRIPT_TIMEOUT_MS });
  await send('WebDriver:SetWindowRect', WINDOW);
  const authenticatorId = await send('WebAuthn:AddVirtualAuthenticator', AUTHENTICATOR);

  const actions = actionsOver({
    navigate: async (url) => void (await send('WebDriver:Navigate', { url })),
    executeAsync: (script, args) => send('WebDriver:ExecuteAsyncScript', { script, args, sandbox: null }),
    performActions: async (actions) => void (await send('WebDriver:PerformActions', { actions: [actions] })),
    chooseFile: async (element, path) =>
      void (await send('WebDriver:ElementSendKeys', { id: Object.values(element)[0], text: path })),
    switchToFrame: async (frame) =>
      void (await send('WebDriver:SwitchToFrame', frame ? { element: Object.values(frame)[0] } : {})),
    windowHandles: async () => (await send('WebDriver:GetWindowHandles')) as string[],
    windowHandle: async () => (await send('WebDriver:GetWindowHandle')) as string,
    switchToWindow: async (handle) => void (await send('WebDriver:SwitchToWindow', { handle })),
    newWindow: async () =>
      ((await send('WebDriver:NewWindow', { type: 'window' })) as { handle: string }).handle,
    takeScreenshot: async () => (await send('WebDriver:TakeScreenshot', { full: false })) as string,
  });
  return {
    ...actions,
    engine: 'firefox',
    version: opened.capabilities.browserVersion,
    setAgrees: async (isUserVerified) =>
      void (await send('WebAuthn:SetUserVerified', { authenticatorId, isUserVerified })),
    problems: async (origins) => {
      await send('Marionette:SetContext', { value: 'chrome' });
      try {
        return await actions.evaluate<string[]>(PROBLEMS, ...origins);
      } finally {
        await send('Marionette:SetContext', { value: 'content' });
      }
    },
    stop: async () => {
      close();
      await end();
    },
  };
}
