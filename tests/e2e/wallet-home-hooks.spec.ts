// The operator's own functions (`homeHooks`) on the wallet's own page: served by its origin, under its strict policy.
import { walletFolder } from 'latchkey-react/wallet';
import { walletSite } from 'latchkey-server/wallet';
import { walletFolder as filesOf, serveSite } from 'latchkey-server/wallet/node';
import { REGISTRY } from '../../dev/services/services.js';
import { walletConfig } from '../../dev/wallet/config.js';
import { deploySaying, deployTokens } from '../devnet/tokens.js';
import { loginMenu } from '../support/steps.js';
import { accountOf } from '../support/wallet.js';
import { expect } from './fixtures.js';
import { goTo, heading, register, test as withHome } from './home-page.js';

interface Operator {
  /** Serves the wallet's origin with this script from now on, and these tokens in the list of every account. */
  serve(script: string, contractIds?: readonly string[]): Promise<void>;
}

const test = withHome.extend<{ operator: Operator }>({
  operator: async ({ stack, home: { page, origin } }, use) => {
    const ends: (() => Promise<void>)[] = [];
    await use({
      async serve(script, contractIds = []) {
        await loginMenu(page).waitFor();
        await page.goto('about:blank');
        ends.push(await stack.takeWalletDown());
        const files = filesOf(walletFolder);
        const site = walletSite({
          config: {
            ...walletConfig({
              relayUrl: stack.relay.url,
              chainUrls: stack.nodes.map(({ url }) => url),
              contractId: REGISTRY,
              allowedHosts: [new URL(stack.appUrl).origin],
            }),
            homeHooks: '/operator/hooks.js',
            tokens: { contractIds },
          },
          files: {
            read: async (path) =>
              path === 'operator/hooks.js' ? new TextEncoder().encode(script) : files.read(path),
          },
        });
        const server = await serveSite(site, Number(new URL(origin).port));
        ends.push(server.close);
        await page.goto(`${origin}/`);
      },
    });
    for (const end of ends.reverse()) await end();
  },
});

test('an operator’s script says what money is worth, and sells more of it', async ({
  home,
  operator,
  stack,
  username,
}) => {
  const { page, complaints } = home;
  const coin = `coin-${username}.testnet`;
  const shop = new URL('/buy', stack.appUrl).href;
  await deployTokens(stack.oracle, coin, accountOf(username));
  await operator.serve(
    `const rateOf = (contractId) => (contractId === undefined ? 2 : 5);
     export const worthOf = async ({ contractId, amount, decimals }) =>
       \`€\${((Number(amount) / 10 ** decimals) * rateOf(contractId)).toFixed(4)}\`;
     export const onAddFunds = (accountId) => {
       open(\`${shop}?to=\${accountId}\`, '_blank', 'noopener');
     };`,
    [coin],
  );
  await register(page, username);
  await expect(page.getByRole('region', { name: 'Tokens' }).getByRole('listitem')).toContainText(
    '€5000.0000',
  );
  const balance = page.getByRole('region', { name: 'You can spend' });
  await expect(balance).toContainText(/[\d.]+ NEAR.*€\d/s);
  const [, near, euros] = /([\d.]+)\s*NEAR.*?€([\d.]+)/s.exec(await balance.innerText()) ?? [];
  expect(Number(euros)).toBeCloseTo(2 * Number(near), 3);

  await page.getByRole('link', { name: 'Receive' }).click();
  await page.getByRole('button', { name: 'Go on without the check' }).click();
  const opened = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Add money' }).click();
  expect((await opened).url()).toBe(`${shop}?to=${accountOf(username)}`);
  expect(complaints).toEqual([]);
});

test('functions that throw, never answer or answer with no text leave the page as it is without them', async ({
  home,
  operator,
  stack,
  username,
}) => {
  const { page, complaints } = home;
  const [silent, odd] = [`silent-${username}.testnet`, `odd-${username}.testnet`];
  await deployTokens(stack.oracle, silent, accountOf(username));
  await deploySaying(stack.oracle, odd, { name: 'Odd', symbol: 'ODD', decimals: 0 });
  await operator.serve(
    `globalThis.asked = new Set();
     export const worthOf = ({ contractId }) => {
       asked.add(contractId);
       if (contractId === '${silent}') return new Promise(() => {});
       if (contractId === '${odd}') return { euros: 1 };
       throw new Error('no rates today');
     };
     export const onAddFunds = () => fetch('${stack.appUrl}', { mode: 'no-cors' });`,
    [silent, odd],
  );
  await register(page, username);
  const asked = () => page.evaluate(() => (globalThis as unknown as { asked: Set<unknown> }).asked.size);
  await expect.poll(asked).toBe(3);
  await expect(page.getByRole('region', { name: 'You can spend' })).toContainText(/\d NEAR/);
  const tokens = page.getByRole('region', { name: 'Tokens' });
  await expect(tokens.getByRole('listitem').filter({ hasText: silent })).toContainText('1,000');
  await expect(tokens.getByRole('listitem').filter({ hasText: odd })).toContainText('“ODD”');

  await goTo(page, 'Activity');
  await expect(heading(page, 'Activity')).toBeVisible();
  await goTo(page, 'Overview');
  await page.getByRole('link', { name: 'Receive' }).click();
  await page.getByRole('button', { name: 'Go on without the check' }).click();
  expect(complaints).toEqual([]);
  // The page's policy lets the script reach no address but those of the wallet.
  await page.getByRole('button', { name: 'Add money' }).click();
  await expect(page.getByRole('alert')).toContainText('Something went wrong.');
  expect(complaints.filter((line) => !line.includes('Content Security Policy'))).toEqual([]);
});

test('a script that never ends its start keeps nobody from the wallet', async ({
  home,
  operator,
  username,
}) => {
  const { page, complaints } = home;
  await operator.serve('await new Promise(() => {}); export const onAddFunds = () => {};');
  await register(page, username);
  await expect(page.getByRole('region', { name: 'You can spend' })).toContainText(/\d NEAR/);
  expect(complaints).toEqual([]);
});
