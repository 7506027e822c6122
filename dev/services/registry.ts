import { Account, JsonRpcProvider, KeyPairSigner } from 'near-api-js';
import { developmentKey } from './keys.js';
import { REGISTRY } from './services.js';

/** The node of a local chain that does not lag and has no faults, by the chain's address. */
export const steadyNode = (chainUrl: string): string => new URL('/admin/rpc', chainUrl).href;

/** Calls the registry as its owner, with the 1 yoctoNEAR that each change wants; returns when final. */
export async function administerRegistry(
  rpcUrl: string,
  methodName: string,
  args: object,
  registry = REGISTRY,
): Promise<void> {
  const signer = KeyPairSigner.fromSecretKey(developmentKey(registry));
  const owner = new Account(registry, new JsonRpcProvider({ url: rpcUrl }), signer);
  await owner.callFunction({ contractId: registry, methodName, args, deposit: 1n, waitUntil: 'FINAL' });
}
