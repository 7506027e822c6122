import { expect, test } from 'vitest';
import { SoftwarePasskeys } from './software-passkeys.js';

const PLACE = { origin: 'http://wallet.localhost:5174', isFramed: true };
const REFUSED = { error: 'NotAllowedError' };
const challenge = 'AAAA';
const made = (passkeys: SoftwarePasskeys, userName: string) =>
  passkeys.answer('create', PLACE, { challenge, rpId: 'wallet.localhost', userId: 'AQ', userName });

test('lists what pages made, and a removed passkey answers no more', () => {
  const passkeys = new SoftwarePasskeys();
  made(passkeys, 'alice');
  made(passkeys, 'bob');
  const [alice, bob] = passkeys.list();
  expect(bob).toEqual({ id: bob?.id, rpId: 'wallet.localhost', userId: 'AQ', userName: 'bob' });
  passkeys.remove(alice?.id ?? '');
  expect(passkeys.list()).toEqual([bob]);
  const ask = (id = '') =>
    passkeys.answer('get', PLACE, { challenge, rpId: 'wallet.localhost', allow: [id] });
  expect(ask(alice?.id)).toEqual(REFUSED);
  expect(ask(bob?.id)).toMatchObject({ id: bob?.id });
});

test('refuses as many prompts as it was asked to, and notes them', () => {
  const passkeys = new SoftwarePasskeys();
  passkeys.refuseNext();
  expect(made(passkeys, 'alice')).toEqual(REFUSED);
  expect(made(passkeys, 'alice')).toMatchObject({ id: expect.any(String) });
  passkeys.agrees = false;
  expect(made(passkeys, 'bob')).toEqual(REFUSED);
  expect(passkeys.list()).toHaveLength(1);
  expect(passkeys.ceremonies).toHaveLength(3);
});
