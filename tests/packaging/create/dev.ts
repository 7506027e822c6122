/**
 * Made projects as their README starts them: a stack of latchkey-dev, `npm run dev` in each of them, and a
 * user in Chromium from a registration to a payment. Usage: node --import tsx dev.ts <folder> <template>...
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../../dev/services/ports.js';
import type { Service } from '../../../dev/services/service.js';
import { startStack } from '../../../dev/stack/stack.js';
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
  const apps = [];
  for (const template of templates) apps.push({ template, port: await freePort() });

  const hosts = apps.map(({ port }) => `http://localhost:${port}`);
  const ports = { relay: 0, chain: 0, wallet: 0 };
  const { addresses, stop } = await startStack({ data: join(folder, 'dev-data'), hosts, ports });
  stops.push(stop);
  const { relayUrl, rpcUrls } = addresses;
  const walletOrigin = addresses.walletOrigin ?? '';
  const [chainUrl = ''] = rpcUrls;
  const values = {
    [EXAMPLE.wallet]: walletOrigin,
    [EXAMPLE.relay]: relayUrl,
    [EXAMPLE.chain]: chainUrl,
  };
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
