/** The real chain reads delegates as the relay does, and charges what the relay counts. */
import { base58, base64 } from '@scure/base';
import fc from 'fast-check';
import {
  type Action,
  actions,
  createTransaction,
  encodeTransaction,
  JsonRpcProvider,
  KeyPair,
} from 'near-api-js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startChain } from '../../../dev/services/services.js';
import { type FaultProxy, startFaultProxy } from '../../../tests/support/fault-proxy.js';
import { type Devnet, developmentKey } from '../../../tests/support/relay/devnet.js';
import { createRpcClient, type RpcClient, type RpcFailure, rpcFailure } from '../../../ts/src/near/index.js';
import type { Refusal } from '../http/refusal.js';
import { createLog } from '../observe/log.js';
import { Secret } from '../platform/secret.js';
import { loadRelayModule } from '../platform/wasm.js';
import { createMemoryLeaseStore } from '../relayer/lease-store.js';
import { createLocalMeters } from '../relayer/meters.js';
import { createMemoryRecord } from '../relayer/record.js';
import { createRelayer } from '../relayer/relayer.js';
import { createTransactionSigner } from '../relayer/transaction-signer.js';
import { createDelegateSigner, greet, type MadeDelegate, makeDelegate } from '../testing/delegate.js';
import { Delegator } from './delegate.js';
import { readSignedDelegate } from './delegate-codec.js';
import { mostYoctoOf } from './delegate-policy.js';

const RELAYER = 'relayer.testnet';
const REGISTRY = 'w3a-v1.testnet';
/** Senders without NEAR: the chain would refuse their own transactions. */
const [SENDER, OTHER] = ['penniless-0.testnet', 'penniless-1.testnet'];
const TGAS = 10n ** 12n;

describe('a signed delegate', { timeout: 240_000 }, () => {
  let chain: Devnet;
  let proxy: FaultProxy;
  let rpc: RpcClient;
  let sign: ReturnType<typeof createDelegateSigner>;

  beforeAll(async () => {
    await loadRelayModule();
    const args = [SENDER, OTHER].flatMap((accountId) => ['--fund', `${accountId}=0`]);
    chain = await startChain({ port: 0, blockTimeMs: 100, maxBlockAge: 1200, args });
    proxy = await startFaultProxy(chain.url);
    rpc = createRpcClient({ urls: chain.url });
    sign = createDelegateSigner(new JsonRpcProvider({ url: chain.url }), SENDER);
  });
  afterAll(async () => {
    await proxy?.close();
    await chain?.stop();
  });
  beforeEach(() => proxy.heal());

  const balance = async (accountId: string) => BigInt((await rpc.viewAccount(accountId))?.amount ?? -1);

  it('is readable here exactly when the chain can read it', async () => {
    // An account without NEAR signs, so the chain executes none of the mutated delegates.
    const signer = KeyPair.fromString(developmentKey(OTHER));
    const { hash: blockHash } = (await rpc.block()).header;
    const key = KeyPair.fromRandom('ed25519').getPublicKey();
    const { bytes, signedDelegate } = await makeDelegate({
      senderId: SENDER,
      actions: [
        greet('hello'),
        actions.transfer(1n),
        actions.addFunctionCallAccessKey(key, 'shop.testnet', ['buy', 'sell'], 3n),
        actions.createAccount(),
        actions.stake(1n, key),
        actions.deleteKey(KeyPair.fromRandom('secp256k1').getPublicKey()),
        actions.deployContract(new Uint8Array(5)),
        actions.deleteAccount(OTHER),
      ],
    });

    const carrier = encodeTransaction(
      createTransaction(
        OTHER,
        signer.getPublicKey(),
        SENDER,
        1n,
        [actions.signedDelegate(signedDelegate)],
        base58.decode(blockHash),
      ),
    );
    const head = carrier.subarray(0, carrier.length - bytes.length);

    async function isReadByChain(delegate: Uint8Array<ArrayBuffer>): Promise<boolean> {
      const unsigned = Uint8Array.from([...head, ...delegate]);
      const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', unsigned));
      const signed = Uint8Array.from([...unsigned, 0, ...signer.sign(hash).signature]);
      const params = { signed_tx_base64: base64.encode(signed), wait_until: 'INCLUDED' };
      const response = await fetch(chain.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'send_tx', params }),
      });
      const { error } = (await response.json()) as { error: { cause: { name: string } } };
      expect(['PARSE_ERROR', 'INVALID_TRANSACTION']).toContain(error.cause.name);
      return error.cause.name !== 'PARSE_ERROR';
    }

    const change = fc.tuple(fc.nat(bytes.length - 1), fc.oneof(fc.nat(255), fc.nat(3)));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 2 }), async (changes) => {
        const changed = Uint8Array.from(bytes);
        for (const [at, byte] of changes) changed[at] = byte;
        let isRead = true;
        try {
          readSignedDelegate(changed);
        } catch (error) {
          // The chain may read kinds of action that this relay never accepts.
          if ((error as Refusal).code === 'not_allowed') return;
          isRead = false;
        }
        expect(isRead).toBe(await isReadByChain(changed));
      }),
      { numRuns: 500 },
    );
  });

  describe('counts at its real cost', () => {
    const committed: bigint[] = [];
    let delegator: Delegator;

    beforeAll(async () => {
      const counting = createRpcClient({ urls: proxy.url });
      const signer = createTransactionSigner(RELAYER, [new Secret(developmentKey(RELAYER))]);
      delegator = new Delegator({
        rpc: counting,
        relayer: createRelayer(counting, signer, createMemoryLeaseStore()),
        policy: {
          calls: new Map([[REGISTRY, null]]),
          ownActions: new Set(['Transfer']),
          maxGas: 100n * TGAS,
          maxDepositYocto: 1000n,
          spendCapYocto: 10n ** 24n,
          senderCapYocto: 10n ** 24n,
        },
        spend: {
          reserve: () => ({ commit: (yocto) => void committed.push(yocto), release: () => undefined }),
        },
        meterFor: createLocalMeters(createMemoryRecord()),
        log: createLog(() => undefined),
      });
    });

    /** Relays a delegate, and compares the counted amount with what left the relayer's account. */
    async function cost({ bytes, hash }: MadeDelegate) {
      const before = await balance(RELAYER);
      committed.length = 0;
      const answer = await delegator
        .relay({ hash, signedDelegate: Uint8Array.from(bytes) }, 'test')
        .catch((error: Refusal) => error);
      expect(committed).toEqual([before - (await balance(RELAYER))]);
      return answer;
    }

    it('when it transfers a deposit', async () => {
      const before = await balance(OTHER);
      const delegate = await sign([actions.transfer(1000n)], { senderId: OTHER, receiverId: OTHER });
      expect(await cost(delegate)).toMatchObject({ transactionHash: expect.any(String) });
      expect((await balance(OTHER)) - before).toBe(1000n);
    });

    it('when its call fails, and the chain gives the deposit to the sender', async () => {
      const before = await balance(OTHER);
      const delegate = await sign([greet('not payable', 20n * TGAS, 700n)], { senderId: OTHER });
      expect(await cost(delegate)).toMatchObject({ code: 'delegate_failed' });
      expect((await balance(OTHER)) - before).toBe(700n);
    });

    it('when a rival delegate was faster, and the chain returns the deposit to the relayer', async () => {
      const before = await balance(OTHER);
      const { nonce } = (await rpc.viewAccessKey(
        OTHER,
        KeyPair.fromString(developmentKey(OTHER)).getPublicKey().toString(),
      ))!;
      const delegate = await sign([actions.transfer(1000n)], { senderId: OTHER, receiverId: OTHER });
      const rival = await sign([greet('faster')], { senderId: OTHER });
      expect(await cost(rival)).toMatchObject({ transactionHash: expect.any(String) });
      // This node does not know of the rival yet.
      proxy.fail(
        'query:view_access_key',
        {
          kind: 'rewrite-answer',
          rewrite: (envelope: { result: object }) => ({ ...envelope, result: { ...envelope.result, nonce } }),
        },
        1,
      );
      expect(await cost(delegate)).toMatchObject({ code: 'nonce_used', transactionHash: expect.any(String) });
      expect(await balance(OTHER)).toBe(before);
    });
  });

  describe('never costs more than its reservation', () => {
    const key = KeyPair.fromRandom('ed25519').getPublicKey();
    const bytes = new Uint8Array(47_000);
    const method = 'm'.repeat(256);

    it.each<[string, Action[]]>([
      ['a call', [greet('', 30n * TGAS)]],
      ['a call with the largest arguments', [actions.functionCall(method, bytes, 100n * TGAS)]],
      [
        'a hundred calls',
        Array.from({ length: 100 }, () => actions.functionCall(method, new Uint8Array(), 1n)),
      ],
      ['a hundred new accounts', Array.from({ length: 100 }, () => actions.createAccount())],
      ['the largest contract', [actions.deployContract(bytes)]],
      ['a hundred new keys', Array.from({ length: 100 }, () => actions.addFullAccessKey(key))],
      [
        'a new key with many methods',
        [actions.addFunctionCallAccessKey(key, REGISTRY, Array(7).fill(method))],
      ],
      ['a hundred stakes', Array.from({ length: 100 }, () => actions.stake(1n, key))],
      ['a hundred transfers', Array.from({ length: 100 }, () => actions.transfer(3n))],
      ['a hundred deleted keys', Array.from({ length: 100 }, () => actions.deleteKey(key))],
      ['a deleted account', [actions.deleteAccount(OTHER)]],
    ])('with %s', async (_, inner) => {
      // The chain tells a relayer without NEAR what the transaction would cost.
      const secret = new Secret(developmentKey(OTHER));
      const signer = createTransactionSigner(OTHER, [secret]);
      const poor = createRelayer(rpc, signer, createMemoryLeaseStore());
      const delegate = readSignedDelegate((await sign(inner)).bytes);
      const { borshBytes: transaction } = await poor.signDelegate(delegate);
      const refusal = await rpc.sendTransaction(transaction).catch((error: unknown) => rpcFailure(error));
      expect(refusal).toMatchObject({ reason: 'NotEnoughBalance' });
      const { cost } = (refusal as RpcFailure).info as { cost: string };
      expect(BigInt(cost)).toBeLessThanOrEqual(mostYoctoOf(delegate.actions));
    });
  });
});
