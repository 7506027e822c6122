import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { chainProgram, registryContract, serverCommand } from './places.js';

test('the registry and the commands are those of latchkey-server', () => {
  expect(existsSync(registryContract())).toBe(true);
  expect(serverCommand('latchkey-relay')).toMatch(/dist\/platform\/cli\.js$/);
});

test('LATCHKEY_CHAIN names the program, if there is one', () => {
  expect(chainProgram({ LATCHKEY_CHAIN: process.execPath })).toBe(process.execPath);
  expect(() => chainProgram({ LATCHKEY_CHAIN: '/nonexistent/chain' })).toThrow(
    'LATCHKEY_CHAIN names /nonexistent/chain, and there is no such file.',
  );
});

test('without a program, one sentence names the platforms and every way out', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-places-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  // As in an installed package: no repository above.
  const module = join(folder, 'node_modules/latchkey-dev/dist/services/places.ts');
  await mkdir(join(module, '..'), { recursive: true });
  await cp(new URL('./places.ts', import.meta.url), module);
  const installed = (await import(pathToFileURL(module).href)) as typeof import('./places.js');
  expect(() => installed.chainProgram({})).toThrow(
    /^There is no local chain for \S+ \S+ here\..*Linux.*macOS.*WSL2.*cargo install.*LATCHKEY_CHAIN.*--rpc URL --key/,
  );
});
