// Finds a Firefox for the tests: FIREFOX_PATH, Debian's, or macOS's.
// As a script, prints the path, or exits with 1 if there is none.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @returns {string | undefined} the executable's path */
export function firefoxPath() {
  const candidates = [
    process.env.FIREFOX_PATH,
    '/usr/bin/firefox-esr',
    '/Applications/Firefox.app/Contents/MacOS/firefox',
  ];
  return candidates.find((path) => path && existsSync(path));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = firefoxPath();
  if (!path) process.exit(1);
  console.log(path);
}
