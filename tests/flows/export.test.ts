// Key export as a host calls it: its requirements, refusals and reports. The user writes down what the viewer shows.
// Specification: core 2, core 5, frame 10
import type { FlowEvent } from 'latchkey';
import { KeyPair } from 'near-api-js';
import { openDatabase } from './storage.js';
import { accountOf, expect, test, type Wallet } from './wallet.js';

const NO_MATERIAL = {
  success: false,
  errorCode: 'NO_LOCAL_KEY_MATERIAL',
  error:
    'No local key material found for this account on this device. ' +
    'Please complete registration or recovery here first.',
};

const exported = ({ manager, accountId }: Wallet) => manager.exportNearKeypairWithUI(accountId);

/** Changes the stored keys. */
async function changeKeys(
  wallet: Wallet,
  change: (records: Record<string, unknown>[]) => readonly Record<string, unknown>[],
): Promise<void> {
  const database = await openDatabase(wallet, 'PasskeyNearKeys');
  const records = change(await database.getAll('encryptedKeys'));
  await database.clear('encryptedKeys');
  for (const record of records) await database.put('encryptedKeys', record);
  database.close();
}

test('export is off unless the configuration allows it, and the error says how to allow it [S71]', async ({
  open,
  username,
}) => {
  const wallet = await open({ config: { keyExport: undefined } });
  await wallet.register(accountOf(username));
  const result = await exported(wallet);
  expect(result).toMatchObject({
    success: false,
    errorCode: 'EXPORT_NEAR_KEYPAIR_DISABLED',
    publicKey: null,
  });
  expect(result.error).toContain('keyExport: { sameOrigin: true }');
  expect(wallet.facade.paper.written).toEqual([]);
  expect(wallet.prompts).toEqual(['create']);
});

test('an account that is not on this device and an invalid account id are refused with a clear message', async ({
  wallet: { manager },
}) => {
  expect(await manager.exportNearKeypairWithUI('nobody.w3a-v1.testnet')).toMatchObject(NO_MATERIAL);
  expect(await manager.exportNearKeypairWithUI('no account')).toMatchObject({
    success: false,
    errorCode: 'INVALID_ACCOUNT_ID',
  });
});

test('logged out, with chain and relay down, the passkey alone is enough', async ({
  wallet,
  stack,
  expectedConsole,
}) => {
  expectedConsole.push(/RPC/i);
  await wallet.logOut();
  wallet.refuseAll();
  expect(await exported(wallet)).toMatchObject({ success: true, nearAccountId: wallet.accountId });
  const [privateKey = ''] = wallet.facade.paper.written;
  const publicKey = KeyPair.fromString(privateKey as `ed25519:${string}`)
    .getPublicKey()
    .toString();
  expect(await stack.oracle.fullAccessKeys(wallet.accountId)).toEqual([publicKey]);
});

test('export reports that the viewer opens and closes, and never the key', async ({ wallet, stack }) => {
  const { manager, accountId } = wallet;
  const events: FlowEvent<'export'>[] = [];
  const result = await manager.exportNearKeypairWithUI(accountId, {
    onEvent: (event) => void events.push(event),
  });
  expect(events.map(({ step, phase, status }) => `${step} ${phase} ${status}`)).toEqual([
    '1 preparation progress',
    '1 preparation success',
    '2 viewer-opened success',
    '3 webauthn-authentication progress',
    '3 webauthn-authentication success',
    '4 key-delivered success',
    '5 viewer-closed success',
  ]);
  const [publicKey] = await stack.oracle.fullAccessKeys(accountId);
  expect(result).toEqual({ success: true, nearAccountId: accountId, publicKey });
  const [privateKey = ''] = wallet.facade.paper.written;
  expect(JSON.stringify([events, result])).not.toContain(privateKey.slice('ed25519:'.length));
});

test("another account's key material stored under this account's name does not decrypt", async ({
  wallet,
  username,
}) => {
  const former = wallet.accountId;
  await wallet.register(accountOf(`${username}-b`));
  // The first account's ciphertext takes the place of both.
  await changeKeys(wallet, (records) => {
    const stolen = records.find(({ nearAccountId }) => nearAccountId === former);
    return records.map(({ nearAccountId }) => ({ ...stolen, nearAccountId }));
  });
  const { success, error } = await exported(wallet);
  expect(success).toBe(false);
  expect(error).toContain(`This time the passkey of ${wallet.accountId}`);
  expect(wallet.facade.paper.written).toEqual([]);
});

test('without local key material export says what to do and opens no viewer', async ({ wallet }) => {
  await changeKeys(wallet, () => []);
  expect(await exported(wallet)).toMatchObject(NO_MATERIAL);
  expect(wallet.facade.paper.written).toEqual([]);
  expect(wallet.prompts).toEqual(['create']);
});
