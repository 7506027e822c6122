/** A contract with both kinds of tokens, built from near-contract-standards by `scripts/build.sh contract-tokens`. */
import { readFile } from 'node:fs/promises';
import { actions, KeyPair } from 'near-api-js';
import { developmentKey } from '../../dev/services/keys.js';
import { builtContract } from '../support/contracts.js';
import type { Oracle } from '../support/oracle.js';

/** Creates `contractId`, below `testnet`, with 1000 coins of two decimals and the tokens 1, 2 and 3, all of this owner. */
export async function deployTokens(oracle: Oracle, contractId: string, owner: string): Promise<void> {
  await oracle.accountAs('testnet').signAndSendTransaction({
    receiverId: contractId,
    actions: [
      actions.createAccount(),
      actions.transfer(10n * 10n ** 24n),
      actions.addFullAccessKey(KeyPair.fromString(developmentKey(contractId)).getPublicKey()),
      actions.deployContract(await readFile(builtContract('tokens.wasm'))),
    ],
    waitUntil: 'FINAL',
  });
  await oracle.accountAs(contractId).callFunction({
    contractId,
    methodName: 'new',
    args: { owner_id: owner, total_supply: '100000', token_ids: ['1', '2', '3'] },
    waitUntil: 'FINAL',
  });
}
