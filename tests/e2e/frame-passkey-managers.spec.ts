// Passkey managers that answer in other forms than browsers do, or in another way than they were asked, under a wallet in a frame.
// tests/passkeys has all of them, under a wallet in the page.
// Specification: core 5
import { fileURLToPath } from 'node:url';
import type { BrowserContext } from '@playwright/test';
import { type Knobs, PLAIN } from '../../dev/authenticators/knobs.js';
import { knobsOf } from '../../dev/authenticators/profile.js';
import { PROFILES } from '../../dev/authenticators/profiles.js';
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
