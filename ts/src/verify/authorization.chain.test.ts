/** Authorizations (NEP-641) on the real chain: by keys, by contracts, and what nodes and contracts make up. */

import { readFile } from 'node:fs/promises';
import { hex } from '@scure/base';
import { actions, KeyPair, type KeyPairString, nearToYocto } from 'near-api-js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { deploySaying } from '../../../tests/devnet/tokens.js';
import { builtContract, call, deploy } from '../../../tests/support/contracts.js';
import {
  type Lie,
  type LyingNode,
  noKey,
  returns,
  startLyingNode,
} from '../../../tests/support/lying-node.js';
import { localOracle, type Oracle } from '../../../tests/support/oracle.js';
import { type Devnet, developmentKey, startDevnet } from '../../../tests/support/relay/devnet.js';
import type { AuthorizationExpectation } from './authorization.js';
import { createRpcClient, type RpcClient, resolveAuthorization } from './index.js';
import { implicitAccountIdOf, readKeyAuthorization } from './key-authorization.js';
import { authorize, CHAIN_ID, type ToAuthorize } from './testing/authorize.js';

const ALICE = 'alice.testnet';
const BOB = 'bob.testnet';
const CAROL = 'carol.testnet';
const MULTISIG = 'multisig.testnet';
const OUTER = 'outer.testnet';
const SAYS = 'says.testnet';
const PAYLOAD = '{"domain":"app.example","action":"Login","msg":"4f1c"}';
const keyOf = (accountId: string) => KeyPair.fromString(developmentKey(accountId) as KeyPairString);

describe('an authorization', { timeout: 60_000 }, () => {
  let chain: Devnet;
  let oracle: Oracle;
  let rpc: RpcClient;
  /** In front of the chain: its own client asks nobody else. */
  let node: LyingNode;
  let viaNode: RpcClient;

  beforeAll(async () => {
    chain = await startDevnet({ args: [ALICE, BOB, CAROL].flatMap((id) => ['--fund', `${id}=100`]) });
    node = await startLyingNode(chain.url);
    oracle = localOracle(chain.url);
    rpc = createRpcClient({ urls: chain.url });
    viaNode = createRpcClient({ urls: node.url });
    const code = await readFile(builtContract('multisig.wasm'));
    await deploy(oracle, MULTISIG, code);
    await call(oracle, MULTISIG, 'new', { members: [ALICE, BOB, CAROL], threshold: 2 });
    await deploy(oracle, OUTER, code);
    await call(oracle, OUTER, 'new', { members: [MULTISIG, CAROL], threshold: 1 });
    await deploySaying(oracle, SAYS, { payload: PAYLOAD });
  }, 60_000);
  afterEach(() => node?.tellTruth());
  afterAll(async () => {
    await node?.close();
    await chain?.stop();
  });

  const verdictOn = (authorized: unknown, expected: Partial<AuthorizationExpectation> = {}) =>
    resolveAuthorization(authorized, { rpc, chainId: CHAIN_ID, payload: PAYLOAD, ...expected });
  const byKey = (accountId: string, key = keyOf(accountId), change: ToAuthorize = {}) =>
    authorize(accountId, key, { payload: PAYLOAD, ...change });
  const says = (saying: object) => call(oracle, SAYS, 'say', saying);

  it('of the shared chain id is what the chain is called', async () => {
    const status = await (await fetch(`${chain.url}/status`)).json();
    expect(status.chain_id).toBe(CHAIN_ID);
  });

  describe('by a key', () => {
    it('of full access is verified, at the block that was read', async () => {
      const verdict = await verdictOn(await byKey(ALICE), { accountId: ALICE });
      expect(verdict).toEqual({
        verified: true,
        accountId: ALICE,
        publicKey: keyOf(ALICE).getPublicKey().toString(),
        blockHeight: expect.any(Number),
        blockHash: expect.any(String),
      });
      const { blockHeight, blockHash } = verdict as { blockHeight: number; blockHash: string };
      expect((await rpc.block({ blockId: blockHash })).header.height).toBe(blockHeight);
    });

    it('with a callback URL is verified', async () => {
      const signed = await byKey(ALICE, keyOf(ALICE), { callbackUrl: 'https://app.example/back' });
      expect(await verdictOn(signed)).toMatchObject({ verified: true });
    });

    it('counts for one chain, account, path, payload, signature and time', async () => {
      const later = new Date(Date.now() + 3_600_000).toISOString();
      const good = await byKey(ALICE);
      const refusals: [object, string, RegExp][] = [
        [
          await byKey(ALICE, keyOf(ALICE), { chain_id: 'mainnet' }),
          'CHAIN_MISMATCH',
          /"mainnet", expected was testnet/,
        ],
        [{ ...good, accountId: BOB }, 'SIGNER_MISMATCH', /of bob.testnet is signed for alice.testnet/],
        [await byKey(ALICE, keyOf(ALICE), { path: [MULTISIG] }), 'PATH_MISMATCH', /for "multisig.testnet"/],
        [
          await byKey(ALICE, keyOf(ALICE), { payload: 'other' }),
          'PAYLOAD_MISMATCH',
          /authorizes "other", expected/,
        ],
        [await byKey(ALICE, keyOf(ALICE), { payload: `${PAYLOAD} ` }), 'PAYLOAD_MISMATCH', /expected was/],
        [await byKey(ALICE, keyOf(ALICE), { timestamp: later }), 'FROM_THE_FUTURE', /after the block \d+/],
        [
          { ...good, authorization: good.authorization.replace('Login', 'Pay') },
          'SIGNATURE_INVALID',
          /not signed by ed25519:/,
        ],
        [
          await byKey(ALICE, KeyPair.fromRandom('ed25519')),
          'KEY_NOT_FOUND',
          /alice.testnet has no access key/,
        ],
        [await byKey('nobody.testnet', keyOf(ALICE)), 'KEY_NOT_FOUND', /or does not exist/],
      ];
      for (const [authorized, reason, message] of refusals) {
        const verdict = await verdictOn(authorized);
        expect(verdict, reason).toMatchObject({ verified: false, reason });
        expect((verdict as { message: string }).message, reason).toMatch(message);
      }
    });

    it('is malformed, or of another account, before anything is asked', async () => {
      const asked = node.calls.length;
      const good = await byKey(ALICE);
      const refusals: [unknown, Partial<AuthorizationExpectation>, string][] = [
        [null, {}, 'MALFORMED'],
        [{ accountId: ALICE }, {}, 'MALFORMED'],
        [{ ...good, accountId: 'A!' }, {}, 'ACCOUNT_ID_INVALID'],
        [good, { accountId: BOB }, 'ACCOUNT_MISMATCH'],
        [good, { chainId: '' }, 'EXPECTATION_INVALID'],
        [good, { payload: '\ud800' }, 'EXPECTATION_INVALID'],
        [good, { accountId: 'A!' }, 'EXPECTATION_INVALID'],
        [good, { maxAgeMs: -1 }, 'EXPECTATION_INVALID'],
        [good, { limits: { maxCalls: 1.5 } }, 'EXPECTATION_INVALID'],
        [{ ...good, authorization: 'x'.repeat(300_000) }, {}, 'TOO_MANY_BYTES'],
      ];
      for (const [authorized, expected, reason] of refusals) {
        const verdict = await verdictOn(authorized, { rpc: viaNode, ...expected });
        expect(verdict, reason).toMatchObject({ verified: false, reason });
      }
      expect(node.calls).toHaveLength(asked);
    });

    it('expires where the backend says how old it may be', async () => {
      const signed = await byKey(ALICE);
      expect(await verdictOn(signed, { maxAgeMs: 30_000 })).toMatchObject({ reason: 'EXPIRED' });
      expect(await verdictOn(signed, { maxAgeMs: 300_000 })).toMatchObject({ verified: true });
    });

    it('does not count once the key is gone, or if it may only call a contract', async () => {
      const key = KeyPair.fromRandom('ed25519');
      const bounded = KeyPair.fromRandom('ed25519');
      const bob = oracle.accountAs(BOB);
      const add = [
        actions.addFullAccessKey(key.getPublicKey()),
        actions.addFunctionCallAccessKey(bounded.getPublicKey(), MULTISIG, [], nearToYocto(1)),
      ];
      await bob.signAndSendTransaction({ receiverId: BOB, actions: add, waitUntil: 'FINAL' });
      expect(await verdictOn(await byKey(BOB, key))).toMatchObject({ verified: true });
      expect(await verdictOn(await byKey(BOB, bounded))).toMatchObject({ reason: 'KEY_NOT_FULL_ACCESS' });
      await bob.signAndSendTransaction({
        receiverId: BOB,
        actions: [actions.deleteKey(key.getPublicKey())],
        waitUntil: 'FINAL',
      });
      expect(await verdictOn(await byKey(BOB, key))).toMatchObject({ reason: 'KEY_NOT_FOUND' });
    });

    it('of an implicit account counts before the account exists, and with its key after that', async () => {
      const key = KeyPair.fromRandom('ed25519');
      const accountId = hex.encode(Uint8Array.from(key.getPublicKey().data));
      expect(await verdictOn(await byKey(accountId, key))).toMatchObject({ verified: true, accountId });
      const stranger = KeyPair.fromRandom('ed25519');
      expect(await verdictOn(await byKey(accountId, stranger))).toMatchObject({ reason: 'KEY_NOT_FOUND' });
      const transfer = [actions.transfer(nearToYocto(1))];
      await oracle
        .accountAs(ALICE)
        .signAndSendTransaction({ receiverId: accountId, actions: transfer, waitUntil: 'FINAL' });
      expect(await verdictOn(await byKey(accountId, key))).toMatchObject({ verified: true });
      await oracle.accountAs(accountId, key.toString() as `ed25519:${string}`).signAndSendTransaction({
        receiverId: accountId,
        actions: [actions.addFullAccessKey(stranger.getPublicKey()), actions.deleteKey(key.getPublicKey())],
        waitUntil: 'FINAL',
      });
      expect(await verdictOn(await byKey(accountId, key))).toMatchObject({ reason: 'KEY_NOT_FOUND' });
      expect(await verdictOn(await byKey(accountId, stranger))).toMatchObject({ verified: true });
    });

    it('of secp256k1 counts for its Ethereum account before that exists', async () => {
      const key = KeyPair.fromRandom('secp256k1');
      const { authorization } = await byKey(ALICE, key);
      const accountId = await implicitAccountIdOf(readKeyAuthorization(authorization)!.key);
      expect(accountId).toMatch(/^0x[\da-f]{40}$/);
      expect(await verdictOn(await byKey(accountId, key))).toMatchObject({ verified: true, accountId });
      expect(await verdictOn(await byKey(ALICE, key))).toMatchObject({ reason: 'KEY_NOT_FOUND' });
    });

    describe('is judged alike by nodes before and after nearcore#16267, which say', () => {
      const flat =
        (sentence: (asked: Record<string, unknown>) => string): Lie =>
        ({ result, error }, asked) => {
          const info = (error as { cause?: { info?: object } } | undefined)?.cause?.info;
          const { block_height, block_hash } = (result ?? info) as Record<string, unknown>;
          return {
            jsonrpc: '2.0',
            id: '1',
            result: { error: sentence(asked), logs: [], block_height, block_hash },
          };
        };
      const DIALECTS: readonly (readonly [string, Lie])[] = [
        [
          'the key is missing',
          flat(({ public_key }) => `access key ${public_key} does not exist while viewing`),
        ],
        [
          'the account is missing',
          flat(({ account_id }) => `account ${account_id} does not exist while viewing`),
        ],
        ['UNKNOWN_ACCESS_KEY', noKey],
      ];
      it.each(DIALECTS)('%s', async (_name, dialect) => {
        const key = KeyPair.fromRandom('ed25519');
        const missing = hex.encode(Uint8Array.from(key.getPublicKey().data));
        const there = KeyPair.fromRandom('ed25519');
        const existing = hex.encode(Uint8Array.from(there.getPublicKey().data));
        const transfer = [actions.transfer(nearToYocto(1))];
        await oracle
          .accountAs(ALICE)
          .signAndSendTransaction({ receiverId: existing, actions: transfer, waitUntil: 'FINAL' });
        // The account exists: its key counts as removed.
        node.lie('query:view_access_key', dialect);
        expect(await verdictOn(await byKey(missing, key), { rpc: viaNode })).toMatchObject({
          verified: true,
        });
        expect(await verdictOn(await byKey(existing, there), { rpc: viaNode })).toMatchObject({
          reason: 'KEY_NOT_FOUND',
        });
      });
    });

    it('counts by a gas key with full access, not by one for calls', async () => {
      const withPermission =
        (permission: object): Lie =>
        ({ result }) => ({ jsonrpc: '2.0', id: '1', result: { ...result, permission } });
      node.lie(
        'query:view_access_key',
        withPermission({ GasKeyFullAccess: { balance: '0', num_nonces: 2 } }),
      );
      expect(await verdictOn(await byKey(ALICE), { rpc: viaNode })).toMatchObject({ verified: true });
      const bounds = { allowance: null, receiver_id: BOB, method_names: [], balance: '0', num_nonces: 2 };
      node.lie('query:view_access_key', withPermission({ GasKeyFunctionCall: bounds }));
      expect(await verdictOn(await byKey(ALICE), { rpc: viaNode })).toMatchObject({
        reason: 'KEY_NOT_FULL_ACCESS',
      });
    });

    it('counts for an account without keys yet only if the account follows from the key', async () => {
      const key = KeyPair.fromRandom('ed25519');
      const implicit = hex.encode(Uint8Array.from(key.getPublicKey().data));
      const uninitialized: Lie = ({ error }) => {
        const { block_height, block_hash } = (error as { cause: { info: Record<string, unknown> } }).cause
          .info;
        const empty = { amount: '1', locked: '0', code_hash: '1'.repeat(32), storage_usage: 100 };
        const result = { ...empty, state: 'uninitialized', bootstrap_nonce: 1, block_height, block_hash };
        return { jsonrpc: '2.0', id: '1', result };
      };
      node.lie('query:view_account', uninitialized);
      expect(await verdictOn(await byKey(implicit, key), { rpc: viaNode })).toMatchObject({ verified: true });
      const universal = `0u${'a'.repeat(51)}0`;
      expect(await verdictOn(await byKey(universal, key), { rpc: viaNode })).toMatchObject({
        reason: 'KEY_NOT_FOUND',
      });
    });
  });

  describe('by a contract', () => {
    const expectOf = (contract: string, depth = 0, payload = PAYLOAD) => `${contract}/${depth}: ${payload}`;
    const ofMembers = async (
      members: readonly string[],
      { path = [MULTISIG], payload = expectOf(MULTISIG), ...change }: ToAuthorize = {},
    ) => ({
      accountId: MULTISIG,
      authorization: JSON.stringify({
        payload: PAYLOAD,
        approvals: await Promise.all(
          members.map(async (member) => {
            const { authorization } = await byKey(member, keyOf(member), { path, payload, ...change });
            return { account_id: member, authorization };
          }),
        ),
      }),
    });

    it('is verified with the authorizations that it rests on', async () => {
      const verdict = await verdictOn(await ofMembers([ALICE, CAROL]), { rpc: viaNode });
      expect(verdict).toEqual({
        verified: true,
        accountId: MULTISIG,
        blockHeight: expect.any(Number),
        blockHash: expect.any(String),
      });
    });

    it('is read at one block, whatever it asks', async () => {
      const begun = node.calls.length;
      const verdict = await verdictOn(await ofMembers([ALICE, CAROL]), { rpc: viaNode });
      const { blockHash } = verdict as { blockHash: string };
      const [block, ...views] = node.calls.slice(begun).map(({ body }) => JSON.parse(body).params);
      expect(block).toEqual({ finality: 'final' });
      expect(views).toHaveLength(3);
      expect(views.map((asked) => asked.block_id)).toEqual([blockHash, blockHash, blockHash]);
    });

    it('counts only if each of those counts, for what the contract needs, on the way to it', async () => {
      const refusals: [object, string, RegExp][] = [
        [await ofMembers([ALICE]), 'CONTRACT_REFUSED', /too few members approve/],
        [await ofMembers([ALICE, ALICE]), 'CONTRACT_REFUSED', /a member approves twice/],
        [
          await ofMembers([ALICE, CAROL], { payload: PAYLOAD }),
          'SUB_PAYLOAD_MISMATCH',
          /multisig.testnet -> alice.testnet/,
        ],
        [await ofMembers([ALICE, CAROL], { path: [] }), 'PATH_MISMATCH', /signed for no other account/],
        [await ofMembers([ALICE, CAROL], { path: [OUTER] }), 'PATH_MISMATCH', /"outer.testnet"/],
        [await ofMembers([ALICE, CAROL], { path: [MULTISIG, OUTER] }), 'PATH_MISMATCH', /way to it/],
      ];
      for (const [authorized, reason, message] of refusals) {
        const verdict = await verdictOn(authorized);
        expect(verdict, reason).toMatchObject({ verified: false, reason });
        expect((verdict as { message: string }).message, reason).toMatch(message);
      }
      const other = await verdictOn(await ofMembers([ALICE, CAROL]), { payload: 'other' });
      expect(other).toMatchObject({ reason: 'PAYLOAD_MISMATCH' });
    });

    it('may rest on another contract, down to the depth that the backend allows', async () => {
      const inner = await ofMembers([ALICE, BOB], {
        path: [MULTISIG, OUTER],
        payload: expectOf(MULTISIG, 1, expectOf(OUTER)),
      });
      const approval = JSON.stringify({
        ...JSON.parse(inner.authorization),
        payload: expectOf(OUTER),
      });
      const authorization = JSON.stringify({
        payload: PAYLOAD,
        approvals: [{ account_id: MULTISIG, authorization: approval }],
      });
      const authorized = { accountId: OUTER, authorization };
      expect(await verdictOn(authorized)).toMatchObject({ verified: true, accountId: OUTER });
      const verdict = await verdictOn(authorized, { limits: { maxDepth: 1 } });
      expect(verdict).toMatchObject({ reason: 'TOO_DEEP', message: expect.stringContaining('1 deep') });
      expect(await verdictOn(authorized, { limits: { maxDepth: 2, maxSubAuthorizations: 3 } })).toMatchObject(
        {
          verified: true,
        },
      );
      expect(await verdictOn(authorized, { limits: { maxSubAuthorizations: 2 } })).toMatchObject({
        reason: 'TOO_MANY_SUB_AUTHORIZATIONS',
      });
      expect(await verdictOn(authorized, { limits: { maxCalls: 4 } })).toMatchObject({
        reason: 'TOO_MANY_CALLS',
      });
      expect(await verdictOn(authorized, { limits: { maxCalls: 5 } })).toMatchObject({ verified: true });
      expect(await verdictOn(authorized, { limits: { maxBytes: authorization.length + 100 } })).toMatchObject(
        {
          reason: 'TOO_MANY_BYTES',
        },
      );
    });

    it('is nothing where there is no contract', async () => {
      for (const accountId of [ALICE, 'nobody.testnet']) {
        const verdict = await verdictOn({ accountId, authorization: 'approved' });
        expect(verdict, accountId).toMatchObject({ verified: false, reason: 'NO_CONTRACT' });
      }
      const registry = { accountId: 'w3a-v1.testnet', authorization: 'approved' };
      expect(await verdictOn(registry)).toMatchObject({ reason: 'CONTRACT_REFUSED' });
    });

    it('yields to a good key of the account, and stands in for a bad one', async () => {
      await says({ payload: PAYLOAD });
      expect(await verdictOn(await byKey(SAYS))).toMatchObject({
        verified: true,
        publicKey: keyOf(SAYS).getPublicKey().toString(),
      });
      const verdict = await verdictOn(await byKey(SAYS, KeyPair.fromRandom('ed25519')));
      expect(verdict).toMatchObject({ verified: true });
      expect(verdict).not.toHaveProperty('publicKey');
      // The contract refuses what is no list of approvals, and the key's own fault is said.
      const bad = await byKey(MULTISIG, KeyPair.fromRandom('ed25519'));
      expect(await verdictOn(bad)).toMatchObject({ reason: 'KEY_NOT_FOUND' });
    });

    it('ends where a contract leads in a circle, or names too many', async () => {
      const itself = { account_id: SAYS, authorization: 'again', expect: PAYLOAD };
      await says({ payload: PAYLOAD, pending: [itself] });
      const authorized = { accountId: SAYS, authorization: 'once' };
      const begun = node.calls.length;
      expect(await verdictOn(authorized, { rpc: viaNode })).toMatchObject({ reason: 'TOO_DEEP' });
      expect(node.calls.length - begun).toBe(6);
      await says({ payload: PAYLOAD, pending: Array.from({ length: 9 }, () => itself) });
      expect(await verdictOn(authorized)).toMatchObject({ reason: 'TOO_MANY_SUB_AUTHORIZATIONS' });
    });

    it.each([
      ['no payload', {}],
      ['a payload that is no text', { payload: 7 }],
      ['pending that is no list', { payload: PAYLOAD, pending: {} }],
      [
        'an account that is none',
        { payload: PAYLOAD, pending: [{ account_id: 'A!', authorization: '', expect: '' }] },
      ],
      ['nothing that is expected', { payload: PAYLOAD, pending: [{ account_id: ALICE, authorization: '' }] }],
    ])('is refused where the contract returns %s', async (_name, saying) => {
      await says(saying);
      const verdict = await verdictOn({ accountId: SAYS, authorization: 'x' });
      expect(verdict).toMatchObject({ verified: false, reason: 'CONTRACT_ANSWER_INVALID' });
    });

    it('is refused where the contract returns more than the backend reads', async () => {
      await says({ payload: 'x'.repeat(1000) });
      const verdict = await verdictOn(
        { accountId: SAYS, authorization: 'x' },
        { limits: { maxBytes: 1000 } },
      );
      expect(verdict).toMatchObject({ reason: 'TOO_MANY_BYTES' });
    });
  });

  describe('asked of nodes', () => {
    let both: RpcClient;
    beforeAll(() => {
      both = createRpcClient({ urls: [chain.url, node.url], agreement: 2 });
    });

    it('that agree, is verified', async () => {
      expect(await verdictOn(await byKey(ALICE), { rpc: both })).toMatchObject({ verified: true });
    });

    it('of which one lies about a key, an account, a contract or the time, is no verdict', async () => {
      const stranger = await byKey(ALICE, KeyPair.fromRandom('ed25519'));
      const full: Lie = ({ result, error }) => {
        const info = result ?? (error as { cause: { info: Record<string, unknown> } }).cause.info;
        const { block_height, block_hash } = info;
        return {
          jsonrpc: '2.0',
          id: '1',
          result: { nonce: 1, permission: 'FullAccess', block_height, block_hash },
        };
      };
      const tomorrow: Lie = ({ result }) => {
        const header = result?.header as { timestamp_nanosec: string };
        const later = String(BigInt(header.timestamp_nanosec) + 86_400_000_000_000n);
        return {
          jsonrpc: '2.0',
          id: '1',
          result: { ...result, header: { ...header, timestamp_nanosec: later } },
        };
      };
      const lies: [string, Lie, object][] = [
        ['query:view_access_key', full, stranger],
        ['query:view_access_key', noKey, await byKey(ALICE)],
        ['query:w_resolve_auth', returns({ payload: PAYLOAD }), { accountId: MULTISIG, authorization: 'x' }],
        ['block', tomorrow, await byKey(ALICE)],
      ];
      for (const [name, lie, authorized] of lies) {
        node.tellTruth();
        node.lie(name, lie);
        await expect(verdictOn(authorized, { rpc: both }), name).rejects.toMatchObject({
          code: 'RPC_DISAGREEMENT',
        });
      }
    });

    it('that answer about another block than the one asked, is no verdict', async () => {
      const elsewhere: Lie = ({ result }) => ({
        jsonrpc: '2.0',
        id: '1',
        result: { ...result, block_hash: '1'.repeat(32) },
      });
      node.lie('query:view_access_key', elsewhere);
      await expect(verdictOn(await byKey(ALICE), { rpc: viaNode })).rejects.toMatchObject({
        code: 'NEAR_RPC_FAILED',
      });
    });

    it('that lag behind one address, is verified each time', async () => {
      const network = (lags: readonly number[]) =>
        fetch(`${chain.url}/admin/network`, { method: 'PUT', body: JSON.stringify({ lags }) });
      await network([0, 3, 8]);
      try {
        const lagging = createRpcClient({ urls: chain.url });
        for (let time = 0; time < 6; time += 1) {
          expect(await verdictOn(await byKey(ALICE), { rpc: lagging })).toMatchObject({ verified: true });
        }
        const two = createRpcClient({ urls: [chain.url, node.url], agreement: 2 });
        for (let time = 0; time < 3; time += 1) {
          expect(await verdictOn(await byKey(ALICE), { rpc: two })).toMatchObject({ verified: true });
        }
      } finally {
        await network([0]);
      }
    });

    it('that do not answer, is an error; and ends with the caller’s reason when the caller aborts', async () => {
      const dead = createRpcClient({ urls: 'http://127.0.0.1:9' });
      await expect(verdictOn(await byKey(ALICE), { rpc: dead })).rejects.toMatchObject({
        code: 'NEAR_RPC_FAILED',
      });
      const signal = AbortSignal.abort(new Error('enough'));
      await expect(verdictOn(await byKey(ALICE), { signal })).rejects.toThrow('enough');
    });
  });
});
