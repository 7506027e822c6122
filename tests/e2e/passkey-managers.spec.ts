// Passkey managers that answer in other forms than browsers do, or in another way than they were asked.
import { fileURLToPath } from 'node:url';
import type { BrowserContext } from '@playwright/test';
import { openFacade, payOneYocto, test, withAccount } from './facade-page/fixture.js';
import { expect, FRAMED, settle } from './fixtures.js';

const PAGE = fileURLToPath(new URL('passkey-managers.page.js', import.meta.url));

async function use(context: BrowserContext, manager: 'shim' | 'edge'): Promise<void> {
  await context.addInitScript(`globalThis.__manager = '${manager}'`);
  await context.addInitScript({ path: PAGE });
}

test(
  'a manager that gives plain objects, and outputs only at get, as numbers, makes one passkey, which then pays',
  FRAMED,
  async ({ context, stack, facadeUrl, username }) => {
    await use(context, 'shim');
    const facade = await withAccount(await openFacade(context, stack, facadeUrl), username);
    expect(facade.prompts.map(({ kind }) => kind)).toEqual(['create', 'get']);
    await payOneYocto(facade, facade.accountId);
    expect(facade.prompts.map(({ kind }) => kind)).toEqual(['create', 'get', 'get']);
    settle(stack, facade, []);
  },
);

test(
  'a manager that verifies its user only where no passkey is named pays with a second prompt, and then with one',
  FRAMED,
  async ({ context, stack, facadeUrl, username }) => {
    await use(context, 'edge');
    const facade = await withAccount(await openFacade(context, stack, facadeUrl), username);
    const pay = async () => {
      const before = facade.prompts.length;
      await payOneYocto(facade, facade.accountId);
      return facade.prompts.length - before;
    };
    expect(await pay()).toBe(2);
    expect(await pay()).toBe(1);
    settle(stack, facade, []);
  },
);
