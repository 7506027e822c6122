import { join } from 'node:path';
import { actions, KeyPair } from 'near-api-js';
import { developmentKey } from '../../dev/services/keys.js';
import { ROOT } from '../../dev/services/services.js';
import type { Oracle } from './oracle.js';

/** The path of a contract that `scripts/build.sh` made. */
export const builtContract = (name: string): string => join(ROOT, 'build', name);

/** Creates `contractId`, below `testnet`, with this code. */
export async function deploy(oracle: Oracle, contractId: string, code: Uint8Array): Promise<void> {
  await oracle.accountAs('testnet').signAndSendTransaction({
    receiverId: contractId,
    actions: [
      actions.createAccount(),
      actions.transfer(10n * 10n ** 24n),
      actions.addFullAccessKey(KeyPair.fromString(developmentKey(contractId)).getPublicKey()),
      actions.deployContract(code),
    ],
    waitUntil: 'FINAL',
  });
}

/** Has `contractId` call itself. */
export async function call(
  oracle: Oracle,
  contractId: string,
  methodName: string,
  args: object,
): Promise<void> {
  await oracle
    .accountAs(contractId)
    .callFunction({ contractId, methodName, args: args as Record<string, unknown>, waitUntil: 'FINAL' });
}
