/**
 * Sends on the local chain through a front that answers single submissions as real nodes do: it loses them, calls the
 * shard congested, limits the rate, or hangs.
 */
import { base58 } from '@scure/base';
import { actions, createTransaction, KeyPair, KeyPairSigner } from 'near-api-js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Devnet, developmentKey, startDevnet } from '../../../tests/support/relay/devnet.js';
import { createRpcClient, type RpcClient, rpcFailure } from './index.js';
import { HASH, invalid, timeout } from './testing/scripted-node.js';

const PAYER = 'relayer.testnet';
const CONGESTED = invalid({ ShardCongested: { congestion_level: 0.3, shard_id: 0 } });

type Front = (url: string, init: RequestInit | undefined) => Promise<Response>;

let chain: Devnet;
let direct: RpcClient;
let rpc: RpcClient;
/** What the next submissions meet; the chain itself afterwards. */
const front: Front[] = [];
let sends = 0;
let nonce = 0n;
const signer = new KeyPairSigner(KeyPair.fromString(developmentKey(PAYER)));

const answering =
  (body: object, status = 200): Front =>
  async () =>
    Response.json({ jsonrpc: '2.0', id: '1', ...body }, { status });
const losing = answering(timeout({ cause: 'NOT_OBSERVED' }), 408);
/** The chain accepts it, and the answer never arrives. */
const hanging: Front = async (url, init) => {
  await fetch(url, { ...init, signal: null });
  return new Promise((_, reject) => {
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason), { once: true });
  });
};

beforeAll(async () => {
  chain = await startDevnet();
  direct = createRpcClient({ urls: chain.url });
  rpc = createRpcClient({
    urls: chain.url,
    fetch: async (input, init) => {
      const { method } = JSON.parse(String(init?.body)) as { method: string };
      if (method !== 'send_tx') return fetch(input, init);
      sends += 1;
      const answer = front.shift() ?? fetch;
      return answer(String(input), init);
    },
  });
});
afterAll(() => chain?.stop());
beforeEach(async () => {
  front.length = 0;
  sends = 0;
  const publicKey = (await signer.getPublicKey()).toString();
  nonce = BigInt((await direct.viewAccessKey(PAYER, publicKey, { finality: 'optimistic' }))?.nonce ?? 0);
});

async function transfer(over: { nonce?: bigint; amount?: bigint } = {}) {
  const { header } = await direct.block();
  const transaction = createTransaction(
    PAYER,
    await signer.getPublicKey(),
    PAYER,
    over.nonce ?? nonce + 1n,
    [actions.transfer(over.amount ?? 1n)],
    base58.decode(header.hash),
  );
  const { signedTransaction, txHash } = await signer.signTransaction(transaction);
  return { bytes: signedTransaction.encode(), id: base58.encode(txHash), blockHeight: header.height };
}

describe('on the chain', () => {
  it.each<[string, Front[], number]>([
    ['is lost twice', [losing, losing], 3],
    ['meets a congested shard', Array<Front>(3).fill(answering(CONGESTED)), 4],
    ['meets a rate limit', [answering({ error: { code: -429, message: 'slow down' } }, 429)], 2],
  ])('a transaction that %s is executed once, from the same bytes', async (_, answers, count) => {
    front.push(...answers);
    const { bytes, id } = await transfer();
    const outcome = await rpc.sendTransaction(bytes);
    expect(outcome).toMatchObject({ transactionId: id, status: { SuccessValue: '' } });
    expect(sends).toBe(count);
  });

  it('a send_tx that hangs is looked up', async () => {
    front.push(hanging);
    const { bytes, id } = await transfer();
    expect(await rpc.sendTransaction(bytes, 'FINAL')).toMatchObject({
      transactionId: id,
      final_execution_status: 'FINAL',
    });
    expect(sends).toBe(1);
  });

  it('a second copy gets the outcome of the first', async () => {
    const { bytes, id } = await transfer();
    await direct.sendTransaction(bytes, 'FINAL');
    expect(await rpc.sendTransaction(bytes, 'FINAL')).toMatchObject({ transactionId: id });
  });

  it('an overtaken nonce is refused, with the nonce that the key has reached', async () => {
    const first = await transfer();
    const second = await transfer({ amount: 2n });
    await direct.sendTransaction(first.bytes, 'FINAL');
    const failure = await rpc.sendTransaction(second.bytes).catch(rpcFailure);
    expect(failure).toMatchObject({
      kind: 'invalid_transaction',
      reason: 'InvalidNonce',
      info: { tx_nonce: Number(nonce + 1n), ak_nonce: Number(nonce + 1n) },
    });
  });

  it('a transaction that costs more than the account has is refused as such', async () => {
    const { bytes } = await transfer({ amount: 10n ** 35n });
    expect(await rpc.sendTransaction(bytes).catch(rpcFailure)).toMatchObject({ reason: 'NotEnoughBalance' });
  });

  it('a journal tells what was executed, what was overtaken and what may still come', async () => {
    const publicKey = (await signer.getPublicKey()).toString();
    const [sent, overtaken, open] = [
      await transfer(),
      await transfer({ amount: 2n }),
      await transfer({ nonce: nonce + 2n }),
    ];
    await direct.sendTransaction(sent.bytes, 'FINAL');
    const stateOf = ({ id, blockHeight }: typeof sent, its: bigint) =>
      rpc.transactionState({ transactionId: id, signerId: PAYER, publicKey, nonce: its, blockHeight });
    expect(await stateOf(sent, nonce + 1n)).toMatchObject({ name: 'final' });
    expect(await stateOf(overtaken, nonce + 1n)).toEqual({ name: 'refused' });
    expect(await stateOf(open, nonce + 2n)).toEqual({ name: 'in-pool' });
    expect(await rpc.transactionStatus(HASH, PAYER)).toBeNull();
  });
});
