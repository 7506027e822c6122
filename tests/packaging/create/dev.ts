/**
 * Made projects as their README starts them: `npm run demo -- --host ORIGIN` in this repository, `npm run dev` in each of them, and a
 * user in Chromium from a registration to a payment. Usage: node --import tsx dev.ts <folder> <template>...
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../../dev/services/ports.js';
import { type Service, startService } from '../../../dev/services/service.js';
import { ROOT } from '../../../dev/services/services.js';
import { walletOriginAt } from '../../../dev/wallet/wallet-origin.js';
import { launchChromium } from '../../support/browser.js';
import { localOracle } from '../../support/oracle.js';
import { EXAMPLE, fillIn, registerAndPay, requirePaid, SERVES, startScript } from './project.js';

const [folder = '', ...templates] = process.argv.slice(2);
const stops: (() => Promise<void>)[] = [];
const kept = (service: Service): Service => {
  stops.push(service.stop);
  return service;
};

/** A made project without its .env says so on its page. */
async function saysThatNothingIsSet(project: string, port: number): Promise<void> {
  await rm(join(project, '.env'), { force: true });
  const { url, stop } = await startScript(project, 'dev', port, SERVES);
  try {
    await (await fetch(url)).text();
    const page = await browser.newPage();
    await page.goto(url);
    await page.getByText('not set. Copy .env.example to .env, then start again.').waitFor();
    await page.close();
  } finally {
    await stop();
  }
}

const browser = await launchChromium();
stops.push(() => browser.close());
try {
  const ports = { APP_PORT: '', WALLET_PORT: '', RELAY_PORT: '', CHAIN_PORT: '' };
  for (const name of Object.keys(ports) as (keyof typeof ports)[]) ports[name] = String(await freePort());
  const walletOrigin = walletOriginAt(Number(ports.WALLET_PORT));
  const chainUrl = `http://127.0.0.1:${ports.CHAIN_PORT}`;
  const values = {
    [EXAMPLE.wallet]: walletOrigin,
    [EXAMPLE.relay]: `http://localhost:${ports.RELAY_PORT}`,
    [EXAMPLE.chain]: chainUrl,
  };
  const apps = [];
  for (const template of templates) apps.push({ template, port: await freePort() });

  const hosts = apps.flatMap(({ port }) => ['--host', `http://localhost:${port}`]);
  const demo = { name: 'demo', command: join(ROOT, 'scripts/demo.sh'), args: ['--fresh', ...hosts] };
  const env = { ...ports, LATCHKEY_DATA: join(folder, 'demo-data') };
  kept(await startService({ ...demo, env, ready: /chain\s+(http:\/\/\S+)\s+registry/ }));
  // They wait for blocks of 600 ms, so they wait together.
  const driven = apps.map(async ({ template, port }) => {
    const project = join(folder, `my-${template}`);
    await saysThatNothingIsSet(project, port);
    await fillIn(project, values);
    const { url } = kept(await startScript(project, 'dev', port, SERVES));
    // Next compiles a page at its first request, which takes longer than a browser's test waits on a busy machine.
    await (await fetch(url)).text();
    await requirePaid(localOracle(chainUrl), await registerAndPay(browser, template, url, walletOrigin));
  });
  await Promise.all(driven);
} finally {
  for (const stop of stops.reverse()) await stop();
}
