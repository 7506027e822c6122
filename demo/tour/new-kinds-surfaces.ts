// Screens of an account without a name, of gas keys and post-quantum keys, and of what a page asks of them.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { PasskeyManager } from 'latchkey';
import { KeyPair } from 'near-api-js';
import type { Page } from 'playwright-core';
import { SoftwarePasskeys } from '../../dev/authenticators/software-passkeys.js';
import { installPasskeys } from '../../dev/playwright/passkeys.js';
import { developmentKey } from '../../dev/services/keys.js';
import {
  AGREE,
  agree,
  approveUntil,
  cancel,
  confirmDialog,
  loginMenu,
  namelessAccount,
  namelessMenuOf,
  namelessOffer,
  uncovered,
} from '../../tests/support/steps.js';
import { accountOf, openWatchedWallet } from '../../tests/support/wallet.js';
import { universalAccountId } from '../../ts/src/near/universal-account.js';
import type { ActionInput } from '../../ts/src/types.js';
import type { Camera } from './camera.js';
import type { Room } from './surfaces.js';
import { confirmed } from './wait.js';

/** What the page offers. */
declare const facade: { readonly manager: PasskeyManager };

const FACADE_PAGE = fileURLToPath(new URL('../../tests/e2e/facade-page', import.meta.url));
const NEAR = 10n ** 24n;
const MAIN = { viewport: { width: 1100, height: 860 }, reducedMotion: 'reduce' } as const;

/** The pictures that it takes. */
export const NEW_KIND_SCREENS: readonly string[] = [
  ...['menu-nameless', 'confirm-create-account', 'nameless-unproven'],
  ...['home-receive-unproven', 'home-receive-nameless', 'home-overview-nameless'],
  ...['confirm-prepaid-key', 'confirm-authorization', 'confirm-first-state'],
  ...['home-devices-keys', 'home-keys-prepaid'],
];

/** Leaves the room as it was. */
export async function photographNewKinds(room: Room, camera: Camera): Promise<void> {
  await theNameless(room, camera);
  await theKeys(room, camera);
}

async function theNameless({ desk, stack }: Room, camera: Camera): Promise<void> {
  const context = await desk.browser.newContext(MAIN);
  await installPasskeys(context, new SoftwarePasskeys());
  const guest = await openWatchedWallet(context, stack, 'always', namelessMenuOf(stack.appUrl));
  const { page } = guest;
  await page.locator('[aria-disabled="false"]').and(namelessOffer(page)).waitFor();
  await camera.take(page, 'menu-nameless');
  await namelessOffer(page).click();
  await confirmed(guest, 'Create passkey');
  await camera.take(page, 'confirm-create-account');
  await agree(confirmDialog(page), 'Create passkey');
  await namelessAccount(page).waitFor();
  await uncovered(page);
  await camera.take(page, 'nameless-unproven');

  const home = await context.newPage();
  await home.goto(`${stack.walletOrigin}/`);
  await loginMenu(home).waitFor();
  await home.getByRole('radio', { name: 'Recover' }).check({ force: true });
  await home.getByRole('button', { name: /^Passkey on this device/ }).click();
  await home.getByRole('navigation', { name: 'Sections' }).waitFor();
  await home.goto(`${stack.walletOrigin}/#/receive`);
  const check = home.getByRole('button', { name: 'Show my address' });
  await check.waitFor();
  await camera.take(home, 'home-receive-unproven');
  await check.click();
  await home.getByRole('region', { name: 'Add money' }).waitFor();
  await camera.take(home, 'home-receive-nameless');
  await home.goto(`${stack.walletOrigin}/#/`);
  await home.getByRole('heading', { level: 1, name: 'Overview', exact: true }).waitFor();
  await home.getByRole('status').filter({ hasText: '…' }).waitFor({ state: 'detached' });
  await camera.take(home, 'home-overview-nameless');
  await context.close();
}

async function theKeys({ desk, stack, username }: Room, camera: Camera): Promise<void> {
  const context = await desk.browser.newContext(MAIN);
  await installPasskeys(context, new SoftwarePasskeys());
  const guest = await openWatchedWallet(context, stack, 'always', await stack.addPage(FACADE_PAGE, 'facade'));
  const { page } = guest;
  const accountId = accountOf(`${username}-keys`);
  await page.waitForFunction(() => 'facade' in globalThis);
  const registered = page.evaluate((id) => facade.manager.registerPasskey(id), accountId);
  await agree(confirmDialog(page), 'Create passkey');
  await registered;
  await stack.oracle.accountAs('testnet').transfer({ receiverId: accountId, amount: 5n * NEAR });

  void page.evaluate(
    (nearAccountId) =>
      void facade.manager.addAppKey({
        nearAccountId,
        receiverId: 'guestbook.testnet',
        methodNames: ['sign'],
        prepaid: '0.1',
        lanes: 4,
      }),
    accountId,
  );
  await confirmed(guest, AGREE);
  await camera.take(page, 'confirm-prepaid-key');
  await agree(confirmDialog(page), AGREE);
  await uncovered(page);

  const payload = JSON.stringify({ domain: 'app.example', action: 'Login', msg: '4f1c' }, null, 2);
  await page.evaluate(
    ([nearAccountId, text]) =>
      void facade.manager.signNEP641Authorization({ nearAccountId, params: { payload: text } }),
    [accountId, payload] as const,
  );
  await confirmed(guest, AGREE);
  await camera.take(page, 'confirm-authorization');
  await cancel(guest);

  const keyOf = (name: string) => KeyPair.fromString(developmentKey(name)).getPublicKey().toString();
  const stateInit = { V1: { code: null, data: [], accessKeys: [keyOf('universal')] } };
  const first = [
    { type: 'Transfer', amount: String(NEAR / 10n) },
    { type: 'UniversalStateInit', stateInit, deposit: '0' },
  ] as ActionInput[];
  await ask(page, accountId, await universalAccountId(stateInit), first);
  await confirmed(guest, AGREE);
  await camera.take(page, 'confirm-first-state');
  await cancel(guest);

  const { publicKey } = JSON.parse(
    readFileSync(new URL('../../tests/vectors/ml-dsa-65.json', import.meta.url), 'utf8'),
  ) as { publicKey: string };
  const permission = { GasKeyFullAccess: { numNonces: 2 } };
  await ask(page, accountId, accountId, [
    { type: 'AddKey', publicKey, accessKey: { permission: 'FullAccess' } },
    { type: 'AddKey', publicKey: keyOf('gas key'), accessKey: { permission } },
    { type: 'TransferToGasKey', publicKey: keyOf('gas key'), deposit: String(NEAR / 4n) },
  ]);
  await agree(confirmDialog(page), AGREE);
  await uncovered(page);

  const home = await context.newPage();
  await home.goto(`${stack.walletOrigin}/`);
  await loginMenu(home).waitFor();
  await home.getByRole('radio', { name: 'Recover' }).check({ force: true });
  await home.getByRole('textbox', { name: 'Username' }).fill(`${username}-keys`);
  await home.getByRole('button', { name: 'Continue' }).click();
  await approveUntil(home, home.getByRole('navigation', { name: 'Sections' }));
  for (const [section, name] of [
    ['devices', 'home-devices-keys'],
    ['keys', 'home-keys-prepaid'],
  ] as const) {
    await home.goto(`${stack.walletOrigin}/#/${section}`);
    await home.getByRole('heading', { level: 1 }).waitFor();
    await home.getByRole('status').filter({ hasText: '…' }).waitFor({ state: 'detached' });
    await camera.take(home, name);
  }
  await context.close();
}

/** Asks the wallet for this transaction, and does not wait for its end. */
const ask = (
  page: Page,
  nearAccountId: string,
  receiverId: string,
  actions: readonly ActionInput[],
): Promise<void> =>
  page.evaluate((args) => void facade.manager.executeAction(args as never), {
    nearAccountId,
    receiverId,
    actionArgs: actions,
  });
