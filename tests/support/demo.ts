// The demo command, in a folder and at ports of its own.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../dev/services/ports.js';
import { ROOT } from '../../dev/services/services.js';

/** Printed once everything has started. */
export const STARTED = 'Ctrl-C ends all of it';

export interface Demo {
  output(): string;
  readonly exit: Promise<number | null>;
  /** Presses Ctrl-C. */
  interrupt(): void;
}

/** Where demo commands run one after the other. */
export interface DemoPlace {
  /** The folder of the chain and of the lock key. */
  readonly data: string;
  readonly relayPort: number;
  readonly appUrl: string;
  readonly walletUrl: string;
  readonly relayUrl: string;
  readonly chainUrl: string;
  start(...args: string[]): Demo;
  remove(): Promise<void>;
}

export async function makeDemoPlace(): Promise<DemoPlace> {
  // Where a developer has it: below the workspace's root, of which Vite serves files.
  const kept = join(ROOT, '.latchkey');
  await mkdir(kept, { recursive: true });
  const data = await mkdtemp(join(kept, 'test-'));
  const [app, wallet, relay, chain] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const ports = { APP_PORT: app, WALLET_PORT: wallet, RELAY_PORT: relay, CHAIN_PORT: chain };
  const env = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]));
  return {
    data,
    relayPort: relay,
    appUrl: `http://localhost:${app}`,
    walletUrl: `http://wallet.localhost:${wallet}`,
    relayUrl: `http://localhost:${relay}`,
    chainUrl: `http://127.0.0.1:${chain}`,
    start(...args) {
      let output = '';
      const child = spawn(process.execPath, ['--import', 'tsx', 'demo/dev.ts', ...args], {
        cwd: ROOT,
        env: { ...process.env, LATCHKEY_DATA: data, ...env },
      });
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          output += chunk;
        });
      return {
        output: () => output,
        exit: new Promise((resolve) => child.once('exit', resolve)),
        interrupt: () => void child.kill('SIGINT'),
      };
    },
    remove: () => rm(data, { recursive: true, force: true }),
  };
}

/** The addresses that still answer. */
export async function stillAnswering({
  appUrl,
  walletUrl,
  relayUrl,
  chainUrl,
}: DemoPlace): Promise<string[]> {
  const urls = [appUrl, walletUrl.replace('wallet.', ''), relayUrl, chainUrl];
  const answers = await Promise.all(
    urls.map((url) =>
      fetch(url).then(
        () => [url],
        () => [],
      ),
    ),
  );
  return answers.flat();
}
