/**
 * A made project's own test, `npm test`, in this repository's Chromium and at free ports. Usage: node --import tsx
 * own-test.ts <project>
 */
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../../dev/services/ports.js';
import { chromiumPath } from '../../../scripts/chromium.mjs';

const [project = ''] = process.argv.slice(2);
/** The app's port in the scripts of every template. */
const EXAMPLE_PORT = '5180';

const { scripts } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
const port = String(await freePort());
const url = `http://localhost:${port}`;
const dev = `npx ${(scripts.dev as string).replaceAll(EXAMPLE_PORT, port)}`;
const config = `
  import config from './playwright.config';
  export default {
    ...config,
    use: { ...config.use, baseURL: '${url}', launchOptions: { executablePath: '${await chromiumPath()}' } },
    webServer: { ...config.webServer, url: '${url}', command: ${JSON.stringify(dev)} },
  };
`;
await writeFile(join(project, 'packaging.config.ts'), config);
const relay = await freePort();
const ports = { RELAY_PORT: relay, WALLET_PORT: await freePort(), CHAIN_PORT: await freePort() };
const env = Object.fromEntries(Object.entries(ports).map(([name, free]) => [name, String(free)]));
execFileSync('npm', ['test', '--', '--config', 'packaging.config.ts'], {
  cwd: project,
  env: { ...process.env, ...env, NEXT_TELEMETRY_DISABLED: '1' },
  stdio: ['ignore', process.stderr, 'inherit'],
});

const written = await readFile(join(project, '.env'), 'utf8');
if (!written.includes(`\nRELAY_URL=http://localhost:${relay}\n`)) throw new Error(`.env says ${written}`);
