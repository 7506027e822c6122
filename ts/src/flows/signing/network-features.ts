/** What transactions need that a network of an older protocol does not have: said before the prompt, not by the chain. */
import * as v from 'valibot';
import { INVALID_ACTION, LatchkeyError } from '../../errors/wallet.js';
import type { RpcClient } from '../../near/index.js';
import { lanesOf } from '../../near/key-permission.js';
import { isUniversalAccountId } from '../../near/universal-account.js';
import type { Action, TransactionRequest } from '../../types.js';
import type { FlowContext } from '../context.js';
import { warn } from '../warn.js';

interface Feature {
  readonly name: string;
  /** The protocol that brings it (near-primitives-core, `ProtocolFeature`). */
  readonly protocol: number;
}

const GAS_KEYS: Feature = { name: 'gas keys', protocol: 85 };
const ML_DSA_KEYS: Feature = { name: 'keys of ML-DSA-65', protocol: 85 };
const STRICT_NONCES: Feature = { name: 'strict nonces', protocol: 85 };
const UNIVERSAL_ACCOUNTS: Feature = { name: 'universal accounts', protocol: 88 };

const ProtocolSchema = v.looseObject({ protocol_version: v.pipe(v.number(), v.safeInteger()) });

/** The highest protocol that each network said: it never goes back. */
const known = new WeakMap<RpcClient, number>();

/**
 * Rejects with INVALID_ACTION, which names the feature and both protocols, if the network lacks what these need. Asks the
 * network only for transactions that need something, and once. If it cannot be asked, the chain decides later.
 */
export async function assertNetworkHas(
  { rpc, config }: Pick<FlowContext, 'rpc' | 'config'>,
  transactions: readonly TransactionRequest[],
): Promise<void> {
  const features = transactions.flatMap(featuresOf);
  const needed = Math.max(0, ...features.map(({ protocol }) => protocol));
  const protocol = await protocolFor({ rpc, config }, needed);
  const missing = features.find((feature) => feature.protocol > (protocol ?? 0));
  if (protocol === undefined || !missing) return;
  const reason = `This network does not have ${missing.name} yet: they come with protocol ${missing.protocol}, and it has ${protocol}`;
  throw new LatchkeyError(INVALID_ACTION, { values: { reason } });
}

/** Whether the network has gas keys; false also where it cannot be asked. */
export async function hasGasKeys(context: Pick<FlowContext, 'rpc' | 'config'>): Promise<boolean> {
  return ((await protocolFor(context, GAS_KEYS.protocol)) ?? 0) >= GAS_KEYS.protocol;
}

/** The protocol of the network, asked only where the known one is below `needed`; undefined where it cannot be asked. */
async function protocolFor(
  { rpc, config }: Pick<FlowContext, 'rpc' | 'config'>,
  needed: number,
): Promise<number | undefined> {
  const last = known.get(rpc);
  if (needed <= (last ?? 0)) return last ?? 0;
  try {
    const { protocol_version: protocol } = await rpc.protocolConfig(ProtocolSchema);
    known.set(rpc, protocol);
    return protocol;
  } catch (error) {
    warn(config, 'The protocol of the network could not be read', error);
    return undefined;
  }
}

/** What a transaction needs, in the order of its parts. */
export function featuresOf({ receiverId, actions, lane, nonceMode }: TransactionRequest): readonly Feature[] {
  return [
    ...(lane === undefined ? [] : [GAS_KEYS]),
    ...(nonceMode === 'Strict' ? [STRICT_NONCES] : []),
    ...(isUniversalAccountId(receiverId) ? [UNIVERSAL_ACCOUNTS] : []),
    ...actions.flatMap(featuresOfAction),
  ];
}

function featuresOfAction(action: Action): readonly Feature[] {
  const features: Feature[] = [];
  if ('publicKey' in action && action.publicKey.startsWith('ml-dsa-65:')) features.push(ML_DSA_KEYS);
  switch (action.type) {
    case 'AddKey':
      if (lanesOf(action.accessKey.permission) !== undefined) features.push(GAS_KEYS);
      break;
    case 'TransferToGasKey':
    case 'WithdrawFromGasKey':
      features.push(GAS_KEYS);
      break;
    case 'UniversalStateInit':
      features.push(UNIVERSAL_ACCOUNTS);
  }
  return features;
}
