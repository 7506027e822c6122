/** A WebKitGTK with software passkeys, on a display of its own. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SoftwarePasskeys } from '../../dev/authenticators/software-passkeys.js';
import { freePort } from '../../dev/services/ports.js';
import { startService } from '../../dev/services/service.js';
import { webkitPaths } from '../../scripts/webkit.mjs';
import { actionsOver, type Browser, WINDOW } from '../engines/browser.js';
import { startProxy } from './proxy.js';
import { openSession } from './webdriver.js';

/** Large enough for a wide window at any zoom. */
const SCREEN = '2400x2400x24';

const RESIZE_TIMEOUT_MS = 20_000;
/** The width of a page that has been drawn. */
const DRAWN_WIDTH = `
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  return innerWidth;`;

export interface WebKitOptions {
  /** Whether the user prefers dark. Default false. */
  readonly isDark?: boolean;
  /** Whether the user wants less motion. Default true. */
  readonly isStill?: boolean;
  /** Whether documents in frames may store anything. Default true. */
  readonly hasFrameStorage?: boolean;
  /** CSS pixels are this many times larger. MiniBrowser's window is at least 447 pixels wide, so 1.5 makes 320 possible. */
  readonly zoom?: number;
}

/** WebKitGTK under test. */
export interface WebKit extends Browser {
  readonly passkeys: SoftwarePasskeys;
  /**
   * Resizes this window, in CSS pixels, and switches to its page, which has been drawn in the new width then. The browser's own
   * toolbar is part of the height.
   */
  resize(size: { width: number; height: number }): Promise<void>;
}

/** Starts the WebKitGTK that set-up found. */
export async function startWebKit({
  isDark = false,
  isStill = true,
  hasFrameStorage = true,
  zoom = 1,
}: WebKitOptions = {}): Promise<WebKit> {
  const paths = webkitPaths();
  if (!paths)
    throw new Error('There is no WebKitGTK here: CI=1 scripts/setup.sh tests installs one where it can.');
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    const home = await mkdtemp(join(tmpdir(), 'latchkey-webkit-'));
    stops.push(() => rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
    const settings = join(home, '.config/gtk-3.0');
    await mkdir(settings, { recursive: true });
    await writeFile(join(settings, 'settings.ini'), `[Settings]\ngtk-enable-animations=${isStill ? 0 : 1}\n`);
    const display = await startService({
      name: 'Xvfb',
      command: paths.display,
      args: ['-displayfd', '1', '-screen', '0', SCREEN, '-nolisten', 'tcp'],
      ready: /^(\d+)$/,
    });
    stops.push(() => display.stop());
    const proxy = await startProxy(hasFrameStorage);
    stops.push(() => proxy.stop());
    const port = await freePort();
    const driver = await startService({
      name: 'WebKitWebDriver',
      // The driver prints nothing when it listens.
      command: '/bin/sh',
      args: ['-c', 'echo started && exec "$0" "$@"', paths.driver, `--port=${port}`, '--host=127.0.0.1'],
      env: {
        HOME: home,
        XDG_CONFIG_HOME: join(home, '.config'),
        DISPLAY: `:${display.url}`,
        NO_AT_BRIDGE: '1',
        // WebKit zooms its pages with the size of the fonts.
        GDK_DPI_SCALE: String(zoom),
      },
      ready: /^(started)$/,
    });
    stops.push(() => driver.stop());
    const session = await openSession(`http://127.0.0.1:${port}`, {
      'webkitgtk:browserOptions': {
        binary: paths.browser,
        args: ['--automation', `--proxy=${proxy.url}`, ...(isDark ? ['--dark-mode'] : [])],
      },
    });
    stops.push(() => session.end());
    const setSize: WebKit['resize'] = ({ width, height }) =>
      session.resize({ width: Math.round(width * zoom), height: Math.round(height * zoom) });
    await setSize(WINDOW);
    const actions = actionsOver(session.driver, zoom);
    // The driver answers before the document has its new size, and a press would miss what moves.
    const resize: WebKit['resize'] = async (size) => {
      await setSize(size);
      await actions.toPage();
      for (const deadline = Date.now() + RESIZE_TIMEOUT_MS; ; ) {
        const width = await actions.evaluate<number>(DRAWN_WIDTH);
        if (width === size.width) return;
        if (Date.now() >= deadline)
          throw new Error(`A page of ${width} pixels was not drawn in ${size.width}.`);
      }
    };
    return {
      ...actions,
      engine: 'webkit',
      version: session.version,
      setAgrees: async (agrees) => {
        proxy.passkeys.agrees = agrees;
      },
      problems: async (origins) =>
        proxy.reports.filter((report) => origins.some((origin) => report.startsWith(origin))),
      passkeys: proxy.passkeys,
      resize,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
