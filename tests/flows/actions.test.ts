// The facade signs each of the eight actions, and the chain executes them.
// Specification: core 5, core 6, core 8
import { readFile } from 'node:fs/promises';
import binaryen from 'binaryen';
import { Account, KeyPair, KeyPairSigner } from 'near-api-js';
import { REGISTRY } from '../../dev/services/services.js';
import { deploy } from '../support/contracts.js';
import { expect, pay, test, type Wallet } from './wallet.js';

const NEAR = 10n ** 24n;

async function tallyContract(): Promise<Uint8Array> {
  const text = await readFile(new URL('../devnet/tally.wat', import.meta.url), 'utf8');
  const module = binaryen.parseText(text);
  const code = Uint8Array.from(module.emitBinary());
  module.dispose();
  return code;
}

/** The code and text of the error that a call throws, or of its result. */
async function problemOf({ manager, accountId: nearAccountId }: Wallet, transactions: readonly unknown[]) {
  try {
    const [result] = await manager.signAndSendTransactions({
      nearAccountId,
      transactions: transactions as never,
    });
    return [result?.errorCode, result?.error];
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return [code, message];
  }
}

test('CreateAccount, Transfer and AddKey create an account that its key can use, and DeleteAccount deletes it', async ({
  wallet,
  stack,
}) => {
  const provider = stack.oracle.provider;
  await pay(stack, wallet.accountId, 50n);
  const child = `child.${wallet.accountId}`;
  const key = KeyPair.fromRandom('ed25519');
  await wallet.executeAsPreviewed(child, [
    { type: 'CreateAccount' },
    { type: 'Transfer', amount: String(2n * NEAR) },
    {
      type: 'AddKey',
      publicKey: key.getPublicKey().toString(),
      accessKey: { permission: 'FullAccess' },
    },
  ]);
  const account = new Account(child, provider, new KeyPairSigner(key));
  await account.transfer({ receiverId: wallet.accountId, amount: NEAR });

  // Only the account itself may delete it: the chain refuses another signer.
  const refused = await wallet.execute(child, [{ type: 'DeleteAccount', beneficiaryId: wallet.accountId }]);
  expect(refused).toMatchObject({ success: false, fate: 'failed', errorCode: 'TRANSACTION_FAILED' });
  expect(refused.error).toMatch(/ActorNoPermission|permission/i);
  expect(await stack.oracle.accountExists(child)).toBe(true);
});

test('DeleteAccount deletes the account that signs it', async ({ wallet }) => {
  const beneficiaryId = 'relayer.testnet';
  await wallet.executeAsPreviewed(wallet.accountId, { type: 'DeleteAccount', beneficiaryId });
});

test('DeployContract deploys code to the account, and FunctionCall calls it with arguments and a deposit', async ({
  wallet,
  stack,
}) => {
  const provider = stack.oracle.provider;
  await pay(stack, wallet.accountId, 50n);
  const code = await tallyContract();
  await wallet.executeAsPreviewed(wallet.accountId, { type: 'DeployContract', code });
  const call = { type: 'FunctionCall', methodName: 'tally', args: {} } as const;
  await wallet.executeAsPreviewed(wallet.accountId, [call, call]);
  // The caller's own count and the total: two calls.
  const state = {
    request_type: 'view_state',
    account_id: wallet.accountId,
    prefix_base64: '',
    finality: 'final',
  };
  const { values } = (await provider.sendJsonRpc('query', state)) as { values: { value: string }[] };
  expect(values.map(({ value }) => Buffer.from(value, 'base64').readBigUInt64LE())).toEqual([2n, 2n]);
  const missing = await wallet.execute(wallet.accountId, [{ ...call, methodName: 'no_such_method' }]);
  expect(missing).toMatchObject({ success: false, fate: 'failed', errorCode: 'TRANSACTION_FAILED' });
  expect(missing.error).toMatch(/MethodNotFound/);
});

test('FunctionCall gives its deposit to the contract of another account', async ({ wallet, stack }) => {
  const receiverId = 'tally.testnet';
  await deploy(stack.oracle, receiverId, await tallyContract());
  const call = { type: 'FunctionCall', methodName: 'tally', args: {}, deposit: '5' } as const;
  await wallet.executeAsPreviewed(receiverId, [call, { ...call, deposit: '2' }]);
});

test('AddKey with function-call access adds a key limited to its permission, and DeleteKey removes it', async ({
  wallet,
  stack,
}) => {
  const provider = stack.oracle.provider;
  await pay(stack, wallet.accountId, 50n);
  const key = KeyPair.fromRandom('ed25519');
  const publicKey = key.getPublicKey().toString();
  const permission = {
    FunctionCall: { allowance: String(NEAR), receiverId: REGISTRY, methodNames: ['set_greeting'] },
  };
  await wallet.executeAsPreviewed(wallet.accountId, {
    type: 'AddKey',
    publicKey,
    accessKey: { permission },
  });

  const app = new Account(wallet.accountId, provider, new KeyPairSigner(key));
  const greet = (methodName: string) =>
    app.callFunction({
      contractId: REGISTRY,
      methodName,
      args: { greeting: 'by an app key' },
      waitUntil: 'FINAL',
    });
  await greet('set_greeting');
  expect(await stack.oracle.greeting()).toBe('by an app key');
  await expect(greet('get_owner')).rejects.toThrow(/method|MethodNameMismatch/i);
  await expect(app.transfer({ receiverId: REGISTRY, amount: 1n })).rejects.toThrow(
    /full access|RequiresFullAccess/i,
  );

  await wallet.executeAsPreviewed(wallet.accountId, { type: 'DeleteKey', publicKey });
  await expect(greet('set_greeting')).rejects.toThrow();
});

test('Stake is signed in the chain’s encoding, and the chain applies its own rules to it', async ({
  wallet,
  stack,
}) => {
  await pay(stack, wallet.accountId, 50n);
  const publicKey = KeyPair.fromRandom('ed25519').getPublicKey().toString();
  const stake = (amount: bigint) =>
    wallet.execute(wallet.accountId, [{ type: 'Stake', stake: String(amount), publicKey }]);
  const [tooLittle, tooMuch] = [await stake(1n), await stake(1000n * NEAR)];
  expect(tooLittle).toMatchObject({ success: false, fate: 'failed', errorCode: 'TRANSACTION_FAILED' });
  expect(tooLittle.error).toMatch(/InsufficientStake/);
  expect(tooMuch).toMatchObject({ success: false, fate: 'failed' });
  expect(tooMuch.error).toMatch(/TriesToStake/);
  const least = { type: 'Stake', stake: String(5n * NEAR), publicKey } as const;
  await wallet.executeAsPreviewed(wallet.accountId, least);
});

test('arguments beyond JavaScript’s safe integers, and unusual property names, arrive unchanged', async ({
  wallet,
  stack,
}) => {
  const args = `{"greeting":"odd","n":9007199254740993,"__proto__":{"a":[1e400,-0]},"constructor":null,"\\u00e9":"\\ud83d\\ude00"}`;
  const result = await wallet.execute(REGISTRY, [{ type: 'FunctionCall', methodName: 'set_greeting', args }]);
  expect(result).toMatchObject({ success: true, fate: 'executed' });
  expect(await stack.oracle.greeting()).toBe('odd');
  const sent = result.result as { transaction: { actions: { FunctionCall: { args: string } }[] } };
  const [action] = sent.transaction.actions;
  expect(Buffer.from(action?.FunctionCall.args ?? '', 'base64').toString()).toBe(args);
});

const IN_YOCTO = "in yoctoNEAR as a decimal text, as parseNear('0.5') makes it";
const KEY_FORM = "'ed25519:', 'secp256k1:' or 'ml-dsa-65:' and base58 of its bytes";

test('a missing or wrong field is refused with a clear message before any prompt', async ({ wallet }) => {
  const call = { type: 'FunctionCall', methodName: 'm', args: {} };
  const key = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';
  const invalid: [action: object, reason: string][] = [
    [{ ...call, args: '{not json' }, 'FunctionCall action args must be valid JSON string'],
    [{ ...call, args: undefined }, 'FunctionCall needs args'],
    [{ ...call, methodName: '' }, 'FunctionCall needs a methodName'],
    [{ ...call, gas: '1.5' }, "FunctionCall needs gas as a decimal text, as parseTgas('30') makes it"],
    [{ ...call, deposit: '-1' }, `FunctionCall needs a deposit ${IN_YOCTO}`],
    [{ type: 'Transfer' }, `Transfer needs an amount ${IN_YOCTO}`],
    [{ type: 'Transfer', amount: 1 }, `Transfer needs an amount ${IN_YOCTO}`],
    [{ type: 'DeployContract' }, 'DeployContract needs code as a Uint8Array that is not empty'],
    [{ type: 'Stake', stake: '1' }, `Stake needs a publicKey, ${KEY_FORM}`],
    [{ type: 'Stake', publicKey: key }, `Stake needs a stake ${IN_YOCTO}`],
    [{ type: 'AddKey', publicKey: key }, 'AddKey needs an accessKey'],
    [{ type: 'AddKey', accessKey: { permission: 'FullAccess' } }, `AddKey needs a publicKey, ${KEY_FORM}`],
    [{ type: 'DeleteKey' }, `DeleteKey needs a publicKey, ${KEY_FORM}`],
    [{ type: 'DeleteAccount' }, 'DeleteAccount needs a beneficiaryId'],
    [{ type: 'Mint' }, 'Unsupported action type: Mint'],
  ];
  const prompts = wallet.prompts.length;
  for (const [action, reason] of invalid) {
    expect(await problemOf(wallet, [{ receiverId: REGISTRY, actions: [action] }])).toEqual([
      'INVALID_ACTION',
      reason,
    ]);
  }
  expect(await problemOf(wallet, [{ receiverId: '', actions: [call] }])).toEqual([
    'INVALID_ACTION',
    'A transaction needs a receiverId',
  ]);
  expect(await problemOf(wallet, [{ receiverId: REGISTRY, actions: [] }])).toEqual([
    'INVALID_ACTION',
    'A transaction needs at least one action',
  ]);
  expect(await problemOf(wallet, [])).toEqual([
    'NO_TRANSACTIONS',
    'No transactions provided for batch signing',
  ]);
  const { manager, accountId: nearAccountId } = wallet;
  await expect(manager.signTransactionsWithActions({ nearAccountId, transactions: [] })).rejects.toThrow(
    'No payloads provided for signing',
  );
  expect(wallet.prompts.length).toBe(prompts);
});
