// A second device by QR code: two browsers that share only the chain. A picture of the code on one screen goes
// through the other one's camera.
// Specification: core 1, core 4, frame 7, demo 2
import {
  AGREE,
  agree,
  checkCodeIn,
  chooseInMenu,
  confirmDialog,
  linkedDevices,
  loggedInAs,
  openDevices,
  register,
  removeDevice,
  scanAndConfirm,
  scannedCodeOf,
  setGreeting,
  showLinkCode,
} from '../support/steps.js';
import { accountOf } from '../support/wallet.js';
import { testWithDevices } from './devices.js';
import { expect, FRAMED, REQUEST_FAILED } from './fixtures.js';

const test = testWithDevices();

test(
  "a second device joins by the first page's third step, signs, and the first device removes it",
  FRAMED,
  async ({ open, stack, username, expectedConsole }) => {
    test.setTimeout(180_000);
    expectedConsole.push(REQUEST_FAILED);
    const accountId = accountOf(username);
    const [a, b] = [await open(), await open()];
    await register(a, username);

    await test.step('both screens show one check code', async () => {
      const image = await showLinkCode(b);
      const shown = await scannedCodeOf(b);
      await a.see(image);
      const step = a.page.getByRole('region', { name: 'Add a second device', exact: true });
      await step.getByRole('button', { name: 'Scan the code' }).click();
      const linking = confirmDialog(a.page);
      await expect(linking).toHaveAccessibleName('Link a new device');
      await expect(linking).toContainText('full access');
      expect(await checkCodeIn(linking)).toBe(shown);
      await agree(linking, 'Link device');
      const joining = confirmDialog(b.page);
      await expect(joining).toHaveAccessibleName('Link this device');
      await expect(joining).toContainText(accountId);
      expect(await checkCodeIn(joining)).toBe(shown);
      await agree(joining, 'Create passkey');
      await expect(loggedInAs(b.page, username)).toBeVisible({ timeout: 20_000 });
      await expect(step).toContainText('The second device has the account, too.');
      await expect(a.page.getByRole('heading', { name: 'Done: Add a second device' })).toBeVisible();
      // The decoder and everything else came from the app; the other requests went to the chain and the relay.
      const hosts = [a, b].flatMap(({ asked }) =>
        asked.filter((url) => url.startsWith('http')).map((url) => new URL(url).hostname),
      );
      expect([...new Set(hosts)].filter((host) => !host.endsWith('localhost'))).toEqual(['127.0.0.1']);
      expect(a.asked.some((url) => url.includes('zxing_reader'))).toBe(true);
    });

    await test.step('each lists both, itself first', async () => {
      await setGreeting(b, `from the second device, ${username}`);
      expect(await stack.oracle.greeting()).toContain('from the second device');
      for (const [device, own, other] of [
        [a, 1, 2],
        [b, 2, 1],
      ] as const) {
        await openDevices(device);
        await expect(linkedDevices(device.page).getByRole('listitem')).toHaveText([
          new RegExp(`Device ${own} \\(current device\\)`),
          new RegExp(`Device ${other}`),
        ]);
      }
      const authenticators = await stack.oracle.authenticators(accountId);
      expect((await stack.oracle.fullAccessKeys(accountId)).sort()).toEqual(
        authenticators.map(([, { near_public_key }]) => near_public_key).sort(),
      );
    });

    await test.step('the first removes the second', async () => {
      await removeDevice(a, 2);
      await expect(confirmDialog(a.page)).toContainText('This removes device 2. Registered: ');
      await agree(confirmDialog(a.page), AGREE);
      await expect(linkedDevices(a.page).getByRole('listitem')).toHaveCount(1);
      expect(await stack.oracle.fullAccessKeys(accountId)).toHaveLength(1);
    });
  },
);

test('a user who takes longer than the key’s lifetime is shown the reason and a new code that works [S94]', async ({
  open,
  stack,
  username,
}) => {
  test.setTimeout(180_000);
  const [a, b] = [await open(), await open()];
  for (const { page } of [a, b]) await page.clock.install();
  await register(a, username);
  await a.see(await showLinkCode(b));
  await scanAndConfirm(a);
  await expect(confirmDialog(b.page)).toHaveAccessibleName('Link this device');
  const before = await checkCodeIn(confirmDialog(b.page));

  // A hundred seconds with an open confirmation and no press, until the other device deletes the key.
  await a.page.clock.fastForward(99_000);
  await expect(b.page.getByRole('button', { name: 'Show a new code' })).toBeVisible({ timeout: 40_000 });
  await expect(confirmDialog(b.page)).toBeHidden();
  expect(await stack.oracle.fullAccessKeys(accountOf(username))).toHaveLength(1);

  await b.page.getByRole('button', { name: 'Show a new code' }).click();
  const image = b.page.getByRole('img', { name: 'QR code that links this device' });
  await expect(image).toBeVisible();
  expect(await scannedCodeOf(b)).not.toBe(before);
  await a.see(image);
  await scanAndConfirm(a);
  await agree(confirmDialog(b.page), 'Create passkey');
  await expect(loggedInAs(b.page, username)).toBeVisible({ timeout: 20_000 });
});

test('a QR decoder that does not load is reported, the next try loads it, and it refuses a code of something else', async ({
  open,
  username,
  expectedConsole,
}) => {
  expectedConsole.push(REQUEST_FAILED);
  const a = await open();
  await register(a, username);
  a.seeCode('https://example.com/pay');
  const scanner = a.page.getByRole('dialog', { name: 'Scan and Link Device' });
  for (const [address, reason] of [
    ['**/*zxing_reader*.wasm', 'its WASM did not load (status 404)'],
    ['**/*decoder.worker*.js', 'its script did not load'],
  ] as const) {
    await a.page.context().route(address, (route) => route.fulfill({ status: 404, body: 'Not found' }));
    await chooseInMenu(a.page, 'Scan and Link Device');
    await expect(scanner.getByRole('alert')).toHaveText(
      'The code reader couldn’t be loaded. Check your connection and try again.',
    );
    await scanner.getByText('Details').click();
    await expect(scanner).toContainText(`The QR decoder could not be loaded: ${reason}.`);
    await expect(scanner.getByRole('button', { name: 'Close' }).last()).toBeVisible();
    await a.page.context().unroute(address);
    await scanner.getByRole('button', { name: 'Try Again' }).click();
    await expect(scanner.getByRole('alert')).toHaveText(/^That isn’t a code for linking/);
    await a.page.keyboard.press('Escape');
    await expect(scanner).toBeHidden();
  }
  await expect(a.page.getByRole('status').filter({ hasText: 'failed' })).toHaveCount(0);
});
