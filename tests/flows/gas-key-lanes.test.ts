// A device whose key is a gas key signs in the lanes of that key, on a real chain.
// Specification: core 3, core 4
import { beforeAll } from 'vitest';
import { developmentKey } from '../../dev/services/keys.js';
import { REGISTRY } from '../../dev/services/services.js';
import { loadSigner } from '../../ts/src/workers/testing/signer-wasm.js';
import { otherDevice } from './linking.js';
import { sendAs } from './sent-as.js';
import { expect, greetingOf, test, type Wallet } from './wallet.js';

const NEAR = 10n ** 24n;
const PAYER = 'testnet';
const LANES = 3;

beforeAll(loadSigner);

/** Makes the device's key a gas key with full access, by another key of the account, and fills it. Returns the key. */
async function withGasKey(wallet: Wallet): Promise<string> {
  const { stack, accountId } = wallet;
  const publicKey = (await wallet.state()).publicKey ?? '';
  const other = otherDevice();
  const accessKey = { permission: 'FullAccess' } as const;
  await wallet.execute(accountId, { type: 'AddKey', publicKey: other.publicKey, accessKey });
  await sendAs(stack, [accountId, other.secret], accountId, [
    { type: 'DeleteKey', publicKey },
    { type: 'AddKey', publicKey, accessKey: { permission: { GasKeyFullAccess: { numNonces: LANES } } } },
  ]);
  await sendAs(stack, [PAYER, developmentKey(PAYER)], accountId, [
    { type: 'TransferToGasKey', publicKey, deposit: String(3n * NEAR) },
  ]);
  wallet.reload();
  await wallet.logIn();
  return publicKey;
}

const greetingIn = (greeting: string, lane?: number) => ({
  receiverId: REGISTRY,
  actions: [greetingOf(greeting)],
  ...(lane !== undefined && { lane }),
});

test('transactions go out in the lanes that they name, and the key pays for their gas', async ({
  wallet,
}) => {
  const publicKey = await withGasKey(wallet);
  const { manager, accountId: nearAccountId, stack } = wallet;
  const before = await stack.oracle.balance(nearAccountId);
  const results = await manager.signAndSendTransactions({
    nearAccountId,
    transactions: [greetingIn('one', 2), greetingIn('two', 0), greetingIn('three', 2)],
    options: { waitUntil: 'FINAL' },
  });
  expect(results.map(({ fate, error }) => error ?? fate)).toEqual(['executed', 'executed', 'executed']);
  expect(wallet.shown.at(-1)).toMatchObject({ transactions: [{ lane: 2 }, { lane: 0 }, { lane: 2 }] });
  expect(wallet.shown.at(-1)).toMatchObject({ cost: { gas: '0', usual: '0', total: '0' } });
  expect(await stack.oracle.greeting()).toBe('three');
  expect(await stack.oracle.balance(nearAccountId)).toBe(before);
  const { gasKeys } = await manager.getLinkedDevices(nearAccountId);
  expect(gasKeys).toMatchObject([{ publicKey, lanes: LANES }]);
  expect(BigInt(gasKeys?.[0]?.balanceYocto ?? 0)).toBeLessThan(3n * NEAR);
});

test('a lane that is not there, and none, are refused before the confirmation', async ({ wallet }) => {
  const { accountId: nearAccountId } = wallet;
  const send = async (lane?: number) => {
    const transactions = [greetingIn('no', lane)];
    const [result] = await wallet.manager.signAndSendTransactions({ nearAccountId, transactions });
    return { code: result?.errorCode, text: result?.error, fate: result?.fate };
  };
  const refused = (text: string) => ({
    code: 'INVALID_ACTION',
    text: expect.stringContaining(text),
    fate: 'not-sent',
  });
  expect(await send(0)).toEqual(refused('is no gas key, and has no lanes'));
  await withGasKey(wallet);
  const before = [wallet.shown.length, wallet.prompts.length];
  expect(await send(LANES)).toEqual(refused('has the lanes 0 to 2, and the transaction has 3'));
  expect(await send()).toEqual(refused('has the lanes 0 to 2, and a transaction needs one of them'));
  expect([wallet.shown.length, wallet.prompts.length]).toEqual(before);
});
