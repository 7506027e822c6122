// near-api-js, unchanged, against the local chain.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import binaryen from 'binaryen';
import {
  Account,
  actions,
  baseEncode,
  JsonRpcProvider,
  KeyPair,
  KeyPairSigner,
  nearToYocto,
  teraToGas,
} from 'near-api-js';
import {
  AccessKeyDoesNotExistError,
  AccountDoesNotExistError,
  ContractMethodNotFoundError,
  GlobalContractCodeDoesNotExistError,
  GlobalContractDoesNotExistActionError,
  UnknownBlockError,
  UnknownTransactionError,
} from 'near-api-js/rpc-errors';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Devnet, developmentKey, startDevnet } from './devnet.js';

const ALICE = 'alice.testnet';
const BOB = 'bob.testnet';
const CAROL = 'carol.testnet';

let devnet: Devnet;
let provider: JsonRpcProvider;
let contract: Uint8Array;

function account(accountId: string, key: KeyPair = developmentKey(accountId)): Account {
  return new Account(accountId, provider, new KeyPairSigner(key));
}

beforeAll(async () => {
  const wat = await readFile(
    new URL('../../crates/devnet/tests/common/contract.wat', import.meta.url),
    'utf8',
  );
  const module = binaryen.parseText(wat);
  module.setFeatures(binaryen.Features.BulkMemory);
  contract = module.emitBinary();
  devnet = await startDevnet([
    '--no-registry',
    '--block-time',
    '50ms',
    '--fund',
    `${ALICE}=100`,
    '--fund',
    `${BOB}=100`,
    '--fund',
    `${CAROL}=100`,
  ]);
  provider = new JsonRpcProvider({ url: devnet.url });
});

afterAll(async () => {
  await devnet.stop();
});

describe('views', () => {
  it('shows an account, its keys and its balance', async () => {
    const state = await account('testnet').getState();
    expect(state.balance.total).toBe(nearToYocto(1_000_000_000));
    const list = await account(ALICE).getAccessKeyList();
    expect(list.keys.map((entry) => String(entry.public_key))).toEqual([
      developmentKey(ALICE).getPublicKey().toString(),
    ]);
    expect(list.keys[0]?.access_key.permission).toBe('FullAccess');
  });

  it('shows consecutive blocks by height and by hash', async () => {
    const head = await provider.viewBlock({ finality: 'final' });
    const before = await provider.viewBlock({ blockId: head.header.height - 1 });
    expect(before.header.hash).toBe(head.header.prev_hash);
    const again = await provider.viewBlock({ blockId: head.header.hash });
    expect(again.header.height).toBe(head.header.height);
    await expect
      .poll(async () => (await provider.viewBlock({ finality: 'optimistic' })).header.height)
      .toBeGreaterThan(head.header.height);
  });

  it('answers the node methods that clients call first', async () => {
    expect((await provider.viewNodeStatus()).chain_id).toBe('testnet');
    expect(await provider.getNetworkId()).toBe('testnet');
    expect((await provider.viewGasPrice()).gas_price).toBe('100000000');
    expect((await provider.viewValidators()).current_validators).toEqual([]);
    const config = await provider.experimental_protocolConfig({ finality: 'final' });
    expect(config.protocol_version).toBe(88);
  });

  it('reports an unknown account, key, block or transaction by name', async () => {
    await expect(account('nobody.testnet', developmentKey(ALICE)).getState()).rejects.toThrow(
      AccountDoesNotExistError,
    );
    const stranger = KeyPair.fromRandom('ed25519').getPublicKey();
    await expect(account(ALICE).getAccessKey(stranger)).rejects.toThrow(AccessKeyDoesNotExistError);
    await expect(provider.viewBlock({ blockId: 5 })).rejects.toThrow(UnknownBlockError);
    const txHash = '9FtHUFBQsZ2MG77K3x3MJ9wjX3UT8zE1TczCrhZEcG8U';
    await expect(provider.viewTransactionStatus({ txHash, accountId: ALICE })).rejects.toThrow(
      UnknownTransactionError,
    );
  });
});

describe('transactions', () => {
  it('transfers, and then shows the outcome with its receipts', async () => {
    const before = await account(BOB).getBalance();
    const sent = await account(ALICE).transfer({ receiverId: BOB, amount: nearToYocto(2) });
    expect(await account(BOB).getBalance()).toBe(before + nearToYocto(2));

    const query = { txHash: sent.transaction.hash, accountId: ALICE, waitUntil: 'FINAL' as const };
    const status = await provider.viewTransactionStatus(query);
    expect(status.final_execution_status).toBe('FINAL');
    expect(status.status).toEqual({ SuccessValue: '' });
    const full = await provider.viewTransactionStatusWithReceipts(query);
    expect('receipts' in full).toBe(true);
    expect(full.receipts_outcome.length).toBe(status.receipts_outcome.length);
  });

  it('reaches every level that send_tx can wait for', async () => {
    const levels = ['INCLUDED', 'INCLUDED_FINAL', 'EXECUTED_OPTIMISTIC', 'EXECUTED', 'FINAL'] as const;
    for (const level of levels) {
      const signed = await account(ALICE).createSignedTransaction({
        receiverId: BOB,
        actions: [actions.transfer(1n)],
      });
      const answer = await provider.sendTransactionUntil(signed, level);
      expect(answer.transaction.receiver_id).toBe(BOB);
    }
    const signed = await account(ALICE).createSignedTransaction({
      receiverId: BOB,
      actions: [actions.transfer(1n)],
    });
    const none = await provider.sendTransactionUntil(signed, 'NONE');
    expect(none).toEqual({ final_execution_status: 'NONE' });
  });

  it('makes a sub-account with its own key, and deletes it', async () => {
    const key = KeyPair.fromRandom('ed25519');
    await account(ALICE).createSubAccount({
      accountOrPrefix: 'sub',
      publicKey: key.getPublicKey(),
      nearToTransfer: nearToYocto(3),
    });
    const sub = account(`sub.${ALICE}`, key);
    expect((await sub.getState()).balance.total).toBe(nearToYocto(3));
    await sub.deleteAccount(BOB);
    await expect(sub.getState()).rejects.toThrow(AccountDoesNotExistError);
    await expect(
      account(ALICE).createSubAccount({ accountOrPrefix: BOB, publicKey: key.getPublicKey() }),
    ).rejects.toThrow();
  });

  it('refuses a transaction that the signer cannot pay for, and a used nonce', async () => {
    await expect(
      account(BOB).transfer({ receiverId: ALICE, amount: nearToYocto(1_000_000) }),
    ).rejects.toThrow(/NotEnoughBalance|enough/i);
    const signed = await account(ALICE).createSignedTransaction({
      receiverId: BOB,
      actions: [actions.transfer(1n)],
    });
    await provider.sendTransactionUntil(signed, 'EXECUTED');
    signed.transaction.actions = [actions.transfer(2n)];
    await expect(provider.sendTransactionUntil(signed, 'EXECUTED')).rejects.toThrow(
      /InvalidSignature|signature/i,
    );
    const signer = new KeyPairSigner(developmentKey(ALICE));
    const { signedTransaction } = await signer.signTransaction(signed.transaction);
    await expect(provider.sendTransactionUntil(signedTransaction, 'EXECUTED')).rejects.toThrow(/nonce/i);
  });

  it('sends many transactions of one key concurrently', async () => {
    const before = await account(BOB).getBalance();
    const sender = account(ALICE);
    await sender.signAndSendTransactions({
      // Each differs, because near-api-js reuses a refused nonce, and equal transactions would be one.
      transactions: Array.from({ length: 10 }, (_, index) => ({
        receiverId: BOB,
        actions: [actions.transfer(10n ** BigInt(index))],
      })),
    });
    expect(await account(BOB).getBalance()).toBe(before + 1_111_111_111n);
  });

  it('relays a delegate action', async () => {
    const { signedDelegate } = await account(ALICE).createSignedMetaTransaction({
      receiverId: BOB,
      actions: [actions.transfer(nearToYocto(1))],
    });
    const before = await account(BOB).getBalance();
    const paid = await account('relayer.testnet').relayMetaTransaction(signedDelegate);
    await provider.viewTransactionStatus({
      txHash: paid.transaction.hash,
      accountId: 'relayer.testnet',
      waitUntil: 'FINAL',
    });
    expect(await account(BOB).getBalance()).toBe(before + nearToYocto(1));
  });
});

describe('contracts', () => {
  beforeAll(async () => {
    await account(ALICE).deployContract(contract);
  });

  it('calls methods and views their storage', async () => {
    await account(BOB).callFunction({
      contractId: ALICE,
      methodName: 'set',
      args: { greeting: 'hello' },
      gas: teraToGas(30),
    });
    const stored = await provider.callFunction({ contractId: ALICE, method: 'get', args: {} });
    expect(stored).toEqual({ greeting: 'hello' });
    const state = await provider.viewContractState({ contractId: ALICE });
    expect(state.values.map(({ key }) => key)).toEqual(['aw==']);
    const code = await provider.viewContractCode({ contractId: ALICE });
    expect(code.code).toEqual(contract);
  });

  it('lets a function-call key only call', async () => {
    const key = KeyPair.fromRandom('ed25519');
    await account(BOB).addFunctionCallAccessKey({
      publicKey: key.getPublicKey(),
      contractId: ALICE,
      methodNames: ['echo'],
      allowance: nearToYocto('0.25'),
    });
    const limited = account(BOB, key);
    const echoed = await limited.callFunction({ contractId: ALICE, methodName: 'echo', args: { n: 1 } });
    expect(echoed).toEqual({ n: 1 });
    await expect(limited.callFunction({ contractId: ALICE, methodName: 'set', args: {} })).rejects.toThrow(
      /MethodNameMismatch|method/i,
    );
    await expect(limited.transfer({ receiverId: ALICE, amount: 1n })).rejects.toThrow(
      /FullAccess|full access/i,
    );
    await account(BOB).deleteKey(key.getPublicKey());
    await expect(limited.callFunction({ contractId: ALICE, methodName: 'echo', args: {} })).rejects.toThrow(
      /does not exist/,
    );
  });

  it('reports a panic with its text', async () => {
    await expect(
      account(BOB).callFunction({ contractId: ALICE, methodName: 'fail', args: {} }),
    ).rejects.toThrow(/boom/);
  });

  it('reports a missing method as such, in calls and views', async () => {
    await expect(provider.callFunction({ contractId: ALICE, method: 'nothing', args: {} })).rejects.toThrow(
      ContractMethodNotFoundError,
    );
    await expect(
      account(BOB).callFunction({ contractId: ALICE, methodName: 'nothing', args: {} }),
    ).rejects.toThrow(/MethodNotFound|not found/i);
  });
});

describe('global contracts', () => {
  it('runs the code of an account at the accounts that use it', async () => {
    await account(BOB).deployGlobalContract(contract, 'accountId');
    const identifier = { accountId: BOB };
    // No level waits for the distribution.
    const { code, hash } = await vi.waitFor(() => provider.viewGlobalContractCode({ identifier }), 15_000);
    expect(code).toEqual(contract);

    await account(CAROL).useGlobalContract(identifier);
    const greeting = { greeting: 'hello' };
    await account(BOB).callFunction({ contractId: CAROL, methodName: 'set', args: greeting });
    expect(await provider.callFunction({ contractId: CAROL, method: 'get', args: {} })).toEqual(greeting);
    const state = await provider.viewAccount({ accountId: CAROL });
    expect(state.global_contract_account_id).toBe(BOB);
    const used = await provider.viewContractCode({ contractId: CAROL });
    expect({ code: used.code, hash: used.hash }).toEqual({ code, hash });
  });

  it('runs code under its hash, and names a hash that it does not have', async () => {
    const codeHash = createHash('sha256').update(contract).digest();
    const identifier = { codeHash: baseEncode(codeHash) };
    await expect(provider.viewGlobalContractCode({ identifier })).rejects.toThrow(
      GlobalContractCodeDoesNotExistError,
    );
    await expect(account(CAROL).useGlobalContract({ codeHash })).rejects.toThrow(
      GlobalContractDoesNotExistActionError,
    );
    await account(BOB).deployGlobalContract(contract, 'codeHash');
    await vi.waitFor(() => provider.viewGlobalContractCode({ identifier }), 15_000);
    await account(CAROL).useGlobalContract({ codeHash });
    const state = await provider.viewAccount({ accountId: CAROL });
    expect(state.global_contract_hash).toBe(identifier.codeHash);
  });
});

describe('the wire', () => {
  async function post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(devnet.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }
  const request = (method: string, params: unknown, id: unknown = 'x') => ({
    jsonrpc: '2.0',
    id,
    method,
    params,
  });

  it('accepts every origin', async () => {
    const answer = await post(request('status', []), { origin: 'http://localhost:5173' });
    expect(answer.headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
    const preflight = await fetch(devnet.url, {
      method: 'OPTIONS',
      headers: {
        origin: 'http://localhost:5173',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
    expect(preflight.ok).toBe(true);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('content-type');
  });

  it('accepts the older positional parameters', async () => {
    const result = async (method: string, params: unknown) =>
      (await (await post(request(method, params))).json()).result;
    expect((await result('query', [`account/${ALICE}`, ''])).amount).toMatch(/^\d+$/);
    expect((await result('query', [`access_key/${ALICE}`, ''])).keys).toHaveLength(1);
    const head = await result('block', { finality: 'final' });
    expect((await result('block', [head.header.height])).header.hash).toBe(head.header.hash);
    expect(await result('gas_price', [null])).toEqual({ gas_price: '100000000' });
    expect(await result('health', [])).toBeNull();
  });

  it("wraps errors in a node's envelope, with its HTTP statuses", async () => {
    const unknownMethod = await post(request('no_such_method', []));
    expect(await unknownMethod.json()).toEqual({
      jsonrpc: '2.0',
      id: 'x',
      error: {
        name: 'REQUEST_VALIDATION_ERROR',
        cause: { name: 'METHOD_NOT_FOUND', info: { method_name: 'no_such_method' } },
        code: -32601,
        message: 'Method not found',
        data: 'no_such_method',
      },
    });
    const unknownBlock = await post(request('block', { block_id: 1 }));
    expect(unknownBlock.status).toBe(422);
    expect((await unknownBlock.json()).error.cause.name).toBe('UNKNOWN_BLOCK');
    const account = request('query', {
      request_type: 'view_account',
      account_id: 'no.testnet',
      finality: 'final',
    });
    const unknownAccount = await post(account);
    expect(unknownAccount.status).toBe(200);
    expect((await unknownAccount.json()).error).toMatchObject({
      name: 'HANDLER_ERROR',
      cause: { name: 'UNKNOWN_ACCOUNT', info: { requested_account_id: 'no.testnet' } },
      code: -32000,
      data: 'account no.testnet does not exist while viewing',
    });
  });

  it('answers two query errors inside a result, as nodes do', async () => {
    const public_key = KeyPair.fromRandom('ed25519').getPublicKey().toString();
    const key = { request_type: 'view_access_key', account_id: ALICE, public_key, finality: 'final' };
    expect((await (await post(request('query', key))).json()).result).toMatchObject({
      error: `access key ${public_key} does not exist while viewing`,
      logs: [],
    });
    const call = {
      request_type: 'call_function',
      account_id: ALICE,
      method_name: 'fail',
      args_base64: '',
      finality: 'final',
    };
    const answer = (await (await post(request('query', call))).json()).result;
    expect(answer.error).toContain('wasm execution failed with error: ');
  });

  it('answers batches, and malformed requests with a parse error', async () => {
    const batch = await (await post([request('status', [], 1), request('nope', [], 2)])).json();
    expect(batch.map((answer: { id: number }) => answer.id)).toEqual([1, 2]);
    for (const body of ['{', '[]', '"text"', '{"method":"status"}', '{"jsonrpc":"2.0","id":1}']) {
      const answer = await (await post(body)).json();
      expect(answer.error.code, body).toBe(-32700);
    }
    const badParams = await (await post(request('query', { request_type: 'view_account' }))).json();
    expect(badParams.error.cause.name).toBe('PARSE_ERROR');
  });

  it('shows an account as it was at an earlier block', async () => {
    const RICH = 'testnet';
    const before = await provider.viewBlock({ finality: 'final' });
    const then = await provider.viewAccount({
      accountId: RICH,
      blockQuery: { blockId: before.header.height },
    });
    await account(ALICE).transfer({ receiverId: RICH, amount: nearToYocto(1) });
    const again = await provider.viewAccount({
      accountId: RICH,
      blockQuery: { blockId: before.header.hash },
    });
    expect(again).toEqual(then);
    const now = await provider.viewAccount({ accountId: RICH, blockQuery: { finality: 'final' } });
    expect(now.amount).toBe(then.amount + nearToYocto(1));
  });

  it('shows transactions and accounts as pages', async () => {
    const sent = await account(BOB).callFunctionRaw({
      contractId: ALICE,
      methodName: 'echo',
      args: { markup: '<script>alert(1)</script>' },
    });
    const page = await fetch(`${devnet.url}/transactions/${sent.transaction.hash}`);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const html = await page.text();
    expect(html).toContain('Call <code>echo</code>');
    expect(html).toContain('<pre>hello</pre>');
    expect(html).toContain('&lt;script&gt;');
    expect(html).not.toContain('<script>');

    const address = await (await fetch(`${devnet.url}/address/${BOB}`)).text();
    expect(address).toContain(`/transactions/${sent.transaction.hash}`);
    expect(address).toContain('full access');
    expect((await fetch(`${devnet.url}/address/no.testnet`)).status).toBe(404);
    expect((await fetch(`${devnet.url}/transactions/nonsense`)).status).toBe(404);
  });
});
