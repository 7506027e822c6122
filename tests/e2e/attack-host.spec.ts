// A host that means harm: whatever it tries, it gets the error that is meant for it, and no key, money or secret.
import { ask, connect, expect, type Host, register, start, test } from './attack-host/fixture.js';
import type { AttackPage } from './attack-host/main.js';

declare const attack: AttackPage;

test.describe('a port', () => {
  test('is not to be had by an unlisted host, nor by one that looks like a listed one', async ({
    open,
    places,
  }) => {
    const { hostname: shop } = new URL(places.shop);
    const strangers = ['stranger.localhost', `${shop}.evil.localhost`, `wallet.localhost.${shop}`, `x${shop}`];
    for (const origin of strangers.map(places.at)) {
      const host = await open(origin, places.unguarded);
      const answer = await host.page.evaluate(() => attack.connect());
      expect(answer, origin).toMatchObject({ type: 'ERROR', payload: { code: 'HOST_NOT_ALLOWED' } });
      // No later try does better, and nothing has come on any port.
      await host.page.evaluate(() => attack.offerPort());
      await expect(host.wallet.getByText(`${origin} may not`)).toBeVisible();
      expect(await host.page.evaluate(() => attack.ports.flat())).toEqual([]);
      await host.page.close();
    }
  });
});
