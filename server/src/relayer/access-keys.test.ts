/** Further access keys, added on the real chain. */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startChain } from '../../../dev/services/services.js';
import { type FaultProxy, startFaultProxy } from '../../../tests/support/fault-proxy.js';
import { type Devnet, developmentKey } from '../../../tests/support/relay/devnet.js';
import { createRpcClient, type RpcClient, rpcFailure } from '../../../ts/src/near/index.js';
import { createReadiness } from '../observe/readiness.js';
import { readRelayerAccount } from '../platform/relay-settings.js';
import { loadRelayModule } from '../platform/wasm.js';
import { temporaryFolder } from '../testing/temporary-folder.js';
import { addAccessKeys, MAX_NEW_KEYS } from './access-keys.js';
import { createMemoryLeaseStore } from './lease-store.js';
import { createRelayer } from './relayer.js';
import { createTransactionSigner, publicKeyOf } from './transaction-signer.js';

const RELAYER = 'relayer.testnet';
const POOR = 'poor.testnet';

describe('adding access keys', { timeout: 120_000 }, () => {
  const folder = temporaryFolder();
  let chain: Devnet;
  let proxy: FaultProxy;
  let rpc: RpcClient;
  let files = 0;
  let path: string;

  beforeAll(async () => {
    chain = await startChain({ port: 0, blockTimeMs: 50, args: ['--fund', `${POOR}=1`] });
    proxy = await startFaultProxy(chain.url);
    rpc = createRpcClient({ urls: chain.url });
    await loadRelayModule();
  });
  afterAll(async () => {
    await proxy?.close();
    await chain?.stop();
  });
  beforeEach(() => {
    proxy.heal();
    files += 1;
    path = folder.file(`keys-${files}.env`);
  });

  const account = (accountId = RELAYER, keys: string = developmentKey(accountId)) =>
    readRelayerAccount({ RELAYER_ACCOUNT_ID: accountId, RELAYER_PRIVATE_KEY: keys, NEAR_RPC_URL: proxy.url });
  const add = (count: number, of = account(), client = createRpcClient({ urls: proxy.url })) =>
    addAccessKeys({ rpc: client, account: of, count, path });
  const keysOf = async (accountId: string) =>
    (await rpc.viewAccessKeyList(accountId)).keys.map((key) => key.public_key);
  const failing = (adding: Promise<unknown>) =>
    adding.then(
      () => expect.fail('the keys were added'),
      (error: Error) => error.message,
    );

  it('adds them on the chain, and writes all of them to a file readable only by its owner [S8]', async () => {
    const added = await add(3);
    expect(added).toMatchObject({ isResumed: false, publicKeys: { length: 3 } });
    expect(await keysOf(RELAYER)).toEqual(expect.arrayContaining([...added.publicKeys]));
    expect((await stat(path)).mode & 0o777).toBe(0o600);

    const lines = (await readFile(path, 'utf8')).trim().split('\n').slice(1);
    const env = Object.fromEntries(lines.map((line) => line.split('=')));
    const all = readRelayerAccount({ ...env, NEAR_RPC_URL: proxy.url });
    expect(all.accountId).toBe(RELAYER);
    expect(all.privateKeys.map((key) => key.reveal()).join()).toBe(added.privateKeys.reveal());
    const own = publicKeyOf(account().privateKeys[0]!);
    expect(all.privateKeys.map(publicKeyOf)).toEqual([own, ...added.publicKeys]);
    await createReadiness(rpc, RELAYER, all.privateKeys.map(publicKeyOf)).check();
  });

  it('keeps the keys that are already in the file', async () => {
    const first = await add(1);
    const second = await add(2);
    const own = publicKeyOf(account().privateKeys[0]!);
    const inFile = readRelayerAccount({
      RELAYER_ACCOUNT_ID: RELAYER,
      RELAYER_PRIVATE_KEY: second.privateKeys.reveal(),
    }).privateKeys.map(publicKeyOf);
    expect(inFile).toEqual([own, ...first.publicKeys, ...second.publicKeys]);
  });

  it('completes a sent but unanswered run with the same keys', async () => {
    proxy.fail('send_tx', { kind: 'drop-answer' });
    proxy.fail('tx', { kind: 'drop-answer' });
    const before = await keysOf(RELAYER);
    expect(await failing(add(2))).toContain('Run the command again: it looks, and takes the same keys');
    expect(await readdir(folder.path)).not.toContain(`keys-${files}.env`);
    expect((await stat(`${path}.pending`)).mode & 0o777).toBe(0o600);

    proxy.heal();
    const resumed = await add(5);
    expect(resumed).toMatchObject({ isResumed: true, publicKeys: { length: 2 } });
    const fresh = (await keysOf(RELAYER)).filter((key) => !before.includes(key));
    expect(fresh.sort()).toEqual([...resumed.publicKeys].sort());
    expect(await readdir(folder.path)).not.toContain(`keys-${files}.env.pending`);
  });

  it('completes an unsent run with the same keys', async () => {
    proxy.fail('send_tx', { kind: 'status', status: 429 });
    await failing(add(2));
    const pending = await readFile(`${path}.pending`, 'utf8');
    proxy.heal();
    const { privateKeys } = await add(2);
    const [, made = ''] = /RELAYER_PRIVATE_KEY=(\S+)/.exec(pending) ?? [];
    expect(privateKeys.reveal()).toBe(`${developmentKey(RELAYER)},${made}`);
  });

  it('by two concurrent commands adds the keys of both', async () => {
    const before = await keysOf(RELAYER);
    const [one, two] = await Promise.all([add(2), add(3)]);
    const fresh = (await keysOf(RELAYER)).filter((key) => !before.includes(key));
    expect(fresh.sort()).toEqual([...one.publicKeys, ...two.publicKeys].sort());
    const [, value = ''] = /RELAYER_PRIVATE_KEY=(\S+)/.exec(await readFile(path, 'utf8')) ?? [];
    expect(value.split(',')).toHaveLength(6);
  });

  it.each([
    ['the gas', 60],
    ['the storage', 10],
  ])('reports an account without the balance for %s, and adds nothing', async (_, count) => {
    const signer = createTransactionSigner(POOR, account(POOR).privateKeys);
    const spare = BigInt((await rpc.viewAccount(POOR))!.amount) - 6n * 10n ** 21n;
    if (spare > 10n ** 21n) {
      const payment = createRelayer(rpc, signer, createMemoryLeaseStore());
      const { borshBytes } = await payment.signActions(RELAYER, [
        { type: 'Transfer', amount: String(spare) },
      ]);
      await rpc.sendTransaction(borshBytes, 'FINAL');
    }
    const message = await failing(add(count, account(POOR)));
    expect(message).toContain(`${POOR} lacks the balance`);
    expect(message).toContain('Fund it and run the command again');
    expect(await keysOf(POOR)).toHaveLength(1);
  });

  it('needs a key with full access', async () => {
    const stranger = `ed25519:${developmentKey(POOR).slice('ed25519:'.length)}`;
    expect(await failing(add(1, account(RELAYER, stranger)))).toContain(`full access to ${RELAYER}`);
  });

  it.each([
    ['something else', 'RELAYER_PRIVATE_KEY="quoted"\n', 'is not a file of relayer keys'],
    [
      'another account’s keys',
      `RELAYER_ACCOUNT_ID=${POOR}\nRELAYER_PRIVATE_KEY=${developmentKey(POOR)}\n`,
      'another account',
    ],
  ])('keeps a file with %s', async (_, content, problem) => {
    await writeFile(path, content);
    const message = await failing(add(1));
    expect(message).toContain(problem);
    expect(message).not.toContain('ed25519:');
    expect(await readFile(path, 'utf8')).toBe(content);
  });

  it.each([0, 1.5, MAX_NEW_KEYS + 1])('refuses %s keys', (count) => {
    expect(() => add(count)).toThrow(RangeError);
  });

  it('gives full access, because the chain lets no function-call key attach a deposit [S88]', async () => {
    const limited = (await add(1)).privateKeys.reveal().split(',').at(-1)!;
    const [owner] = account().privateKeys;
    const signer = createTransactionSigner(RELAYER, [owner!]);
    const change = createRelayer(rpc, signer, createMemoryLeaseStore());
    const publicKey = publicKeyOf(account(RELAYER, limited).privateKeys[0]!);
    const permission = {
      FunctionCall: {
        allowance: null,
        receiverId: 'w3a-v1.testnet',
        methodNames: ['create_account_and_register_user'],
      },
    };
    const replaced = await change.signActions(RELAYER, [
      { type: 'DeleteKey', publicKey },
      { type: 'AddKey', publicKey, accessKey: { permission } },
    ]);
    await rpc.sendTransaction(replaced.borshBytes, 'FINAL');

    const limitedSigner = createTransactionSigner(RELAYER, account(RELAYER, limited).privateKeys);
    const relayer = createRelayer(rpc, limitedSigner, createMemoryLeaseStore());
    const call = { receiverId: 'w3a-v1.testnet', methodName: 'create_account_and_register_user', args: '{}' };
    const { borshBytes } = await relayer.sign({ ...call, gas: 10n ** 13n, depositYocto: 1n });
    const error = await rpc.sendTransaction(borshBytes, 'FINAL').catch((thrown: unknown) => thrown);
    expect(rpcFailure(error)).toMatchObject({
      kind: 'invalid_transaction',
      info: 'DepositWithFunctionCall',
    });
    await expect(createReadiness(rpc, RELAYER, [publicKey]).check()).rejects.toThrow('has no full access');
  });
});
