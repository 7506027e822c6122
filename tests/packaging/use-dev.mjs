// `latchkey-dev` installed from the tarballs: its command starts a stack outside of this repository and runs a program with it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../dev/dist/services/ports.js';
import { developerEnv, fail, good, run } from './tools.mjs';

/** Asks what the variables name, and prints the answers. */
const ASK = `
  const { RELAY_URL, WALLET_ORIGIN, NEAR_RPC_URL } = process.env;
  const page = WALLET_ORIGIN.replace('wallet.localhost', 'localhost') + '/wallet-service/?host=http://localhost:5180';
  const rpc = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'status', params: [] });
  const answers = [await fetch(RELAY_URL + '/readyz'), await fetch(page), await fetch(NEAR_RPC_URL, { ...rpc, body })];
  console.log('answers', answers.map(({ status }) => status).join(' '));
`;

/** Installs the packages in an empty project, and runs the command there. */
export async function useDev(folder, tarballs) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  run('npm', ['install', ...quiet, ...tarballs], folder);
  const ports = [];
  for (const name of ['relay', 'wallet', 'chain']) ports.push(`--${name}-port=${await freePort()}`);
  const command = ['latchkey-dev', ...ports, '--host', 'http://localhost:5180', '--'];
  const said = run('npx', [...command, 'node', '--input-type=module', '-e', ASK], folder, developerEnv());
  if (!said.includes('answers 200 200 200')) fail(`npx latchkey-dev says ${said}`);
  good('npx latchkey-dev: chain, relay and wallet answer, and end with the program after --');
}
