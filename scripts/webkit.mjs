// Finds a WebKitGTK for the tests, with its WebDriver and the X server that it draws on: Debian's. WEBKIT_PATH names
// another browser of WebKitGTK. As a script, prints the browser's path, or exits with 1 if one of the three is missing.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const BROWSERS = [
  '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser',
  '/usr/lib/aarch64-linux-gnu/webkit2gtk-4.1/MiniBrowser',
  '/usr/libexec/webkit2gtk-4.1/MiniBrowser',
];
const DRIVER = '/usr/bin/WebKitWebDriver';
const DISPLAY = '/usr/bin/Xvfb';

/** @returns {{ browser: string, driver: string, display: string } | undefined} the paths of all three */
export function webkitPaths() {
  const browser = [process.env.WEBKIT_PATH, ...BROWSERS].find((path) => path && existsSync(path));
  if (!browser || !existsSync(DRIVER) || !existsSync(DISPLAY)) return undefined;
  return { browser, driver: DRIVER, display: DISPLAY };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const paths = webkitPaths();
  if (!paths) process.exit(1);
  console.log(paths.browser);
}
