/**
 * What a client must know of a registry, and which one a contract is: ours, by the interface that it names, or the other one
 * that testnet has. Loaded by the first registration or linking, and by the first view that the contract fails.
 */
import * as v from 'valibot';
import type { OriginPolicy } from '../config.js';
import {
  CONTRACT_STATE_FAILED,
  isLatchkeyError,
  type LACKING_IN_REGISTRY,
  LatchkeyError,
  lacks,
  REGISTRY_UNKNOWN,
} from '../errors/account.js';
import { type RpcFailureKind, rpcFailure } from '../near/index.js';
import type { RegistryAt } from './registry-at.js';

/** What a client must know of a registry. */
export interface RegistryCapabilities {
  /** Returns the origin policy as the registry spells it. */
  originPolicy(policy: OriginPolicy): unknown;
  /** Whether a registration attaches `get_registration_cost`. Otherwise the registry pays, and a linking may attach nothing. */
  readonly chargesStorage: boolean;
  /**
   * What a removal of a device and a linking attach, in yoctoNEAR: '1' where the registry wants it, so that no app key can
   * sign them, else '0'.
   */
  readonly changeDeposit: '0' | '1';
  /** Whether the deposit of a refused registration returns to the caller. */
  readonly refundsRefused: boolean;
  /** Whether it has a list of allowed hosts. */
  readonly listsHosts: boolean;
  /** Whether it records a passkey that an account has already, by `register_existing_passkey`. */
  readonly registersExisting: boolean;
  /** Throws REGISTRY_LACKS if the registry accepts no passkey of this page. */
  assertAccepting(): void;
}

/** The standard that our registry names in its metadata (NEP-330). */
const STANDARD = 'latchkey-registry';
/** The first number of the standard's version that this client speaks. */
const VERSION = '2';
/** The least second number of that version with `register_existing_passkey`. */
const REGISTERS_EXISTING = 1;

const Metadata = v.looseObject({
  standards: v.array(v.looseObject({ standard: v.string(), version: v.string() })),
});
const Settings = v.looseObject({ max_block_age: v.number() });

const OURS: Omit<RegistryCapabilities, 'registersExisting'> = {
  originPolicy: (policy) => policy,
  chargesStorage: true,
  changeDeposit: '1',
  refundsRefused: true,
  listsHosts: true,
  assertAccepting: () => undefined,
};

const known = new WeakMap<RegistryAt['config'], Promise<RegistryCapabilities>>();

/**
 * Reads what a client must know of the registry, once for each configuration. Throws REGISTRY_UNKNOWN for a contract
 * that is no registry or speaks another version, and the node's error where the chain does not answer.
 */
export function readCapabilities(at: RegistryAt): Promise<RegistryCapabilities> {
  const earlier = known.get(at.config);
  if (earlier) return earlier;
  const reading = ask(at);
  known.set(at.config, reading);
  reading.catch(() => known.delete(at.config));
  return reading;
}

async function ask(at: RegistryAt): Promise<RegistryCapabilities> {
  const metadata = v.safeParse(Metadata, await answer(at, 'contract_source_metadata'));
  const standards = metadata.success ? metadata.output.standards : [];
  const version = standards.find(({ standard }) => standard === STANDARD)?.version;
  if (version !== undefined) {
    const [major, minor] = version.split('.');
    if (major === VERSION) return { ...OURS, registersExisting: Number(minor) >= REGISTERS_EXISTING };
    throw unknown(at, `it speaks version ${version} of the interface, and this wallet version ${VERSION}`);
  }
  if (v.is(v.string(), await answer(at, 'get_registration_cost'))) {
    throw unknown(
      at,
      `it is from before its interface had a version, and this wallet speaks version ${VERSION}`,
    );
  }
  if (v.is(Settings, await answer(at, 'get_vrf_settings'))) {
    const { otherCapabilities } = await import('./other-registry.js');
    return otherCapabilities(at.config);
  }
  throw unknown(at, 'it names no interface and has no settings that can be read');
}

/** The JSON that a view without arguments returns; undefined if the contract fails it. */
async function answer({ rpc, config }: RegistryAt, method: string): Promise<unknown> {
  try {
    return await rpc.callFunctionJson(v.unknown(), config.contractId, method, {}, { agreed: true });
  } catch (error) {
    if (rpcFailure(error)?.kind === 'contract') return undefined;
    throw absence({ config }, error) ?? error;
  }
}

const ABSENT: ReadonlySet<RpcFailureKind | undefined> = new Set(['no_contract', 'unknown_account']);

/** REGISTRY_UNKNOWN for a view of an account that holds no contract, or does not exist; undefined for another failure. */
function absence(at: Pick<RegistryAt, 'config'>, error: unknown): LatchkeyError | undefined {
  const isAbsent = ABSENT.has(rpcFailure(error)?.kind);
  return isAbsent ? unknown(at, 'no contract is deployed there', error) : undefined;
}

/**
 * The error for a view that the contract failed, or that met none: REGISTRY_UNKNOWN, REGISTRY_LACKS,
 * CONTRACT_STATE_FAILED if no view can read the state, or else `error` itself.
 */
export async function registryError(
  at: RegistryAt,
  error: unknown,
  lacking?: keyof typeof LACKING_IN_REGISTRY,
): Promise<unknown> {
  const absent = absence(at, error);
  if (absent || rpcFailure(error)?.kind !== 'contract') return absent ?? error;
  try {
    const { listsHosts } = await readCapabilities(at);
    if (lacking === 'allowedHosts' && !listsHosts) return lacks(at.config, lacking);
    const settings = await answer(at, 'get_vrf_settings');
    return settings === undefined ? new LatchkeyError(CONTRACT_STATE_FAILED, { cause: error }) : error;
  } catch (cause) {
    return isLatchkeyError(cause, 'REGISTRY_UNKNOWN') ? cause : error;
  }
}

function unknown({ config }: Pick<RegistryAt, 'config'>, reason: string, cause?: unknown): LatchkeyError {
  return new LatchkeyError(REGISTRY_UNKNOWN, { values: { registry: config.contractId, reason }, cause });
}
