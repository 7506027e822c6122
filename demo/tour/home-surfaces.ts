// The wallet's own pages: its home, the window in which a dapp asks for an account, and a recovery phrase from its making to its use.
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { RELAYER } from '../../dev/services/services.js';
import { deploySaying, deployTokens } from '../../tests/devnet/tokens.js';
import { addVirtualPasskey } from '../../tests/support/browser.js';
import { approveUntil, keyViewer, loginMenu, pressUntilGone } from '../../tests/support/steps.js';
import { accountOf } from '../../tests/support/wallet.js';
import type { Camera } from './camera.js';
import type { Room } from './surfaces.js';

const ASKING_PAGE = fileURLToPath(new URL('./asking-page', import.meta.url));
/** The sections with a picture after those of a payment, each by its name on the page. */
const SECTIONS = {
  overview: 'Overview',
  activity: 'Activity',
  devices: 'Devices',
  keys: 'App access',
  apps: 'Apps',
  accounts: 'Accounts',
  settings: 'Settings',
};
const NEAR = 10n ** 24n;

/** The pictures that it takes. */
export const HOME_SCREENS: readonly string[] = [
  ...['home-welcome', 'home-send', 'home-sent', 'home-receive'],
  ...Object.keys(SECTIONS).map((section) => `home-${section}`),
  ...['connect', 'recovery-phrase', 'recovery-words', 'recovery-check'],
  ...['home-accounts-known', 'home-passkey-missing', 'recovery-restore'],
];

export async function photographHome({ desk, stack, username }: Room, camera: Camera): Promise<void> {
  const context = await desk.browser.newContext({
    viewport: { width: 1100, height: 860 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const passkey = await addVirtualPasskey(page);
  const home = `${username}-home`;
  await page.goto(`${stack.walletOrigin}/`);
  await loginMenu(page).waitFor();
  await camera.take(page, 'home-welcome');
  await theAccount(page, home);
  await theTransfer(page, camera);
  await theTokens(page, stack, accountOf(home));
  await page.goto(`${stack.walletOrigin}/#/receive`);
  await page.getByRole('region', { name: 'Add money' }).waitFor();
  await camera.take(page, 'home-receive');
  for (const [section, name] of Object.entries(SECTIONS)) {
    await goTo(page, name);
    await page.getByRole('status').filter({ hasText: '…' }).waitFor({ state: 'detached' });
    await camera.take(page, `home-${section}`);
  }

  const asking = await context.newPage();
  const address = await stack.addPage(ASKING_PAGE, 'asking');
  await asking.goto(`${address}?wallet=${stack.walletOrigin}`);
  const opening = context.waitForEvent('page');
  await asking.getByRole('button', { name: 'Connect' }).click();
  const window = await opening;
  await window.getByRole('dialog', { name: 'Connect an account' }).waitFor();
  await followBrowser(window);
  await camera.take(window, 'connect');
  await window.close();

  await thePhrase(page, camera);
  await page.getByRole('button', { name: 'Lock the wallet' }).click();
  const known = page.getByRole('button', { name: `Open ${accountOf(home)}` });
  await known.waitFor();
  await camera.take(page, 'home-accounts-known');
  stack.relay.fail('*', { kind: 'refuse' });
  await passkey.renew();
  await known.click();
  const byPhrase = page.getByRole('button', { name: 'Use a recovery phrase' });
  await byPhrase.waitFor();
  await camera.take(page, 'home-passkey-missing');
  await byPhrase.click();
  await keyViewer(page).getByRole('textbox', { name: 'Word 12', exact: true }).waitFor();
  await camera.take(page, 'recovery-restore');
  stack.relay.heal();
  await context.close();
}

async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
}

/** The window has the theme of the account's settings: from here on it has the browser's. */
async function followBrowser(window: Page): Promise<void> {
  await window.evaluate(() => {
    // Contains no named function: tsx would wrap it in a helper that the page lacks.
    const { dataset } = document.documentElement;
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', ({ matches }) => {
      dataset.latchkeyTheme = matches ? 'dark' : 'light';
    });
    dataset.latchkeyTheme = dark.matches ? 'dark' : 'light';
  });
}

async function theAccount(page: Page, username: string): Promise<void> {
  await page.getByRole('radio', { name: 'Register' }).check({ force: true });
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.getByRole('button', { name: 'Continue' }).click();
  await approveUntil(page, page.getByRole('navigation', { name: 'Sections' }));
}

async function theTransfer(page: Page, camera: Camera): Promise<void> {
  await page.getByRole('main').getByRole('link', { name: 'Send', exact: true }).click();
  await page.getByRole('textbox', { name: 'Receiver' }).fill(RELAYER);
  await page.getByRole('textbox', { name: 'Amount in NEAR' }).fill('0.005');
  await camera.take(page, 'home-send');
  await page.getByRole('main').getByRole('button', { name: 'Send', exact: true }).click();
  await approveUntil(page, page.getByRole('heading', { name: 'Done', exact: true }));
  await camera.take(page, 'home-sent');
}

/** One that is what it says, and one that imitates NEAR. */
async function theTokens(page: Page, { oracle }: Room['stack'], accountId: string): Promise<void> {
  const [coin, fake] = ['coin.testnet', 'fake.testnet'];
  await oracle.accountAs('testnet').transfer({ receiverId: accountId, amount: NEAR });
  await deployTokens(oracle, coin, accountId);
  await deploySaying(oracle, fake, { name: 'NEAR Protocol', symbol: 'NΕAR', decimals: 0 });
  await goTo(page, 'Overview');
  const tokens = page.getByRole('region', { name: 'Tokens' });
  await tokens.getByText('Add a token').click();
  for (const contractId of [coin, fake]) {
    await tokens.getByRole('textbox', { name: 'Token’s address' }).fill(contractId);
    await tokens.getByRole('button', { name: 'Add', exact: true }).click();
    await tokens.getByRole('listitem').filter({ hasText: contractId }).waitFor();
  }
}

/** Makes no phrase: the words are those of a chain that ends with the pictures, and the viewer is closed before they are a key. */
async function thePhrase(page: Page, camera: Camera): Promise<void> {
  await page.getByRole('button', { name: 'Make a phrase' }).click();
  const viewer = keyViewer(page);
  const show = viewer.getByRole('button', { name: 'Show the words' });
  await show.waitFor();
  await camera.take(page, 'recovery-phrase');
  await pressUntilGone(show, show);
  await viewer.getByRole('list', { name: 'Your recovery phrase' }).waitFor();
  await camera.take(page, 'recovery-words');
  const goOn = viewer.getByRole('button', { name: 'I wrote them down' });
  await pressUntilGone(goOn, goOn);
  await viewer.getByRole('textbox').first().waitFor();
  await camera.take(page, 'recovery-check');
  for (const name of ['Back', 'Cancel']) {
    const button = viewer.getByRole('button', { name, exact: true });
    await pressUntilGone(button, button);
  }
}
