/** A WebKitGTK with software passkeys, on a display of its own. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../demo/stack/ports.js';
import { startService } from '../../demo/stack/service.js';
import { webkitPaths } from '../../scripts/webkit.mjs';
import { actionsOver, type Browser, WINDOW } from '../engines/browser.js';
import { startProxy } from './proxy.js';
import { openSession } from './webdriver.js';

const SCREEN = '1600x1100x24';

/** Starts the WebKitGTK that set-up found. */
export async function startWebKit(): Promise<Browser> {
  const paths = webkitPaths();
  if (!paths) throw new Error('There is no WebKitGTK here: scripts/setup.sh installs one where it can.');
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    const home = await mkdtemp(join(tmpdir(), 'latchkey-webkit-'));
    stops.push(() => rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
    const settings = join(home, '.config/gtk-3.0');
    await mkdir(settings, { recursive: true });
    // Reduced motion.
    await writeFile(join(settings, 'settings.ini'), '[Settings]\ngtk-enable-animations=0\n');
    const display = await startService({
      name: 'Xvfb',
      command: paths.display,
      args: ['-displayfd', '1', '-screen', '0', SCREEN, '-nolisten', 'tcp'],
      ready: /^(\d+)$/,
    });
    stops.push(() => display.stop());
    const proxy = await startProxy();
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
      },
      ready: /^(started)$/,
    });
    stops.push(() => driver.stop());
    const session = await openSession(`http://127.0.0.1:${port}`, {
      'webkitgtk:browserOptions': {
        binary: paths.browser,
        args: ['--automation', `--proxy=${proxy.url}`],
      },
    });
    stops.push(() => session.end());
    await session.resize(WINDOW);
    return {
      ...actionsOver(session.driver),
      engine: 'webkit',
      version: session.version,
      setAgrees: async (agrees) => {
        proxy.passkeys.agrees = agrees;
      },
      problems: async (origins) =>
        proxy.reports.filter((report) => origins.some((origin) => report.startsWith(origin))),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
