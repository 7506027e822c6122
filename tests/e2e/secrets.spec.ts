// No secret may be on the console, on the wire, in storage or in the page.
// Specification: core 1
import { KeyPairSigner } from 'near-api-js';
import { secretKeyText } from '../../dev/services/keys.js';
import { derivedSecrets, secretsIn } from '../support/secrets.js';
import {
  forgetEverything,
  logIn,
  logOut,
  recover,
  register,
  setGreeting,
  signMessage,
} from '../support/steps.js';
import { accountOf, homeOf } from '../support/wallet.js';
import { expect, REQUEST_FAILED, test } from './fixtures.js';
import { storageDump } from './storage-dump.js';

test('no secret reaches the console, the network, storage or the page, and the key is the one that the specification derives [S1] [S2] [S3] [S38]', async ({
  wallet,
  stack,
  username,
  expectedConsole,
}) => {
  expectedConsole.push(REQUEST_FAILED, /server lock/i);
  const accountId = accountOf(username);
  await register(wallet, username);
  await setGreeting(wallet, 'nothing to hide');
  await signMessage(wallet, 'nothing to hide');
  await logOut(wallet);
  stack.relay.fail('/vrf/remove-server-lock', { kind: 'status', status: 503 });
  await logIn(wallet, username);

  await forgetEverything(wallet);
  await recover(wallet, username);
  await forgetEverything(wallet);
  await recover(wallet, username, '');

  expect(wallet.prfOutputs.length).toBeGreaterThanOrEqual(6);
  const [outputs] = wallet.prfOutputs;
  const secrets = derivedSecrets(accountId, outputs!);

  // The account's one key is the one that the specification's table derives from these outputs.
  const signer = KeyPairSigner.fromSecretKey(secretKeyText(secrets['NEAR seed']!));
  expect(await stack.oracle.fullAccessKeys(accountId)).toEqual([(await signer.getPublicKey()).toString()]);

  const [home, host] = [await homeOf(wallet.page), wallet.page.mainFrame()];
  const storage = await storageDump(home);
  expect(storage).toContain(accountId);
  const sent = stack.proxies.flatMap((proxy) => proxy.calls.map((call) => call.body));
  expect(sent.join('\n')).toContain(accountId);
  for (const [place, text] of Object.entries({
    console: wallet.consoleLines.join('\n'),
    network: sent.join('\n'),
    storage,
    'the storage of the host': await storageDump(host),
    page: (await home.content()) + (await host.content()),
  })) {
    expect(secretsIn(text, secrets), place).toEqual([]);
  }
});
