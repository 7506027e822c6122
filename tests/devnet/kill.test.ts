// kill -9 at any moment loses no acknowledged transaction, and applies none twice or in part.
//
// A hash from `broadcast_tx_async` or the level NONE acknowledges that the chain keeps the transaction and will run it;
// INCLUDED and INCLUDED_FINAL also its block; EXECUTED_OPTIMISTIC and EXECUTED also its result and every outcome except
// those of gas refunds; FINAL everything. A missing answer acknowledges nothing, and the sender asks again.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { base58 } from '@scure/base';
import binaryen from 'binaryen';
import { type Action, actions, createTransaction, KeyPairSigner, nearToYocto, teraToGas } from 'near-api-js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Random, randomOf } from '../soak/random.js';
import { IS_THOROUGH } from '../support/thorough.js';
import { developmentKey, type LaunchedDevnet, launchDevnet } from './devnet.js';

const KILLS = IS_THOROUGH ? 50 : 15;
const SENDS_PER_LANE = 6;
const MOST_ANSWERS_BEFORE_A_KILL = 50;
/** A little longer than a block takes, so that kills hit every stage of making one. */
const MOST_MS_AFTER_THE_LAST_ANSWER = 60;
const MOST_MS_OF_OPENING = 150;

/** The sending accounts. Each sends one transaction at a time. */
const LANES = Array.from({ length: 12 }, (_, index) => `lane-${index}.testnet`);
const TALLY = 'tally.testnet';
const MIRROR = 'mirror.testnet';
const SIGNERS = [TALLY, MIRROR, ...LANES];
const GENESIS_NEAR = new Map([
  ['testnet', 1_000_000_000],
  ['w3a-v1.testnet', 1_000],
  ['relayer.testnet', 1_000_000],
  ...SIGNERS.map((id) => [id, 1_000_000] as const),
]);
const GENESIS = ['--no-registry', ...SIGNERS.flatMap((id) => ['--fund', `${id}=${GENESIS_NEAR.get(id)}`])];

/**
 * How to send a transaction: with `broadcast_tx_async`; with the same after a `send_tx` that still waits (`again`); or
 * with `send_tx` and a level to wait for.
 */
const WAYS = [
  'async',
  'again',
  'NONE',
  'INCLUDED',
  'INCLUDED_FINAL',
  'EXECUTED_OPTIMISTIC',
  'EXECUTED',
  'FINAL',
] as const;
type Way = (typeof WAYS)[number];

interface Transaction {
  hash: string;
  base64: string;
  signer: string;
  receiver: string;
  nonce: number;
  amountYocto: bigint;
  call?: 'tally' | 'tally_both' | undefined;
}

interface Outcome {
  id: string;
  block_hash: string;
  outcome: { tokens_burnt: string };
}

interface Execution {
  final_execution_status: string;
  status: unknown;
  transaction: unknown;
  transaction_outcome: Outcome;
  receipts_outcome: Outcome[];
}

interface Block {
  header: { height: number; hash: string; total_supply: string };
}

/** A sent transaction, the way it was sent, and the answer if it came before the kill. */
interface Sent {
  transaction: Transaction;
  way: Way;
  answer?: { execution?: Execution };
}

/** A transaction that has run to its end. */
interface Settled {
  transaction: Transaction;
  execution: Execution;
}

/** Sends a request. Throws on an error answer; without any answer, fetch throws a TypeError. */
async function call<T>(url: string, method: string, params: unknown): Promise<T> {
  for (let asked = 1; ; asked++) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as { result: T; error?: { cause: { name: string } } };
    if (!error) return result;
    // On a slow machine blocks may take longer than a request waits. Asking or sending again changes nothing.
    if (error.cause.name === 'TIMEOUT_ERROR' && asked < 10) continue;
    throw new Error(`${method}: ${JSON.stringify(error)}`);
  }
}

const head = (url: string) => call<Block>(url, 'block', { finality: 'final' });

const finalExecution = (url: string, { hash, signer }: Transaction) =>
  call<Execution>(url, 'tx', { tx_hash: hash, sender_account_id: signer, wait_until: 'FINAL' });

async function sign(
  signer: string,
  nonce: number,
  receiver: string,
  blockHash: string,
  action: Action,
): Promise<Pick<Transaction, 'hash' | 'base64'>> {
  const key = developmentKey(signer);
  const { txHash, signedTransaction } = await new KeyPairSigner(key).signTransaction(
    createTransaction(signer, key.getPublicKey(), receiver, nonce, [action], base58.decode(blockHash)),
  );
  return { hash: base58.encode(txHash), base64: Buffer.from(signedTransaction.encode()).toString('base64') };
}

/** The expected state after everything sent has run exactly once. */
class Expected {
  readonly balances = new Map([...GENESIS_NEAR].map(([id, near]) => [id, nearToYocto(near)]));
  readonly nonces = new Map(SIGNERS.map((id) => [id, 0]));
  readonly tallies = new Map([TALLY, MIRROR].map((id) => [id, new Map<string, bigint>()]));

  run({ transaction, execution }: Settled): void {
    const { signer, receiver, amountYocto } = transaction;
    for (const { outcome } of [execution.transaction_outcome, ...execution.receipts_outcome]) {
      this.#pay(signer, -BigInt(outcome.tokens_burnt));
    }
    this.#pay(signer, -amountYocto);
    this.#pay(receiver, amountYocto);
    this.nonces.set(signer, Math.max(this.nonces.get(signer)!, transaction.nonce));
    if (transaction.call) this.#count(TALLY, signer);
    if (transaction.call === 'tally_both') this.#count(MIRROR, TALLY);
  }

  get supply(): bigint {
    return [...this.balances.values()].reduce((sum, balance) => sum + balance);
  }

  #pay(accountId: string, yocto: bigint): void {
    this.balances.set(accountId, this.balances.get(accountId)! + yocto);
  }

  #count(contract: string, caller: string): void {
    const counts = this.tallies.get(contract)!;
    for (const key of ['all', caller]) counts.set(key, (counts.get(key) ?? 0n) + 1n);
  }
}

/** The actual state of a settled chain. */
async function actual(url: string): Promise<Pick<Expected, 'balances' | 'nonces' | 'tallies' | 'supply'>> {
  const query = <T>(request_type: string, account_id: string, more = {}) =>
    call<T>(url, 'query', { request_type, finality: 'final', account_id, ...more });
  const all = async <T>(ids: Iterable<string>, look: (id: string) => Promise<T>) =>
    new Map(await Promise.all([...ids].map(async (id) => [id, await look(id)] as const)));
  return {
    balances: await all(GENESIS_NEAR.keys(), async (id) =>
      BigInt((await query<{ amount: string }>('view_account', id)).amount),
    ),
    nonces: await all(SIGNERS, async (id) => {
      const public_key = developmentKey(id).getPublicKey().toString();
      return (await query<{ nonce: number }>('view_access_key', id, { public_key })).nonce;
    }),
    tallies: await all([TALLY, MIRROR], async (id) => {
      type State = { values: { key: string; value: string }[] };
      const { values } = await query<State>('view_state', id, { prefix_base64: '' });
      return new Map(
        values.map(({ key, value }) => [
          Buffer.from(key, 'base64').toString(),
          Buffer.from(value, 'base64').readBigUInt64LE(),
        ]),
      );
    }),
    supply: BigInt((await head(url)).header.total_supply),
  };
}

let folder: string;
let chain: LaunchedDevnet | undefined;
/** True once a missing answer may be due to the kill. */
let killed = false;

async function open(blockTime = '50ms'): Promise<string> {
  chain = launchDevnet(['--data', folder, '--block-time', blockTime, ...GENESIS]);
  killed = false;
  return chain.listening();
}

async function kill(): Promise<void> {
  killed = true;
  await chain?.end('SIGKILL');
  chain = undefined;
}

/** Runs `job` and returns whether the kill interrupted it. */
async function diedDuring(job: () => Promise<void>): Promise<boolean> {
  try {
    await job();
    return false;
  } catch (error) {
    if (killed && error instanceof TypeError) return true;
    throw error;
  }
}

/** The blocks that the chain has reported. */
class SeenBlocks {
  readonly #hashes = new Map<number, string>();
  #highest = 0;

  get count(): number {
    return this.#hashes.size;
  }

  /** Polls the newest block until the chain dies. */
  async watch(url: string): Promise<void> {
    await diedDuring(async () => {
      for (;;) {
        const { height, hash } = (await head(url)).header;
        expect(height).toBeGreaterThanOrEqual(this.#highest);
        this.#highest = height;
        this.#hashes.set(height, hash);
      }
    });
  }

  /** Asserts that the chain has not gone back and still reports the newest `count` of these blocks. */
  async expectKept(url: string, count: number, what: string): Promise<void> {
    expect((await head(url)).header.height, what).toBeGreaterThanOrEqual(this.#highest);
    for (const [height, hash] of [...this.#hashes].slice(-count)) {
      const { header } = await call<Block>(url, 'block', { block_id: height });
      expect(header.hash, `${what}: block ${height}`).toBe(hash);
    }
  }
}

/** Signs the next transactions of each lane, in nonce order. */
async function signLanes(nonces: Map<string, number>, blockHash: string, random: Random): Promise<Sent[][]> {
  const lanes: Sent[][] = [];
  for (const [lane, signer] of LANES.entries()) {
    const sends: Sent[] = [];
    for (let index = 1; index <= SENDS_PER_LANE; index++) {
      const nonce = nonces.get(signer)! + index;
      const method = random.pick<Transaction['call']>([undefined, 'tally', 'tally_both']);
      const receiver = method ? TALLY : LANES[(lane + 1) % LANES.length]!;
      const amountYocto = method ? 0n : BigInt(random.between(0, 2 ** 32)) ** 2n;
      const action = method
        ? actions.functionCall(method, Buffer.from(MIRROR), teraToGas(30), 0n)
        : actions.transfer(amountYocto);
      const signed = await sign(signer, nonce, receiver, blockHash, action);
      const transaction = { ...signed, signer, receiver, nonce, amountYocto, call: method };
      sends.push({ transaction, way: random.pick(WAYS) });
    }
    lanes.push(sends);
  }
  return lanes;
}

const sendUntil = (url: string, { base64 }: Transaction, wait_until: string) =>
  call<Execution>(url, 'send_tx', { signed_tx_base64: base64, wait_until });

async function send(url: string, sent: Sent): Promise<void> {
  const { transaction, way } = sent;
  if (way === 'async' || way === 'again') {
    // The kill ends this request too; a later check finds out whether the transaction ran.
    if (way === 'again') sendUntil(url, transaction, 'FINAL').catch(() => undefined);
    expect(await call(url, 'broadcast_tx_async', [transaction.base64])).toBe(transaction.hash);
    sent.answer = {};
  } else {
    const execution = await sendUntil(url, transaction, way);
    sent.answer = way === 'NONE' ? {} : { execution };
  }
}

/** Sends each lane's transactions one by one, kills the chain meanwhile, and returns those it may have received. */
async function sendUntilKilled(
  url: string,
  lanes: Sent[][],
  answersBefore: number,
  msAfter: number,
): Promise<Sent[]> {
  let answers = 0;
  let enough: () => void;
  const answered = new Promise<void>((resolve) => {
    enough = resolve;
  });
  const sendLane = async (lane: Sent[]): Promise<Sent[]> => {
    for (const [index, sent] of lane.entries()) {
      if (await diedDuring(() => send(url, sent))) return lane.slice(0, index + 1);
      answers += 1;
      if (answers >= answersBefore) enough();
    }
    return lane;
  };
  const sending = Promise.all(lanes.map(sendLane));
  await Promise.race([answersBefore === 0 ? undefined : answered, sending]);
  await sleep(msAfter);
  await kill();
  return (await sending).flat();
}

/** Asserts that the chain has everything acknowledged. Sends nothing again, which could hide a loss. */
async function expectAcknowledgedKept(url: string, sent: Sent[], what: string): Promise<void> {
  const check = async ({ transaction, way, answer }: Sent) => {
    const name = `${what}: ${transaction.call ?? 'transfer'} ${transaction.hash}, sent by ${way}`;
    const now = await finalExecution(url, transaction).catch((error) => {
      throw new Error(`${name}, was lost`, { cause: error });
    });
    const said = answer?.execution;
    if (!said) return;
    if (said.final_execution_status === 'FINAL') {
      expect(now, name).toEqual(said);
      return;
    }
    expect(now.transaction, name).toEqual(said.transaction);
    expect(now.transaction_outcome, name).toEqual(said.transaction_outcome);
    expect(now.receipts_outcome, name).toEqual(expect.arrayContaining(said.receipts_outcome));
    if (said.final_execution_status.startsWith('EXECUTED')) expect(now.status, name).toEqual(said.status);
  };
  await Promise.all(sent.filter(({ answer }) => answer).map(check));
}

async function deployTally(url: string, contract: string, blockHash: string): Promise<Settled> {
  const module = binaryen.parseText(await readFile(new URL('tally.wat', import.meta.url), 'utf8'));
  const action = actions.deployContract(module.emitBinary());
  const signed = await sign(contract, 1, contract, blockHash, action);
  const transaction = { ...signed, signer: contract, receiver: contract, nonce: 1, amountYocto: 0n };
  return { transaction, execution: await sendUntil(url, transaction, 'FINAL') };
}

describe('kill -9', () => {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-devnet-kill-'));
  });

  afterEach(async () => {
    await kill();
    await rm(folder, { recursive: true });
  });

  it(`under load, ${KILLS} times, keeps every acknowledged transaction, once and whole`, {
    timeout: 900_000,
  }, async () => {
    const seed = Number(process.env.DEVNET_KILL_SEED ?? Date.now() % 2 ** 32);
    console.log(`DEVNET_KILL_SEED=${seed}`);
    const random = randomOf(seed, 'kills');
    const expected = new Expected();
    const settled: Settled[] = [];
    const blocks = new SeenBlocks();
    let acknowledged = 0;

    let url = await open();
    const blockHash = (await head(url)).header.hash;
    for (const contract of [TALLY, MIRROR]) settled.push(await deployTally(url, contract, blockHash));
    settled.forEach(expected.run, expected);

    for (let round = 1; round <= KILLS; round++) {
      const lanes = await signLanes(expected.nonces, blockHash, random);
      const answersBefore = random.between(0, MOST_ANSWERS_BEFORE_A_KILL);
      const msAfter = random.between(0, MOST_MS_AFTER_THE_LAST_ANSWER);
      const what = `round ${round}, killed ${msAfter} ms after answer ${answersBefore}`;
      const watching = blocks.watch(url);
      const sent = await sendUntilKilled(url, lanes, answersBefore, msAfter);
      await watching;
      acknowledged += sent.filter(({ answer }) => answer).length;

      // Sometimes kill the chain while it opens, too.
      if (round % 4 === 0) {
        chain = launchDevnet(['--data', folder]);
        await sleep(random.between(0, MOST_MS_OF_OPENING));
        await kill();
      }
      url = await open();

      await blocks.expectKept(url, 10, what);
      await expectAcknowledgedKept(url, sent, what);
      // Send each one again, answered or not, so that all of them have run once.
      await Promise.all(
        sent.map(async ({ transaction }) => {
          const execution = await sendUntil(url, transaction, 'FINAL');
          expect(execution.status, what).toHaveProperty('SuccessValue');
          settled.push({ transaction, execution });
          expected.run({ transaction, execution });
        }),
      );
      const { balances, nonces, tallies, supply } = expected;
      expect(await actual(url), what).toEqual({ balances, nonces, tallies, supply });
    }

    // Everything from the first kill on is still there after the last.
    for (const { transaction, execution } of settled) {
      expect(await finalExecution(url, transaction)).toEqual(execution);
    }
    await blocks.expectKept(url, blocks.count, 'in the end');
    expect(acknowledged).toBeGreaterThan(KILLS);
    console.log(`${settled.length} transactions, ${acknowledged} acknowledged, ${blocks.count} blocks seen`);
  });

  it('keeps a transaction acknowledged by hash while another request waits for it', async () => {
    let url = await open('manual');
    const { hash: blockHash } = (await head(url)).header;
    const [[first]] = (await signLanes(new Expected().nonces, blockHash, randomOf(1, 'any'))) as [[Sent]];
    const { transaction } = first;
    // This request acknowledges nothing, so the chain may not have written the transaction yet.
    sendUntil(url, transaction, 'FINAL').catch(() => undefined);
    const { hash, base64, signer } = transaction;
    const status = { tx_hash: hash, sender_account_id: signer, wait_until: 'NONE' };
    await expect
      .poll(() => call(url, 'tx', status).catch(() => undefined), { timeout: 20_000 })
      .toBeDefined();
    expect(await call(url, 'broadcast_tx_async', [base64])).toBe(hash);
    await kill();

    url = await open('manual');
    await call(url, 'sandbox_fast_forward', { delta_height: 3 });
    expect((await finalExecution(url, transaction)).status).toEqual({ SuccessValue: '' });
  });

  it('while making the first block leaves a folder in which a chain starts', {
    timeout: 300_000,
  }, async () => {
    for (let ms = 0; ms < MOST_MS_OF_OPENING; ms += 15) {
      chain = launchDevnet(['--data', folder, ...GENESIS]);
      await sleep(ms);
      await kill();
    }
    const { balances } = new Expected();
    expect((await actual(await open())).balances).toEqual(balances);
  });
});
