/** The check of an authenticator, with each of the software authenticators. */
import { base64nopad, base64urlnopad, hex } from '@scure/base';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { SoftwareAuthenticator } from '../../dev/authenticators/authenticator.js';
import type { Knobs } from '../../dev/authenticators/knobs.js';
import { type Expected, knobsOf, type Profile } from '../../dev/authenticators/profile.js';
import { PROFILES } from '../../dev/authenticators/profiles.js';
import { authenticatorName } from '../../ts/src/check/authenticator-names.js';
import { STEPS, type Step } from '../../ts/src/check/ceremony.js';
import { PASSKEY_NAME, startPasskeyCheck } from '../../ts/src/check/passkey-check.js';
import type { Verdict } from '../../ts/src/check/verdict.js';
import { isNearAccountId } from '../../ts/src/near/account-id.js';
import { newUserHandle, ownerFromUserHandle } from '../../ts/src/webauthn/user-handle.js';

const ORIGIN = 'https://wallet.example';
const RP_ID = 'wallet.example';
const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Safari/537.36';

afterEach(() => vi.unstubAllGlobals());

/** The globals of a page whose user has this authenticator. */
function openPage(knobs: Partial<Knobs> = {}, userAgent = CHROME) {
  const authenticator = new SoftwareAuthenticator(knobs);
  const { credentials, PublicKeyCredential } = authenticator.forPage({ origin: ORIGIN });
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('navigator', { userAgent, credentials });
  vi.stubGlobal('PublicKeyCredential', PublicKeyCredential);
  return authenticator;
}

const signal = new AbortController().signal;
const start = () => startPasskeyCheck({ rpId: RP_ID, version: '1.2.3' });

/** Goes through the steps, as a user does who goes on after a failure, and returns the check. */
async function checked(steps: readonly Step[] = STEPS) {
  const check = await start();
  for (const step of steps) {
    await check.run(step, signal);
    if (!check.hasPasskey) break;
  }
  await check.finish();
  return check;
}

/** As the flows of the wallet end for the same authenticator. */
function asExpected(verdict: Verdict): Expected | Verdict {
  if (verdict.kind === 'works') return verdict.prompts;
  return verdict.kind === 'refused' ? { prompts: expect.any(Number), code: verdict.code } : verdict;
}

/** What a registration says; the check asks more often, and so finds during it what a registration leaves to the signature. */
function expectedOf({ expected: { register, sign } }: Profile): Expected | undefined {
  const isFoundLater = typeof register === 'number' && typeof sign === 'object';
  return isFoundLater ? { prompts: register, code: 'PASSKEY_UNSTABLE' } : register;
}

describe('the check of an authenticator', () => {
  test.each(PROFILES.map((profile) => [profile.id, profile] as const))(
    'says of %s what its registration says, and has its passkey forgotten',
    async (_id, profile) => {
      const authenticator = openPage(knobsOf(profile), profile.userAgent);
      const check = await checked();
      expect(expectedOf(profile)).toEqual(asExpected(check.verdict()));
      expect(check.browser.device.warningCode).toBe(profile.warning);
      expect(authenticator.signalled).toEqual(authenticator.made);
      expect(authenticator.isPageKilled, 'a toJSON ended the page').toBe(false);
      const { aaguid } = knobsOf(profile);
      if (aaguid && authenticator.made.length > 0)
        expect(check.report()).toContain(`aaguid: ${aaguid} (${authenticatorName(aaguid)})`);
    },
  );

  test('knows the name of each model that a profile has', () => {
    for (const { facts, authenticator } of PROFILES) {
      if (!Array.isArray(facts.aaguid) || /hybrid/.test(authenticator)) continue;
      const [first = ''] = authenticator.replace(/^Chrome.s own profile$/, 'Chrome').split(' ');
      expect(authenticatorName(facts.aaguid[0])).toContain(first);
    }
  });

  test('asks once to make, twice by name and once without', async () => {
    const authenticator = openPage();
    await checked();
    expect(authenticator.prompts.map(({ kind, isNamed }) => [kind, isNamed])).toEqual([
      ['create', false],
      ['get', true],
      ['get', true],
      ['get', false],
    ]);
  });

  test('makes a passkey in which no recovery reads an account, over salts of no account', () => {
    expect(isNearAccountId(PASSKEY_NAME)).toBe(false);
    expect(ownerFromUserHandle(newUserHandle(PASSKEY_NAME, 1))).toBeUndefined();
    // The salts of an account carry the first 17 characters of its name and more: none has a capital letter or a space.
    expect(PASSKEY_NAME).toMatch(/^[A-Z].* /);
  });
});

describe('the report', () => {
  test('of a page without passkeys says so', async () => {
    openPage({ api: false });
    const check = await start();
    expect(check.verdict()).toMatchObject({ kind: 'refused', code: 'PASSKEYS_UNSUPPORTED' });
    expect(check.report()).toContain('device check: PASSKEYS_UNSUPPORTED');
    expect(check.report()).toMatch(/forget the passkey: no passkey was made$/);
  });

  test('has what each step showed', async () => {
    openPage({ aaguid: 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd', transports: ['hybrid', 'internal'] });
    const report = (await checked()).report();
    expect(report.replace(/(date|time): .*/g, '$1: …')).toBe(
      `Passkey check
verdict: works with one prompt
date: …
latchkey: 1.2.3
user agent: ${CHROME}
userAgentData: none
capabilities: no getClientCapabilities
navigator.credentials.create: the browser’s own
device check: unknown

1. create
   time: …
   credential: a plain object; toJSON: its own
   attachment: "platform"
   transports: ["hybrid", "internal"]
   prf: results (ArrayBuffer)
   outputs: both
   aaguid: fbfc3007-154e-4ecc-8c0b-6e020557d7bd (iCloud Keychain)
   credProps.rk: not said
   known platform provider: yes
   flags: UP 1, UV 1, BE 1, BS 1

2. get
   time: …
   credential: a plain object; toJSON: its own
   attachment: "platform"
   prf: results (ArrayBuffer)
   outputs: both
   flags: UP 1, UV 1, BE 1, BS 1
   passkey: the new one
   user handle: given
   compared with create: first same, second same

3. get again
   time: …
   credential: a plain object; toJSON: its own
   attachment: "platform"
   prf: results (ArrayBuffer)
   outputs: both
   flags: UP 1, UV 1, BE 1, BS 1
   passkey: the new one
   user handle: given
   compared with create: first same, second same
   compared with get: first same, second same

4. get unnamed
   time: …
   credential: a plain object; toJSON: its own
   attachment: "platform"
   prf: results (ArrayBuffer)
   outputs: both
   flags: UP 1, UV 1, BE 1, BS 1
   passkey: the new one
   user handle: given
   compared with create: first same, second same
   compared with get: first same, second same
   compared with get again: first same, second same

browser told to forget the passkey: yes`,
    );
  });

  test.each<[string, Partial<Knobs>, readonly string[]]>([
    [
      'other outputs at get than at create',
      { getPrf: 'differs' },
      [
        'refused: PASSKEY_UNSTABLE',
        'compared with create: first different, second different',
        'compared with get: first same, second same',
      ],
    ],
    [
      'no outputs at create',
      { createPrf: 'enabled' },
      ['prf: enabled only', 'compared with create: first none, second none', 'compared with get: first same'],
    ],
    [
      'half the outputs at create',
      { createPrf: 'half' },
      ['prf: half (ArrayBuffer)', 'outputs: refused: Missing PRF result: second'],
    ],
    ['no prf at create', { createPrf: 'absent' }, ['prf: none']],
    ['an empty prf at create', { createPrf: 'empty' }, ['prf: empty']],
    [
      'PRF that is not enabled',
      { createPrf: 'disabled', getPrf: 'none' },
      ['prf: enabled: false', 'refused: PRF_MISSING'],
    ],
    ['outputs as numbers', { prfForm: 'number[]' }, ['prf: results (Array)', 'first same']],
    [
      'a user verified only where no passkey is named',
      { uv: 'unnamed' },
      ['UV 0', 'verifies its user only where no passkey is named'],
    ],
    ['no user verified', { uv: 'never' }, ['UV 0', 'refused: USER_NOT_VERIFIED']],
    ['a passkey of this device alone', { backup: 'device-bound' }, ['BE 0, BS 0']],
    ['an object without a prototype', { object: 'plain' }, ['a plain object; toJSON: none']],
    [
      'functions of an extension',
      { functions: 'patched' },
      ['navigator.credentials.create: replaced by a script', 'known platform provider: no'],
    ],
    ['transports that the standard had', { transports: ['cable', ''] }, ['transports: ["cable", ""]']],
  ])('tells %s', async (_name, knobs, parts) => {
    openPage(knobs);
    const report = (await checked()).report();
    for (const part of parts) expect(report).toContain(part);
  });

  test.each<[Knobs['cancel'], string]>([
    ['chrome', 'NotAllowedError: The operation either timed out or was not allowed.'],
    ['firefox', 'AbortError: The operation was aborted.'],
    ['plain error', 'Error: Promise timed out after 60000ms'],
    ['undefined', 'rejected with undefined:'],
    ['null', 'resolved with null'],
  ])('tells how a no ends (%s), and the user can try again', async (cancel, error) => {
    const authenticator = openPage({ cancel });
    const check = await start();
    authenticator.agrees = false;
    expect(await check.run('create', signal)).toMatchObject({ code: 'CANCELLED' });
    expect(check.hasPasskey).toBe(false);
    expect(check.verdict()).toEqual({ kind: 'open' });
    authenticator.agrees = true;
    for (const step of STEPS) expect(await check.run(step, signal)).toBeUndefined();
    expect(check.verdict()).toMatchObject({ kind: 'works' });
    expect(check.report()).toContain(`error: ${error}`);
    expect(await check.finish()).toBe('told');
  });

  test('says nothing of a passkey whose outputs came once', async () => {
    openPage({ createPrf: 'enabled', getPrf: 'random' });
    const check = await start();
    await check.run('create', signal);
    await check.run('get', signal);
    expect(check.verdict()).toEqual({ kind: 'open' });
    await check.run('get again', signal);
    expect(check.verdict()).toEqual({ kind: 'refused', code: 'PASSKEY_UNSTABLE' });
  });

  test('goes on where one of the steps failed', async () => {
    const authenticator = openPage();
    const check = await start();
    await check.run('create', signal);
    authenticator.agrees = false;
    expect(await check.run('get', signal)).toMatchObject({ code: 'CANCELLED' });
    expect(check.verdict()).toEqual({ kind: 'open' });
    authenticator.agrees = true;
    expect(await check.run('get again', signal)).toBeUndefined();
    expect(check.verdict()).toMatchObject({ kind: 'works' });
  });

  test('does not count the passkey of an account that the user chose instead', async () => {
    const authenticator = openPage();
    const { credentials } = authenticator.forPage({ origin: ORIGIN });
    const check = await start();
    for (const step of STEPS.slice(0, 3)) await check.run(step, signal);
    // The newest one answers a request without a name.
    await credentials?.create({
      publicKey: {
        rp: { id: RP_ID, name: '' },
        user: { id: new TextEncoder().encode('alice.testnet'), name: '', displayName: '' },
        challenge: new Uint8Array(32),
        pubKeyCredParams: [],
      },
    });
    await check.run('get unnamed', signal);
    expect(check.report()).toContain('passkey: another one, discarded');
    expect(check.report()).not.toContain('compared with get again');
    expect(check.verdict()).toEqual({ kind: 'works', prompts: 1, verifiesUnnamed: false });
    await check.finish();
    expect(authenticator.signalled).toEqual(authenticator.made.slice(0, 1));
  });

  test('holds no output, id, challenge or user handle, also where an error repeats them', async () => {
    openPage();
    const { credentials } = navigator;
    const outputs: Uint8Array[] = [];
    const others: Uint8Array[] = [];
    type Options = {
      publicKey: Record<string, unknown> & { challenge: Uint8Array; user?: { id: Uint8Array } };
    };
    const textsIn = (bytes: Uint8Array): string[] =>
      [base64urlnopad, base64nopad, hex].map((coder) => coder.encode(bytes));
    const watched =
      (ask: (options: Options) => Promise<unknown>) =>
      async (options: Options): Promise<unknown> => {
        const { challenge, user } = options.publicKey;
        const credential = (await ask(options)) as {
          rawId: ArrayBuffer;
          getClientExtensionResults(): { prf: { results: { first: ArrayBuffer; second: ArrayBuffer } } };
        };
        const { first, second } = credential.getClientExtensionResults().prf.results;
        outputs.push(...[first, second].map((output) => new Uint8Array(output.slice(0))));
        others.push(challenge, new Uint8Array(credential.rawId), ...(user ? [user.id] : []));
        return credential;
      };
    const page = credentials as unknown as Record<'create' | 'get', (options: Options) => Promise<unknown>>;
    const [create, get] = [watched(page.create), watched(page.get)];
    let gets = 0;
    page.create = create;
    page.get = async (options) => {
      gets += 1;
      if (gets !== 2) return get(options);
      others.push(options.publicKey.challenge);
      throw new Error(`no passkey ${others.map((value) => textsIn(value).join(' ')).join(' ')}`);
    };

    const report = (await checked()).report();
    expect(report).toContain('error: Error: no passkey …');
    expect([outputs.length, others.length]).toEqual([6, 8]);
    for (const text of [...outputs, ...others].flatMap((value) => [...textsIn(value), value.join()]))
      expect(report).not.toContain(text);
    expect(report).not.toContain(`${PASSKEY_NAME}~`);
  });
});
