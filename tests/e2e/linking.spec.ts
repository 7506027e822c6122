// A second device by QR code: two browsers that share only the chain. A picture of the code on one screen goes
// through the other one's camera.
// Specification: core 1, core 4, frame 7, demo 2
import type { Locator, Page } from '@playwright/test';
import type { Device } from '../support/device.js';
import { SHORT_BLOCK_AGE } from '../support/oracle.js';
import {
  AGREE,
  agree,
  chooseInMenu,
  confirmDialog,
  gone,
  joinAccount,
  linkedDevices,
  loggedInAs,
  logOut,
  openDevices,
  register,
  removeDevice,
  scanAndConfirm,
  scannedCodeOf,
  setGreeting,
  showLinkCode,
  showLinkCodeFor,
  toastOf,
} from '../support/steps.js';
import { accountOf, drawnIn } from '../support/wallet.js';
import { testWithDevices } from './devices.js';
import { expect, FRAMED, MAX_BLOCK_AGE, makeOld, REQUEST_FAILED } from './fixtures.js';

const test = testWithDevices();

const code = (within: Page | Locator) => within.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4}){3}$/);

/** Admits the device that shows a code to the other one's account; returns the check code of both screens. */
async function link(from: Device, to: Device, username: string): Promise<string> {
  const image = await showLinkCode(to);
  const shown = await scannedCodeOf(to);
  await from.see(image);
  const said = toastOf(from.page, `Device linked successfully to ${accountOf(username)}!`);
  const compared = await scanAndConfirm(from);
  expect(compared).toBe(shown);
  await said;
  const joining = confirmDialog(to.page);
  await expect(joining).toHaveAccessibleName('Link this device');
  await expect(joining).toContainText(accountOf(username));
  await expect(code(joining)).toHaveText(shown);
  await agree(joining, 'Create passkey');
  await expect(loggedInAs(to.page, username)).toBeVisible({ timeout: 20_000 });
  return shown;
}

test(
  "the first page's third step lets a second device in, and says that it has the account",
  FRAMED,
  async ({ open, username }) => {
    test.setTimeout(180_000);
    const [a, b] = [await open(), await open()];
    await register(a, username);
    await a.see(await showLinkCode(b));
    const step = a.page.getByRole('region', { name: 'Add a second device', exact: true });
    await step.getByRole('button', { name: 'Scan the code' }).click();
    await agree(confirmDialog(a.page), 'Link device');
    await joinAccount(b, username);
    await expect(step).toContainText('The second device has the account, too.');
    await expect(a.page.getByRole('heading', { name: 'Done: Add a second device' })).toBeVisible();
  },
);

test('a second device joins by its QR code, both sign, both list both, and the second admits a third', async ({
  open,
  stack,
  username,
}) => {
  test.setTimeout(180_000);
  const [a, b, c] = [await open(), await open(), await open()];
  await register(a, username);
  const first = await link(a, b, username);

  await setGreeting(a, `from the first device, ${username}`);
  await setGreeting(b, `from the second device, ${username}`);
  expect(await stack.oracle.greeting()).toContain('from the second device');

  await openDevices(a);
  await expect(linkedDevices(a.page).getByRole('listitem')).toHaveText([
    /Device 1 \(current device\)/,
    /Device 2/,
  ]);
  await openDevices(b);
  await expect(linkedDevices(b.page).getByRole('listitem')).toHaveText([
    /Device 2 \(current device\)/,
    /Device 1/,
  ]);
  for (const { page } of [a, b]) await page.keyboard.press('Escape');

  const second = await link(b, c, username);
  expect(second).not.toBe(first);
  await setGreeting(c, `from the third device, ${username}`);
  const authenticators = await stack.oracle.authenticators(accountOf(username));
  expect(authenticators.map(([, { device_number }]) => device_number).sort()).toEqual([1, 2, 3]);
  const keys = await stack.oracle.fullAccessKeys(accountOf(username));
  expect(keys.sort()).toEqual(authenticators.map(([, { near_public_key }]) => near_public_key).sort());

  // The decoder and everything else came from the app; the other requests went to the chain and the relay.
  const hosts = new Set(
    [a, b].flatMap(({ asked }) =>
      asked.filter((url) => url.startsWith('http')).map((url) => new URL(url).hostname),
    ),
  );
  expect([...hosts].sort()).toEqual(['127.0.0.1', 'localhost']);
  expect(a.asked.some((url) => url.includes('zxing_reader'))).toBe(true);
});

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
  const before = await code(confirmDialog(b.page)).innerText();

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

test('a user who types the account creates its passkey first, and the code is for that account [S94]', async ({
  open,
  stack,
  username,
}) => {
  test.setTimeout(120_000);
  const [a, b] = [await open(), await open()];
  await register(a, username);
  const image = await showLinkCodeFor(b, username);
  expect(b.prompts.map(({ kind }) => kind)).toEqual(['create']);
  await expect(b.page.getByText(`For ${accountOf(username)}.`)).toBeVisible();
  const shown = await scannedCodeOf(b);
  await a.see(image);
  expect(await scanAndConfirm(a)).toBe(shown);
  await expect(loggedInAs(b.page, username)).toBeVisible({ timeout: 20_000 });
  expect(b.prompts).toHaveLength(1);
  expect(await stack.oracle.authenticators(accountOf(username))).toHaveLength(2);
  await setGreeting(b, `typed first, ${username}`);
});

test('a linking whose passkey has become too old is finished with a touch of it and a new passkey', async ({
  open,
  stack,
  username,
}) => {
  test.setTimeout(120_000);
  const [a, b] = [await open(), await open()];
  await register(a, username);
  await a.see(await showLinkCodeFor(b, username));
  await b.page.reload();
  await expect(b.page.getByText('Registration not known yet')).toBeVisible();
  await stack.oracle.setMaxBlockAge(SHORT_BLOCK_AGE);
  try {
    await makeOld(stack);
    await scanAndConfirm(a);
    const notice = b.page.getByRole('status').filter({ hasText: 'Linking not finished yet' });
    await expect(notice).toContainText(accountOf(username));
    await notice.getByRole('button', { name: 'Finish linking' }).click();
    await agree(confirmDialog(b.page), 'Create passkey');
    await expect(loggedInAs(b.page, username)).toBeVisible({ timeout: 20_000 });
    expect(b.prompts.map(({ kind }) => kind)).toEqual(['create', 'get', 'create']);
    expect(await stack.oracle.authenticators(accountOf(username))).toHaveLength(2);
    await setGreeting(b, `finished, ${username}`);
  } finally {
    await stack.oracle.setMaxBlockAge(MAX_BLOCK_AGE);
  }
});

for (const [part, address, reason] of [
  ['WASM', '**/*zxing_reader*.wasm', 'its WASM did not load (status 404)'],
  ['script', '**/*decoder.worker*.js', 'its script did not load'],
] as const) {
  test(`a QR decoder whose ${part} is missing is reported, and the next try loads it`, async ({
    open,
    username,
    expectedConsole,
  }) => {
    expectedConsole.push(REQUEST_FAILED);
    const a = await open();
    await register(a, username);
    await a.page.context().route(address, (route) => route.fulfill({ status: 404, body: 'Not found' }));
    a.seeCode('https://example.com/pay');
    await chooseInMenu(a.page, 'Scan and Link Device');
    const scanner = a.page.getByRole('dialog', { name: 'Scan and Link Device' });
    await expect(scanner.getByRole('alert')).toHaveText(
      'The code reader couldn’t be loaded. Check your connection and try again.',
    );
    await scanner.getByText('Details').click();
    await expect(scanner).toContainText(`The QR decoder could not be loaded: ${reason}.`);
    await expect(scanner.getByRole('button', { name: 'Close' }).last()).toBeVisible();
    await a.page.context().unroute(address);
    await scanner.getByRole('button', { name: 'Try Again' }).click();
    await expect(scanner.getByRole('alert')).toHaveText(/^That isn’t a code for linking/);
    await scanner.getByRole('button', { name: 'Close' }).last().click();
    await expect(scanner).toBeHidden();
  });
}

test(
  'a code of something else is refused in the scanner, which the user then closes',
  FRAMED,
  async ({ open, username }) => {
    const a = await open();
    await register(a, username);
    a.seeCode('https://example.com/pay');
    const scanner = drawnIn(a.page).getByRole('dialog', { name: 'Scan and Link Device' });
    for (let time = 1; time <= 2; time += 1) {
      await chooseInMenu(a.page, 'Scan and Link Device');
      await expect(scanner.getByRole('alert')).toHaveText(/^That isn’t a code for linking/);
      await a.page.keyboard.press('Escape');
      await gone(scanner);
    }
    await expect(a.page.getByRole('status').filter({ hasText: 'failed' })).toHaveCount(0);
  },
);

test('a cancelled confirmation admits no device, and the other device keeps waiting', async ({
  open,
  stack,
  username,
}) => {
  const [a, b] = [await open(), await open()];
  await register(a, username);
  await a.see(await showLinkCode(b));
  await chooseInMenu(a.page, 'Scan and Link Device');
  const dialog = confirmDialog(a.page);
  await expect(dialog).toHaveAccessibleName('Link a new device');
  await expect(a.page.getByRole('dialog', { name: 'Scan and Link Device' })).toBeHidden();
  await expect(dialog).toContainText('full access');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  expect(await stack.oracle.fullAccessKeys(accountOf(username))).toHaveLength(1);
  await expect(
    b.page.getByRole('status').filter({ hasText: 'Waiting for your other device to scan' }),
  ).toBeVisible();
  await b.page.getByRole('button', { name: 'Back' }).click();
  await expect(b.page.getByRole('button', { name: 'Scan and Link Device' })).toBeVisible();
});

test('a device removed from the list can no longer sign', async ({
  open,
  stack,
  username,
  expectedConsole,
}) => {
  test.setTimeout(120_000);
  expectedConsole.push(REQUEST_FAILED);
  const [a, b] = [await open(), await open()];
  await register(a, username);
  await link(a, b, username);
  await openDevices(a);
  await removeDevice(a, 2);
  await expect(confirmDialog(a.page)).toContainText('This removes device 2. Registered: ');
  await agree(confirmDialog(a.page), AGREE);
  await expect(linkedDevices(a.page).getByRole('listitem')).toHaveCount(1);
  expect(await stack.oracle.fullAccessKeys(accountOf(username))).toHaveLength(1);
  await a.page.keyboard.press('Escape');
  await setGreeting(a, `still here, ${username}`);
  await logOut(a);
});
