// `latchkey-dev` installed from the tarballs: its command starts a stack outside of this repository and runs a program with it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../dev/dist/services/ports.js';
import { developerEnv, fail, good, root, run } from './tools.mjs';

/** Asks what the variables name, and prints the answers. */
const ASK = `
  const { RELAY_URL, WALLET_ORIGIN, NEAR_RPC_URL } = process.env;
  const page = WALLET_ORIGIN.replace('wallet.localhost', 'localhost') + '/wallet-service/?host=http://localhost:5180';
  const rpc = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'status', params: [] });
  const answers = [await fetch(RELAY_URL + '/readyz'), await fetch(page), await fetch(NEAR_RPC_URL, { ...rpc, body })];
  console.log('answers', answers.map(({ status }) => status).join(' '));
`;

const QUIET = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];

/** A test of an app, with each of the kit's entries. */
const SPEC = `
  import { approveUntil, expect, submitLoginMenu, test } from 'latchkey-dev/playwright';
  import { type Stack, startStack } from 'latchkey-dev/test';
  export const start = (): Promise<Stack> => startStack({ hosts: ['http://localhost:5180'] });
  test('a user registers', async ({ page, passkeys }) => {
    await submitLoginMenu(page, 'Register', 'alice');
    const shown: readonly string[] = await approveUntil(page, page.getByRole('heading'));
    expect([shown.length, passkeys.list().length]).toEqual([1, 1]);
  });
`;

/** Installs the packages in an empty project, and runs the command there. */
export async function useDev(folder, tarballs) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  run('npm', ['install', ...QUIET, ...tarballs], folder);
  useTestKit(folder);
  const ports = [];
  for (const name of ['relay', 'wallet', 'chain']) ports.push(`--${name}-port=${await freePort()}`);
  const command = ['latchkey-dev', ...ports, '--host', 'http://localhost:5180', '--'];
  const said = run('npx', [...command, 'node', '--input-type=module', '-e', ASK], folder, developerEnv());
  if (!said.includes('answers 200 200 200')) fail(`npx latchkey-dev says ${said}`);
  good('npx latchkey-dev: chain, relay and wallet answer, and end with the program after --');
}

/** The kit for tests: its stack without Playwright, and its entry for Playwright, which finds the fixtures. */
function useTestKit(folder) {
  const script = `
    const { stackSetup, startStack } = await import('latchkey-dev/test');
    if (typeof startStack !== 'function' || typeof stackSetup() !== 'function') throw new Error('exports are missing');
  `;
  run('node', ['--input-type=module', '-e', script], folder);
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  run('npm', ['install', ...QUIET, `@playwright/test@${devDependencies['@playwright/test']}`], folder);
  writeFileSync(join(folder, 'registers.spec.ts'), SPEC);
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022'];
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  run('node', [tsc, ...options, ...types, 'registers.spec.ts'], folder);
  const listed = run('npx', ['playwright', 'test', '--list'], folder);
  if (!listed.includes('a user registers')) fail(`Playwright finds ${listed}`);
  good(
    'latchkey-dev/test imports without Playwright; latchkey-dev/playwright compiles, and Playwright takes its test',
  );
}
