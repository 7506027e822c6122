import { expect, test } from 'vitest';
import { SoftwareAuthenticator } from './authenticator.js';
import { PROFILES } from './profiles.js';

test('each profile has an id of its own, and each of its facts the section of the report', () => {
  expect(new Set(PROFILES.map(({ id }) => id)).size).toBe(PROFILES.length);
  const facts = PROFILES.flatMap(({ id, facts }) =>
    Object.entries(facts).map(([knob, fact]) => [id, knob, fact] as const),
  );
  const unsourced = facts.filter(
    ([, , fact]) => fact !== 'unknown' && !/^([1-6] |the case itself)/.test(fact[1]),
  );
  expect(unsourced).toEqual([]);
});

test('a manager that refuses frames asks its user nothing there', async () => {
  const authenticator = new SoftwareAuthenticator({ refusesFrames: true });
  const { credentials } = authenticator.forPage({ origin: 'https://wallet.example', isFramed: true });
  const publicKey = { challenge: new Uint8Array(32) };
  await expect(credentials?.get({ publicKey })).rejects.toMatchObject({ name: 'NotAllowedError' });
  expect(authenticator.prompts).toEqual([]);
});
