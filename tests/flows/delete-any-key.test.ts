// Keys of every kind are listed and deleted on a real chain: gas keys with what is on them, and keys of ML-DSA-65.
// Specification: core 6, core 8
import { readFileSync } from 'node:fs';
import { beforeAll } from 'vitest';
import { developmentKey } from '../../dev/services/keys.js';
import { loadSigner } from '../../ts/src/workers/testing/signer-wasm.js';
import { devicesOf, otherDevice, test } from './linking.js';
import { sendAs } from './sent-as.js';
import { expect, type Wallet } from './wallet.js';

const NEAR = 10n ** 24n;
const PAYER = 'testnet';

beforeAll(loadSigner);

/** Another account pays into a gas key of the wallet's account. */
const fill = ({ stack, accountId }: Wallet, publicKey: string, deposit: bigint): Promise<void> =>
  sendAs(stack, [PAYER, developmentKey(PAYER)], accountId, [
    { type: 'TransferToGasKey', publicKey, deposit: String(deposit) },
  ]);

async function addGasKey(wallet: Wallet): Promise<string> {
  const { publicKey } = otherDevice();
  const accessKey = { permission: { GasKeyFullAccess: { numNonces: 2 } } };
  await wallet.executeAsPreviewed(wallet.accountId, { type: 'AddKey', publicKey, accessKey });
  await wallet.executeAsPreviewed(wallet.accountId, { type: 'TransferToGasKey', publicKey, deposit: '5' });
  return publicKey;
}

const keysOf = async ({ stack, accountId }: Wallet): Promise<readonly string[]> =>
  (await stack.oracle.provider.viewAccessKeyList({ accountId })).keys.map(({ public_key }) =>
    String(public_key),
  );

const lastShown = ({ shown }: Wallet, count: number) =>
  shown.slice(-count).map((model) => (model.kind === 'transactions' ? model.transactions : []));

test('a gas key is listed, and deleted with what is on it in one transaction', async ({ device1 }) => {
  const { accountId, manager } = device1;
  const publicKey = await addGasKey(device1);
  const { otherKeys, gasKeys } = await devicesOf(device1);
  expect(otherKeys).toEqual([publicKey]);
  expect(gasKeys).toEqual([{ publicKey, balanceYocto: '5', lanes: 2, receiverId: null }]);
  expect(await manager.deleteDeviceKey(accountId, publicKey)).toMatchObject({ success: true });
  expect(lastShown(device1, 1)).toMatchObject([
    [
      {
        receiverId: accountId,
        actions: [
          { type: 'WithdrawFromGasKey', publicKey, amount: '5' },
          { type: 'DeleteKey', publicKey },
        ],
      },
    ],
  ]);
  expect(await keysOf(device1)).not.toContain(publicKey);
  expect(await devicesOf(device1)).toMatchObject({ otherKeys: [] });
  expect(await devicesOf(device1)).not.toHaveProperty('gasKeys');
});

test('a gas key that somebody fills before its deletion is deleted with a second prompt', async ({
  device1,
}) => {
  const { accountId, manager } = device1;
  const publicKey = await addGasKey(device1);
  const before = device1.shown.length;
  device1.decision = 'wait';
  const confirmationConfig = { behavior: 'requireClick' } as const;
  const deleting = manager.deleteDeviceKey(accountId, publicKey, { confirmationConfig });
  await expect.poll(() => device1.shown.length).toBe(before + 1);
  await fill(device1, publicKey, 2n * NEAR);
  device1.decision = 'confirm';
  expect(await deleting).toMatchObject({ success: true });
  const amounts = lastShown(device1, 2).map(([transaction]) => transaction?.actions[0]);
  expect(amounts).toMatchObject([{ amount: '5' }, { amount: String(2n * NEAR + 5n) }]);
  expect(await keysOf(device1)).not.toContain(publicKey);
  await expect.poll(() => device1.stack.oracle.balance(accountId)).toBeGreaterThan(2n * NEAR);
});

test('a key of ML-DSA-65 is listed by its hash, and deleted by the key itself', async ({ device1 }) => {
  const { accountId, manager } = device1;
  const { publicKey } = JSON.parse(
    readFileSync(new URL('../vectors/ml-dsa-65.json', import.meta.url), 'utf8'),
  ) as { readonly publicKey: string };
  const accessKey = { permission: 'FullAccess' } as const;
  await device1.executeAsPreviewed(accountId, { type: 'AddKey', publicKey, accessKey });
  const [hash = '', ...others] = (await devicesOf(device1)).otherKeys;
  expect([hash, others]).toEqual([expect.stringMatching('^ml-dsa-65-hash:'), []]);
  expect(await manager.deleteDeviceKey(accountId, hash)).toMatchObject({
    success: false,
    error: expect.stringContaining('the ML-DSA-65 key itself'),
  });
  expect(await manager.deleteDeviceKey(accountId, publicKey)).toMatchObject({ success: true });
  expect(await keysOf(device1)).not.toContain(hash);
});
