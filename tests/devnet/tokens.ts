/** Contracts of tokens on the local chain: honest ones, built by `scripts/build.sh contract-tokens`, and one that says anything. */
import { readFile } from 'node:fs/promises';
import binaryen from 'binaryen';
import { builtContract, call, deploy } from '../support/contracts.js';
import type { Oracle } from '../support/oracle.js';

/** Creates `contractId`, below `testnet`, with 1000 coins of two decimals and the tokens 1, 2 and 3, all of this owner. */
export async function deployTokens(oracle: Oracle, contractId: string, owner: string): Promise<void> {
  await deploy(oracle, contractId, await readFile(builtContract('tokens.wasm')));
  const args = { owner_id: owner, total_supply: '100000', token_ids: ['1', '2', '3'] };
  await call(oracle, contractId, 'new', args);
}

/** Creates `contractId`, below `testnet`, which wraps NEAR as wrap.near does. */
export async function deployWrappedNear(oracle: Oracle, contractId: string): Promise<void> {
  await deploy(oracle, contractId, await readFile(builtContract('wnear.wasm')));
  await call(oracle, contractId, 'new', {});
}

/** Creates `contractId`, below `testnet`, whose token says this of itself, and has 5 units for everyone. */
export async function deploySaying(oracle: Oracle, contractId: string, metadata: object): Promise<void> {
  const module = binaryen.parseText(await readFile(new URL('says.wat', import.meta.url), 'utf8'));
  await deploy(oracle, contractId, module.emitBinary());
  module.dispose();
  await call(oracle, contractId, 'say', metadata);
}
