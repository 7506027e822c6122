// Measures the local chain, each figure on its own chain with data on disk: transfers a second, and the time of a contract
// call until each wait level. Needs the built chain and registry (scripts/build.sh devnet contract);
// CHAIN_BINARY names another build of the chain. `scripts/bench.sh chain` runs it with `node --import tsx`.
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { base58 } from '@scure/base';
import { actions, createTransaction, KeyPair, KeyPairSigner, teraToGas } from 'near-api-js';
import { developmentKey } from '../../dev/services/keys.ts';
import { REGISTRY, startChain } from '../../dev/services/services.ts';
import { percentile, printTable } from './lib/load.mjs';

const SENDERS = 32;
const SECONDS = 30;
const LEAST_TRANSFERS_PER_SECOND = 200;

const LEVELS = ['NONE', 'INCLUDED', 'EXECUTED_OPTIMISTIC', 'INCLUDED_FINAL', 'EXECUTED', 'FINAL'];
const CALLS_PER_LEVEL = 25;
const DEFAULT_BLOCK_MS = 600;

/** Runs `measure` with the address of a fresh chain, then removes the chain and its data. */
async function withChain(blockTimeMs, accounts, measure) {
  const data = await mkdtemp(join(tmpdir(), 'latchkey-bench-'));
  const args = accounts.flatMap((id) => ['--fund', `${id}=1000000`]);
  const binary = process.env.CHAIN_BINARY;
  const chain = await startChain({ port: 0, data, blockTimeMs, args, ...(binary ? { binary } : {}) });
  try {
    return await measure(chain.url);
  } finally {
    await chain.kill();
    await rm(data, { recursive: true });
  }
}

// Plain HTTP, because near-api-js's client would take much of the processor from the chain.
const agent = new Agent({ keepAlive: true });

async function call(url, method, params) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    request(url, { method: 'POST', agent, headers }, resolve).once('error', reject).end(body);
  });
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  const { result, error } = JSON.parse(text);
  if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result;
}

const headHash = async (url) => (await call(url, 'block', { finality: 'final' })).header.hash;

const send = (url, signed, level) => call(url, 'send_tx', { signed_tx_base64: signed, wait_until: level });

function benchKey(name) {
  return KeyPair.fromString(`ed25519:${base58.encode(createHash('sha256').update(name).digest())}`);
}

async function signed({ accountId, key, nonce, receiverId, blockHash }, actionList) {
  const { signedTransaction } = await new KeyPairSigner(key).signTransaction(
    createTransaction(accountId, key.getPublicKey(), receiverId, nonce, actionList, base58.decode(blockHash)),
  );
  return Buffer.from(signedTransaction.encode()).toString('base64');
}

/** Adds `count` full-access keys to an account; returns each with its next nonce. */
async function addKeys(url, accountId, count, blockHash) {
  const keys = Array.from({ length: count }, (_, index) => benchKey(`${accountId} ${index}`));
  const own = {
    accountId,
    key: KeyPair.fromString(developmentKey(accountId)),
    nonce: 1,
    receiverId: accountId,
    blockHash,
  };
  const additions = keys.map((key) => actions.addFullAccessKey(key.getPublicKey()));
  await send(url, await signed(own, additions), 'FINAL');
  const query = { request_type: 'view_access_key', finality: 'final', account_id: accountId };
  const { nonce } = await call(url, 'query', { ...query, public_key: keys[0].getPublicKey().toString() });
  return keys.map((key) => ({ accountId, key, nonce: nonce + 1, blockHash }));
}

/**
 * Sends pre-signed transfers; each key sends its next when one has executed, because a key's nonces must arrive in
 * order. A transfer runs in the second block after it is sent, so a key manages one per two blocks.
 */
async function transfersPerSecond(blockMs, keysPerSender) {
  const transfersPerKey = Math.ceil((SECONDS * 1000) / (2 * blockMs)) + 2;
  const accounts = Array.from({ length: SENDERS }, (_, index) => `sender-${index}.testnet`);
  return withChain(blockMs, accounts, async (url) => {
    const blockHash = await headHash(url);
    const keys = (await Promise.all(accounts.map((id) => addKeys(url, id, keysPerSender, blockHash)))).flat();
    const lanes = await Promise.all(
      keys.map(async (key) => {
        const transfers = [];
        for (let index = 0; index < transfersPerKey; index++) {
          const transfer = { ...key, nonce: key.nonce + index, receiverId: 'testnet' };
          transfers.push(await signed(transfer, [actions.transfer(1n)]));
        }
        return transfers;
      }),
    );
    const start = performance.now();
    const end = start + SECONDS * 1000;
    let executed = 0;
    await Promise.all(
      lanes.map(async (transfers) => {
        for (const transfer of transfers) {
          if (performance.now() >= end) return;
          const { status } = await send(url, transfer, 'EXECUTED_OPTIMISTIC');
          if (status.SuccessValue !== '') throw new Error(`a transfer failed: ${JSON.stringify(status)}`);
          if (performance.now() < end) executed += 1;
        }
        throw new Error('a key sent more than two blocks allow');
      }),
    );
    return executed / SECONDS;
  });
}

/** The sorted times of calls to the registry's `set_greeting` until each level, in milliseconds. */
async function callLatencies() {
  const accounts = LEVELS.map((_, index) => `caller-${index}.testnet`);
  return withChain(DEFAULT_BLOCK_MS, accounts, async (url) => {
    const blockHash = await headHash(url);
    return Promise.all(
      LEVELS.map(async (level, index) => {
        const accountId = accounts[index];
        const key = KeyPair.fromString(developmentKey(accountId));
        const times = [];
        for (let nonce = 1; nonce <= CALLS_PER_LEVEL; nonce++) {
          const args = Buffer.from(JSON.stringify({ greeting: `${level} ${nonce}` }));
          const call = await signed({ accountId, key, nonce, receiverId: REGISTRY, blockHash }, [
            actions.functionCall('set_greeting', args, teraToGas(30), 0n),
          ]);
          // A random moment: without this, every call after an answer would start right after a block.
          await sleep(Math.random() * DEFAULT_BLOCK_MS);
          const start = performance.now();
          await send(url, call, level);
          times.push(performance.now() - start);
        }
        return { level, times: times.sort((a, b) => a - b) };
      }),
    );
  });
}

const throughput = [];
for (const [blockMs, keysPerSender] of [
  [DEFAULT_BLOCK_MS, 32],
  [50, 1],
]) {
  const rate = await transfersPerSecond(blockMs, keysPerSender);
  const verdict = rate >= LEAST_TRANSFERS_PER_SECOND ? 'ok' : 'MISSED';
  const what = `until EXECUTED_OPTIMISTIC, ${SENDERS} senders, each ${keysPerSender} at a time, blocks of ${blockMs} ms`;
  throughput.push([what, rate.toFixed(0), LEAST_TRANSFERS_PER_SECOND, verdict]);
}
printTable(['transfers', 'a second', 'target', ''], throughput);

const latencies = (await callLatencies()).map(({ level, times }) => [
  level,
  percentile(times, 0.5).toFixed(0),
  percentile(times, 0.95).toFixed(0),
]);
printTable(
  [`a call of the registry, blocks of ${DEFAULT_BLOCK_MS} ms, until`, 'median ms', 'p95 ms'],
  latencies,
);
agent.destroy();
