/** Audits the chain after a soak, to the yocto. */
import * as v from 'valibot';
import { REGISTRY, RELAYER } from '../../dev/services/services.js';
import { createRpcClient, type RpcClient } from '../../ts/src/near/index.js';
import { readStoragePrice, readTransaction, type TransactionWithReceipts, untilFinal } from './chain.js';
import type { Wish } from './clients.js';
import { inParallel } from './in-parallel.js';

/** Balances while no transaction is in progress. */
export interface Snapshot {
  readonly relayer: bigint;
  readonly registry: bigint;
  /** The registry's storage usage, in bytes. */
  readonly registryStorage: number;
  /** The cost of a byte, in yoctoNEAR. */
  readonly storagePrice: bigint;
  /** The total of all genesis accounts, including these two. */
  readonly all: bigint;
  /** The supply that the chain reports. */
  readonly supply: bigint;
}

export interface Audit {
  /** Relay transactions that the chain executed. */
  readonly executed: number;
  /** Those that created no account: the deposit was returned, the gas spent. */
  readonly paidBack: number;
  /** yoctoNEAR that left the relayer's account. */
  readonly spentYocto: bigint;
  /** The part of it that was burnt for gas. */
  readonly burntYocto: bigint;
  readonly violations: readonly string[];
}

export interface AuditOptions {
  readonly chainUrl: string;
  readonly rpc: RpcClient;
  readonly before: Snapshot;
  /** What the registry keeps of each registration beyond the storage it uses immediately. */
  readonly prepaidYocto: bigint;
  readonly wishes: readonly Wish[];
  /** The ids of all transactions that a relay logged as sent. */
  readonly transactions: ReadonlySet<string>;
}

const GENESIS_ACCOUNTS = ['testnet', REGISTRY, RELAYER];
const READERS = 8;

const AuthenticatorsSchema = v.array(v.tuple([v.string(), v.looseObject({ near_public_key: v.string() })]));

export async function takeSnapshot(chainUrl: string): Promise<Snapshot> {
  await untilFinal(chainUrl);
  const rpc = createRpcClient({ urls: chainUrl });
  const accounts = await Promise.all(GENESIS_ACCOUNTS.map((id) => rpc.viewAccount(id)));
  const [, registry, relayer] = accounts;
  if (!registry || !relayer) throw new Error('the chain lacks its genesis accounts');
  const { header } = await rpc.block();
  return {
    relayer: BigInt(relayer.amount),
    registry: BigInt(registry.amount),
    registryStorage: registry.storage_usage,
    storagePrice: await readStoragePrice(chainUrl),
    all: sum(accounts.map((account) => BigInt(account?.amount ?? 0))),
    supply: BigInt(String(header.total_supply)),
  };
}

/**
 * What the registry keeps of one registration for storage used later, such as a device's link. Measures the only
 * registration between two snapshots; the amount depends only on the name's length.
 */
export function prepaidBetween(before: Snapshot, after: Snapshot): bigint {
  return after.registry - before.registry - storageCost(before, after);
}

function storageCost(before: Snapshot, after: Snapshot): bigint {
  return BigInt(after.registryStorage - before.registryStorage) * after.storagePrice;
}

/** Reads everything back from the chain and compares. */
export async function audit(options: AuditOptions): Promise<Audit> {
  const { chainUrl, rpc, before, wishes, prepaidYocto } = options;
  const violations: string[] = [];
  const mustEqual = (what: string, is: bigint, ought: bigint) => {
    if (is !== ought) violations.push(`${what}: ${is} yocto instead of ${ought} (${is - ought})`);
  };

  await untilFinal(chainUrl);
  // The relayer's payments, by the account they were for.
  const payments = new Map<string, bigint[]>();
  let burnt = 0n;
  let executed = 0;
  await inParallel(options.transactions, READERS, async (hash) => {
    const transaction = await readTransaction(chainUrl, hash, RELAYER);
    if (!transaction) return;
    const payment = readPayment(transaction);
    executed += 1;
    burnt += payment.burnt;
    payments.set(payment.accountId, [...(payments.get(payment.accountId) ?? []), payment.kept]);
  });

  // Every requested name.
  const byAccount = new Map<string, Wish[]>();
  for (const wish of wishes) byAccount.set(wish.accountId, [...(byAccount.get(wish.accountId) ?? []), wish]);
  let balances = 0n;
  let accounts = 0n;
  await inParallel(byAccount, READERS, async ([accountId, rivals]) => {
    const kept = (payments.get(accountId) ?? []).filter((yocto) => yocto > 0n);
    if (kept.length > 1) violations.push(`${accountId} was paid for ${kept.length} times`);
    const account = await rpc.viewAccount(accountId);
    balances += BigInt(account?.amount ?? 0);
    accounts += account ? 1n : 0n;
    violations.push(...(await judgeAccount(rpc, accountId, account !== null, rivals)));
    if (account && kept.length === 0) violations.push(`${accountId} exists, but no payment made it`);
  });
  for (const accountId of payments.keys()) {
    if (!byAccount.has(accountId)) violations.push(`${accountId} was paid for, but no client requested it`);
  }

  const after = await takeSnapshot(chainUrl);
  const kept = sum([...payments.values()].flat());
  const spent = before.relayer - after.relayer;
  const registryKeeps = storageCost(before, after) + accounts * prepaidYocto;
  mustEqual('the relayer spent', spent, kept + burnt);
  mustEqual('the registry kept', after.registry - before.registry, registryKeeps);
  mustEqual('the new accounts hold', balances, kept - registryKeeps);
  mustEqual('all balances lost', before.all - (after.all + balances), burnt);
  mustEqual('the supply shrank by', before.supply - after.supply, burnt);
  return {
    executed,
    paidBack: [...payments.values()].flat().filter((yocto) => yocto === 0n).length,
    spentYocto: spent,
    burntYocto: burnt,
    violations,
  };
}

/** The violations of an account, given the answers to the clients that requested it. */
async function judgeAccount(
  rpc: RpcClient,
  accountId: string,
  exists: boolean,
  rivals: readonly Wish[],
): Promise<string[]> {
  const granted = rivals.filter((wish) => wish.state === 'granted');
  const problems = rivals
    .filter((wish) => wish.state === 'open')
    .map((wish) => `${accountId} was never settled; its last answer was ${wish.lastError || 'none'}`);
  const told = () => rivals.map((wish) => `${wish.kind}: ${wish.answers.join(', ')}`).join(' | ');
  if (rivals[0]?.kind === 'forged') {
    if (exists || granted.length > 0) problems.push(`${accountId} was made by a forged proof`);
    return problems;
  }
  if (granted.length !== 1) {
    const refusals = rivals.map((wish) => wish.lastError).join(' | ');
    problems.push(`${granted.length} registrations of ${accountId} succeeded (${told()}; ${refusals})`);
  }
  const [winner] = granted;
  if (!exists) return [...problems, `${accountId} does not exist (${told()})`];
  if (!winner) return problems;
  const { keys } = await rpc.viewAccessKeyList(accountId);
  const listed = keys.map(({ public_key, access_key }) => `${public_key} ${access_key.permission}`);
  if (listed.length !== 1 || listed[0] !== `${winner.publicKey} FullAccess`) {
    problems.push(`${accountId} has the keys ${listed.join(', ')} instead of ${winner.publicKey}`);
  }
  const authenticators = await rpc.callFunctionJson(
    AuthenticatorsSchema,
    REGISTRY,
    'get_authenticators_by_user',
    { user_id: accountId },
  );
  if (authenticators.length !== 1 || authenticators[0]?.[1].near_public_key !== winner.publicKey) {
    problems.push(`${accountId} has ${authenticators.length} authenticators, or one of another key`);
  }
  return problems;
}

interface Payment {
  readonly accountId: string;
  /** The part of the deposit that was not returned, in yoctoNEAR. */
  readonly kept: bigint;
  /** Burnt for gas, in yoctoNEAR. Bought gas that was not burnt is refunded and does not count. */
  readonly burnt: bigint;
}

const CallSchema = v.object({
  FunctionCall: v.looseObject({ args: v.string(), deposit: v.string() }),
});
const TransferSchema = v.object({ Transfer: v.object({ deposit: v.string() }) });

function readPayment({
  transaction,
  transaction_outcome,
  receipts_outcome,
  receipts,
}: TransactionWithReceipts): Payment {
  const { args, deposit } = v.parse(CallSchema, transaction.actions[0]).FunctionCall;
  const { new_account_id } = JSON.parse(Buffer.from(args, 'base64').toString()) as { new_account_id: string };
  const outcomes = [transaction_outcome, ...receipts_outcome];
  const returned = receipts
    .filter(({ receiver_id, predecessor_id, receipt }) => {
      // A gas refund comes from `system` with the signer's name, a deposit refund with `system` as signer.
      const isGas = predecessor_id === 'system' && receipt.Action?.signer_id !== 'system';
      return receiver_id === RELAYER && !isGas;
    })
    .flatMap(({ receipt }) => receipt.Action?.actions ?? [])
    .map((action) => BigInt(v.parse(TransferSchema, action).Transfer.deposit));
  return {
    accountId: new_account_id,
    kept: BigInt(deposit) - sum(returned),
    burnt: sum(outcomes.map(({ outcome }) => BigInt(outcome.tokens_burnt))),
  };
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
