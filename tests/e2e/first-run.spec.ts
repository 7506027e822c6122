// A new user's first steps, and the cost limit of each.
// Specification: core 1, core 7, demo 4
import { logIn, logOut, register, setGreeting, signMessage, toDemos } from '../support/steps.js';
import { accountOf } from '../support/wallet.js';
import { expect, expectAtMost, expectCallsOf, expectFinal, test } from './fixtures.js';

test('registers, logs out, logs in through the server lock, sets the greeting and signs a message', async ({
  wallet,
  stack,
  username,
}) => {
  const accountId = accountOf(username);

  const registration = await wallet.during(() => register(wallet, username));
  expect(registration.prompts).toEqual([{ kind: 'create', userVerification: 'required', prf: true }]);
  // Six for the registration, and one that asks which registry it is: once for each page.
  expectAtMost(7, registration.rpc);
  expectCallsOf('query:contract_source_metadata', registration.rpc, 1);
  expect(registration.relay).toHaveLength(2);
  expect(registration.relay).toContain('/create_account_and_register_user');
  expect(registration.relay).toContain('/vrf/apply-server-lock');

  const [publicKey, ...otherKeys] = await stack.oracle.fullAccessKeys(accountId);
  expect(otherKeys).toEqual([]);
  const records = await stack.oracle.authenticators(accountId);
  expect(records).toHaveLength(1);
  expect(records[0]?.[1]).toMatchObject({
    device_number: 1,
    expected_rp_id: new URL(stack.walletOrigin ?? stack.appUrl).hostname,
    near_public_key: publicKey,
  });

  await logOut(wallet);
  const silent = await wallet.during(() => logIn(wallet, username));
  expect(silent.prompts).toEqual([]);
  expect(silent.relay.length, silent.relay.join()).toBeLessThanOrEqual(2);
  expect(silent.relay).toContain('/vrf/remove-server-lock');

  const text = `hello from ${username}`;
  let transactionId = '';
  const sending = await wallet.during(() =>
    expectFinal(stack, async () => {
      transactionId = await setGreeting(wallet, text);
    }),
  );
  expect(sending.prompts).toEqual([{ kind: 'get', userVerification: 'required', prf: true }]);
  expectCallsOf('send_tx', sending.rpc, 1);
  expectCallsOf('query:verify_authentication_response', sending.rpc, 1);
  expect(sending.rpc.indexOf('query:verify_authentication_response')).toBeLessThan(
    sending.rpc.indexOf('send_tx'),
  );
  expect(sending.relay).toEqual([]);
  expect(await stack.oracle.greeting()).toContain(text);
  expect(await stack.oracle.transaction(transactionId, accountId)).toEqual({
    receiverId: 'w3a-v1.testnet',
    succeeded: true,
  });
  await expect(wallet.page.getByText(text)).toBeVisible();

  await toDemos(wallet.page);
  let signed: Awaited<ReturnType<typeof signMessage>> | undefined;
  const signing = await wallet.during(async () => {
    signed = await signMessage(wallet, `I am ${username}`);
  });
  expect(signing.prompts).toEqual([{ kind: 'get', userVerification: 'required', prf: true }]);
  expectCallsOf('query:verify_authentication_response', signing.rpc, 1);
  // A nonce is read again when it is older than five seconds.
  expectAtMost(2 + Math.floor(signing.ms / 5_000), signing.rpc);
  expect(signing.relay).toEqual([]);
  expect(signed).toMatchObject({ accountId, publicKey, message: `I am ${username}` });
  await stack.oracle.verifyMessage(signed!);
  await expect(stack.oracle.verifyMessage({ ...signed!, message: 'I am someone else' })).rejects.toThrow(
    'Signature verification failed',
  );
});
