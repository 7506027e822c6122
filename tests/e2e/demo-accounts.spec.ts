// Accounts created by other wallets, in the demo: the user types the full account id.
// Specification: core 4
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { ROOT } from '../../dev/services/services.js';
import { agree, confirmDialog, setGreeting, uncovered } from '../support/steps.js';
import { expect, test } from './fixtures.js';

prepareZXingModule({
  overrides: {
    wasmBinary: (await readFile(join(ROOT, 'react/wasm/zxing_reader.wasm'))).buffer as ArrayBuffer,
  },
});

test('the user types the full id of an account from another wallet, and this device joins it as device 1', async ({
  wallet,
  stack,
  username,
}) => {
  const { page } = wallet;
  const prefix = `alice-${username}`;
  const { accountId, account } = await stack.oracle.makeAccountElsewhere(prefix);

  await page.getByRole('radio', { name: 'Login' }).check();
  await page.getByRole('textbox', { name: 'Username' }).fill(accountId);
  await expect(page.getByText(`Is ${accountId} on another device?`)).toBeVisible();
  await page.getByRole('button', { name: 'Scan and Link Device' }).click();
  const passkey = confirmDialog(page);
  await expect(passkey).toContainText(accountId);
  await agree(passkey, 'Create passkey');
  const image = page.getByRole('img', { name: 'QR code that links this device' });
  await expect(page.getByText(`For ${accountId}.`)).toBeVisible();
  await uncovered(page);

  const [found] = await readBarcodes(await image.screenshot());
  const { device2PublicKey } = JSON.parse(found?.text ?? '{}') as { device2PublicKey: string };
  await account.addFullAccessKey(device2PublicKey);
  await expect(page.getByRole('heading', { level: 1, name: prefix, exact: true })).toBeVisible({
    timeout: 30_000,
  });
  const [[, record] = []] = await stack.oracle.authenticators(accountId);
  expect(record).toMatchObject({ device_number: 1, near_public_key: device2PublicKey });
  await setGreeting(wallet, `made elsewhere, ${username}`);
  expect(await stack.oracle.greeting()).toContain(`made elsewhere, ${username}`);
});
