// Five tasks on the wallet's own page, by what a screen reader says and the keyboard alone: pay, receive, add a device, remove one,
// and find what happened yesterday. A live region or a heading that gets the focus tells the end of each.
import { REGISTRY } from '../../dev/services/services.js';
import { AGREE, checkCodeIn, confirmDialog } from '../support/steps.js';
import { accountOf } from '../support/wallet.js';
import { testWithDevices } from './devices.js';
import { expect } from './fixtures.js';
import { register, sections, test } from './home-page.js';
import { answerUntil, pasted } from './keyboard.js';
import { listenTo } from './listener.js';

const DAY_MS = 24 * 60 * 60 * 1000;

test('a user pays, and finds on the next day what was paid yesterday', async ({ home, stack, username }) => {
  const { page, complaints } = home;
  await register(page, username);
  const user = await listenTo(page);
  const before = await stack.oracle.balance(REGISTRY);
  await user.press('link “Send”');
  await user.isAt('heading “Send”');
  await user.type('textbox “Receiver”', REGISTRY);
  await user.type('textbox “Amount in NEAR”', '0.01');
  await user.press('button “Send”');
  await answerUntil(page, AGREE, page.getByRole('heading', { name: 'Done', exact: true }));
  await user.isAt('heading “Done”');
  expect((await stack.oracle.balance(REGISTRY)) - before).toBe(10n ** 22n);

  const day = (name: string) =>
    page.getByRole('list', { name, exact: true }).getByRole('listitem').filter({ hasText: 'Sent 0.01 NEAR' });
  await user.press('link “Activity”');
  await user.isAt('heading “Activity”');
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Today']);
  await expect(day('Today')).toContainText(`to ${REGISTRY}`);

  await page.clock.setFixedTime(Date.now() + DAY_MS);
  await page.reload();
  await user.press(`button “Open ${accountOf(username)}”`);
  await user.isAt('heading “Activity”');
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Yesterday']);
  await expect(day('Yesterday')).toContainText(`to ${REGISTRY}`);
  await user.goTo('link “Everything about this account”');
  expect(complaints).toEqual([]);
});

test('a user who has checked the passkey, and not before, gets the address to receive at, and reads what arrives there [S37]', async ({
  home,
  context,
  username,
}) => {
  const { page, complaints } = home;
  await context.grantPermissions(['clipboard-write']);
  await register(page, username);
  const check = page.getByRole('status', { name: 'Check your passkey before you receive money' });
  await expect(check).toBeVisible();
  const copy = page.getByRole('button', { name: 'Copy Your address' });
  const code = page.getByRole('img', { name: 'QR code of your address' });
  await expect(copy).toHaveCount(0);
  const user = await listenTo(page);
  await user.press('link “Receive”');
  await user.isAt('heading “Receive”');
  await expect(check).toBeVisible();
  for (const wayIn of [copy, code]) await expect(wayIn).toHaveCount(0);
  await user.press('button “Check my passkey”');
  await user.isAt('heading “Your address”');
  await expect(check).toHaveCount(0);
  await expect(code).toBeVisible();
  await user.press('button “Copy Your address”');
  await expect(page.getByRole('status').filter({ hasText: 'Copied' })).toBeAttached();
  expect(await pasted(context)).toBe(accountOf(username));

  const add = page.getByRole('region', { name: 'Add money' });
  await expect(add).toContainText('choose the network NEAR');
  await expect(add).toContainText('What does not arrive: coins of other networks');
  await expect(add.getByRole('link', { name: 'Get money for the test network' })).toHaveAttribute(
    'href',
    'https://docs.near.org/getting-started/faucet',
  );
  await expect(add.getByRole('button')).toHaveCount(0);
  expect(complaints).toEqual([]);
});

/** The wallet's own page in browsers with a camera each. */
const withDevices = testWithDevices((stack) => ({
  ...stack,
  appUrl: `${stack.walletOrigin}/`,
  walletOrigin: null,
}));

withDevices('a user adds a device, and removes it again', async ({ open, stack, username }) => {
  withDevices.setTimeout(180_000);
  const [old, added] = [await open(), await open()];
  await register(old.page, username);
  const [user, userOfAdded] = [await listenTo(old.page), await listenTo(added.page)];
  const deviceNumbers = async () =>
    (await stack.oracle.authenticators(accountOf(username))).map(([, { device_number }]) => device_number);

  await userOfAdded.press('button “Scan and Link Device”');
  const code = added.page.getByRole('img', { name: 'QR code that links this device' });
  await code.waitFor();
  await userOfAdded.press('button “It was scanned”');
  const shown = await checkCodeIn(added.page);
  await old.see(code);
  await user.press('link “Devices”');
  await user.isAt('heading “Devices”');
  await user.press('button “Add a device”');
  expect(await checkCodeIn(confirmDialog(old.page))).toBe(shown);
  const told = (text: string) => old.page.getByRole('status').filter({ hasText: text });
  await answerUntil(old.page, 'Link device', told('Approved. Go on at the other device.'));
  await answerUntil(added.page, 'Create passkey', sections(added.page));
  await userOfAdded.isAt('heading “Overview”');
  await expect(told('Device 2 was added.')).toBeVisible();
  await added.page.getByRole('link', { name: 'Devices' }).click();
  await expect(added.page.getByText(/^Device 2 · Added /)).toBeVisible();
  expect((await deviceNumbers()).sort()).toEqual([1, 2]);

  await user.press('button “Remove Device 2”');
  await user.isAt('button “Keep it”');
  await user.press('button “Remove”');
  await answerUntil(old.page, AGREE, told('Device 2 was removed.'));
  await user.isAt('heading “Device 2 was removed.”');
  expect(await deviceNumbers()).toEqual([1]);
});
