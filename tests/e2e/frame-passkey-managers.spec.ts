// Passkey managers that answer in other forms than browsers do, or in another way than they were asked, under a wallet in a frame.
// tests/passkeys has all of them, under a wallet in the page.
// Specification: core 5
import { fileURLToPath } from 'node:url';
import type { BrowserContext } from '@playwright/test';
import { type Knobs, PLAIN } from '../../dev/authenticators/knobs.js';
import { knobsOf } from '../../dev/authenticators/profile.js';
import { PROFILES } from '../../dev/authenticators/profiles.js';
import { accountOf } from '../support/wallet.js';
import { openFacade, payOneYocto, test, withAccount } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect, settle } from './fixtures.js';

declare const facade: FacadePage;

const PAGE = fileURLToPath(new URL('passkey-managers.page.js', import.meta.url));

/** Every form of extensions and shims, together. */
const SHIM: Partial<Knobs> = {
  createPrf: 'empty',
  prfForm: 'number[]',
  object: 'plain',
  attachment: 'cross-platform',
  functions: 'patched',
};

/** Gives the browser an authenticator of the zoo, or one with these knobs. */
async function use(context: BrowserContext, authenticator: string | Partial<Knobs>): Promise<void> {
  const profile = PROFILES.find(({ id }) => id === authenticator);
  const knobs = profile ? knobsOf(profile) : { ...PLAIN, ...(authenticator as Partial<Knobs>) };
  await context.addInitScript(`globalThis.__knobs = ${JSON.stringify(knobs)}`);
  await context.addInitScript({ path: PAGE });
}

test('a manager that gives plain objects, and outputs only at get, as numbers, makes one passkey, which then pays', async ({
  context,
  stack,
  facadeUrl,
  username,
}) => {
  await use(context, SHIM);
  const facade = await withAccount(await openFacade(context, stack, facadeUrl), username);
  expect(facade.prompts.map(({ kind }) => kind)).toEqual(['create', 'get']);
  await payOneYocto(facade, facade.accountId);
  expect(facade.prompts.map(({ kind }) => kind)).toEqual(['create', 'get', 'get']);
  settle(stack, facade, []);
});

test('a manager that verifies its user only where no passkey is named pays with a second prompt, and then with one', async ({
  context,
  stack,
  facadeUrl,
  username,
}) => {
  await use(context, 'microsoft-edge');
  const facade = await withAccount(await openFacade(context, stack, facadeUrl), username);
  const pay = async () => {
    const before = facade.prompts.length;
    await payOneYocto(facade, facade.accountId);
    return facade.prompts.length - before;
  };
  expect(await pay()).toBe(2);
  expect(await pay()).toBe(1);
  settle(stack, facade, []);
});

test('a manager that gives other outputs each time makes no account, and says what to do [S36]', async ({
  context,
  stack,
  facadeUrl,
  username,
}) => {
  await use(context, 'key-safari-26.4');
  const wallet = await openFacade(context, stack, facadeUrl);
  const result = await wallet.page.evaluate((id) => facade.manager.registerPasskey(id), accountOf(username));
  expect(result).toMatchObject({ success: false, errorCode: 'PASSKEY_UNSTABLE' });
  expect(result.error).toContain('Nothing was registered');
  expect(wallet.prompts.map(({ kind }) => kind)).toEqual(['create', 'get']);
  expect(await stack.oracle.balance(accountOf(username))).toBe(0n);
  settle(stack, wallet, []);
});

test("a platform's passkey that answers otherwise later signs nothing and says so, and its check warns before money comes in", async ({
  context,
  stack,
  facadeUrl,
  username,
}) => {
  await use(context, { getPrf: 'differs' });
  const wallet = await withAccount(await openFacade(context, stack, facadeUrl), username);
  expect(wallet.prompts.map(({ kind }) => kind)).toEqual(['create']);
  const failed = { success: false, errorCode: 'PASSKEY_DIFFERS' };
  const { accountId, page } = wallet;
  const told = await page.evaluate(async (id) => {
    const paid = await facade.manager.executeAction({
      nearAccountId: id,
      receiverId: 'relayer.testnet',
      actionArgs: { type: 'Transfer', amount: '1' },
    });
    return [await facade.manager.checkPasskey(id), paid];
  }, accountId);
  expect(told).toMatchObject([{ ...failed, passkeyProven: false }, failed]);
  for (const { error } of told) expect(error).toContain('answered in another way than before');
  settle(stack, wallet, []);
});
