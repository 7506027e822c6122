/** The registry's views that only linking a device needs, which loads them. */
import * as v from 'valibot';
import { executionFailure, returnedBytes, type TransactionOutcome } from '../near/index.js';
import { parseReturnedJson } from '../near/rpc-answer.js';
import { deviceCounter, readCapabilities } from './registry.js';
import type { RegistryAt } from './registry-at.js';
import { orRegistryError } from './registry-error.js';

const LinkingAccount = v.nullable(v.tuple([v.string(), v.number()]));
const Yocto = v.pipe(v.string(), v.regex(/^\d{1,39}$/));

/** About what the registry keeps of the deposit for a first record by ES256, in yoctoNEAR; it returns the rest. */
export const KEPT_YOCTO = 7n * 10n ** 21n;

/** How long the registry shows which account has named a key, in blocks. */
export const MAPPING_LIFE_BLOCKS = 200;

/** What the registry shows of a key that is being linked. */
export interface LinkingView {
  /** The account that has named the key, with its device counter; null when none has. */
  readonly mapping: readonly [accountId: string, deviceCounter: number] | null;
  readonly blockHeight: number;
}

export async function linkingAccount(
  at: RegistryAt,
  publicKey: string,
  signal?: AbortSignal,
): Promise<LinkingView> {
  const method = 'get_device_linking_account';
  const args = { device_public_key: publicKey };
  const view = async (): Promise<LinkingView> => {
    const seen = await at.rpc.callFunction(at.config.contractId, method, args, { agreed: true, signal });
    return { mapping: parseReturnedJson(LinkingAccount, method, seen), blockHeight: seen.blockHeight };
  };
  return orRegistryError(at, view());
}

/** What a removal of a device and a linking attach, in yoctoNEAR. */
export async function changeDeposit(at: RegistryAt): Promise<string> {
  return (await readCapabilities(at)).changeDeposit;
}

/** The deposit for a registration in yoctoNEAR; the unused part comes back. None where the registry pays itself. */
export async function registrationCost(at: RegistryAt, signal?: AbortSignal): Promise<string> {
  const { chargesStorage } = await readCapabilities(at);
  if (!chargesStorage) return '0';
  const { rpc, config } = at;
  const last = costs.get(config);
  if (last && Date.now() - last.at < COST_FRESH_MS) return last.yocto;
  const view = { agreed: true, signal };
  const reading = rpc.callFunctionJson(Yocto, config.contractId, 'get_registration_cost', {}, view);
  const yocto = await orRegistryError(at, reading);
  costs.set(config, { yocto, at: Date.now() });
  return yocto;
}

const costs = new WeakMap<RegistryAt['config'], { readonly yocto: string; readonly at: number }>();
/** The cost changes with the contract alone. */
const COST_FRESH_MS = 60_000;

/**
 * The number that the account's next device gets. A passkey signs it, and the registry refuses a passkey with another
 * number. So no answer counts before it comes from the newest block that nodes show: one that lags may name an old number.
 */
export async function nextDeviceNumber(
  at: RegistryAt,
  accountId: string,
  signal: AbortSignal,
): Promise<number> {
  return 1 + (await deviceCounter(at, accountId, signal, { newest: true }));
}

const Registration = v.looseObject({ verified: v.boolean() });

/** The registry's reason for refusing a registration; '' when it did not refuse. */
export function refusalIn(outcome: TransactionOutcome): string {
  const failed = executionFailure(outcome);
  if (failed) return JSON.stringify(failed).slice(0, 300);
  const bytes = returnedBytes(outcome);
  try {
    if (bytes && v.parse(Registration, JSON.parse(new TextDecoder().decode(bytes))).verified) return '';
  } catch {
    return 'its answer could not be read';
  }
  const logs = outcome.receipts_outcome?.flatMap((receipt) => receipt.outcome.logs) ?? [];
  return logs[0]?.slice(0, 300) ?? 'it gave no reason';
}
