// A host that the wallet's operator admits and the registry's list does not: said before any passkey, with the command.
// Specification: frame 8

import { REGISTRY, runRegistryCommand } from '../../dev/services/services.js';
import { recordCeremonies } from '../support/browser.js';
import { agree } from '../support/steps.js';
import { accountOf } from '../support/wallet.js';
import { openHost } from './attack-host/fixture.js';
import type { AttackPage } from './attack-host/main.js';
import { serveOwnWallet } from './attack-host/own-wallet.js';
import { expect, test } from './fixtures.js';

declare const attack: AttackPage;

test('a host that the registry lacks is named before any prompt, and the command that the error names mends it', async ({
  context,
  stack,
  places,
  username,
}, info) => {
  // `places` has listed other hosts in the registry.
  const origin = places.at(`${username}.localhost`);
  const nearAccountId = accountOf(username);
  const own = await serveOwnWallet(stack, origin, info.outputPath('lock-key.json'));
  const host = await openHost(context, own.served, origin, own.wallet, await recordCeremonies(context));
  const register = () => host.page.evaluate((id) => attack.manager.registerPasskey(id), nearAccountId);

  const refused = await register();
  expect(refused).toMatchObject({ success: false, errorCode: 'HOST_NOT_IN_REGISTRY' });
  expect(refused.error).toContain(
    `the page ${origin}, but the registry ${REGISTRY} does not list it in allowed_hosts`,
  );
  expect(host.prompts).toEqual([]);

  const command = /latchkey-registry (hosts add \S+ --registry \S+)$/.exec(refused.error ?? '')?.[1];
  expect(await runRegistryCommand(command?.split(' ') ?? [], stack.chainUrl)).toContain(`Added ${origin}`);
  const registering = register();
  await agree(host.wallet.getByRole('dialog'), 'Create passkey');
  expect(await registering).toMatchObject({ success: true, nearAccountId });
  expect(host.failures).toEqual([]);

  await runRegistryCommand(['hosts', 'remove', origin, '--registry', REGISTRY], stack.chainUrl);
  await own.close();
});
