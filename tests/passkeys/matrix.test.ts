/**
 * Every flow with every authenticator, on one chain and one relay: how often it asks the user, and how it ends. What it finds
 * is the table of docs/guides/authenticators.json; `npx vitest run --project stack tests/passkeys -u` writes it.
 */
import { randomBytes } from 'node:crypto';
import type { LatchkeyError, LatchkeyErrorCode } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Knobs } from '../../dev/authenticators/knobs.js';
import { type Expected, knobsOf, type Profile } from '../../dev/authenticators/profile.js';
import { PROFILES } from '../../dev/authenticators/profiles.js';
import { CHAIN_NETWORK, REGISTRY } from '../../dev/services/services.js';
import { type FaultStack, ORIGIN, startFaultStack } from '../faults/stack.js';
import { assertDone, fund, withinPassing } from '../faults/steps.js';
import { type Facade, NodeBrowser } from '../support/page/browser.js';
import { type Ended, type Row, tableOf } from './table.js';

/** Longer than any linking, and than the wallet's own timer on two prompts. On the device's clock. */
const LIMIT_MS = 180_000;
const CASE_MS = 90_000;
/** As often as a user tries again. */
const MAX_RETRIES = 1;

interface Outcome {
  readonly success: boolean;
  readonly error?: string | undefined;
  readonly errorCode?: LatchkeyErrorCode | undefined;
}

let stack: FaultStack;
beforeAll(async () => {
  stack = await startFaultStack(CHAIN_NETWORK);
});
afterAll(() => stack?.stop());

interface User {
  readonly knobs?: Partial<Knobs>;
  readonly userAgent?: string | undefined;
  readonly retries?: number;
  /** The user's pause before another try. */
  readonly pauseMs?: number;
}

function profileOf(wanted: string): Profile {
  const profile = PROFILES.find(({ id }) => id === wanted);
  if (!profile) throw new Error(`No profile has the id ${wanted}.`);
  return profile;
}

/** Whether a registration gets as far as a prompt. */
const asksAtAll = ({ expected: { register } }: Profile): boolean =>
  typeof register !== 'object' || register.prompts > 0;

const userOf = (profile: Profile): User => ({ knobs: knobsOf(profile), userAgent: profile.userAgent });

/** A user in a page of the wallet. */
async function openPage({ knobs = {}, userAgent, retries = MAX_RETRIES, pauseMs = 0 }: User = {}) {
  let left = retries;
  const browser = new NodeBrowser(stack.bundle, ORIGIN, {
    knobs,
    ...(userAgent !== undefined && { userAgent }),
    decide: async ({ retry }) => {
      if (!retry) return 'confirm';
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      left -= 1;
      return left < 0 ? 'cancel' : 'confirm';
    },
  });
  await load(browser);
  return browser;
}

async function load(browser: NodeBrowser): Promise<void> {
  browser.open({
    rpcUrl: stack.chainUrl,
    contractId: REGISTRY,
    relayer: { url: stack.relay.url },
    logLevel: 'silent',
    keyExport: { sameOrigin: true },
  });
  await browser.evaluate(({ manager }) => manager.init());
}

/** Runs a flow in the page and counts the user's prompts. */
async function ended(browser: NodeBrowser, run: (facade: Facade) => Promise<Outcome>): Promise<Ended> {
  const before = browser.authenticator.prompts.length;
  const { success, error, errorCode: code = 'UNKNOWN' } = await browser.evaluate(run);
  const prompts = browser.authenticator.prompts.length - before;
  return success ? { prompts } : { prompts, code, sentence: error };
}

const failed = ({ code, message }: LatchkeyError): Outcome => ({
  success: false,
  error: message,
  errorCode: code,
});

const register =
  (accountId: string) =>
  ({ manager }: Facade) =>
    manager.registerPasskey(accountId);

const sign =
  (accountId: string) =>
  ({ manager }: Facade) =>
    manager.executeAction({
      nearAccountId: accountId,
      receiverId: REGISTRY,
      actionArgs: { type: 'FunctionCall', methodName: 'set_greeting', args: { greeting: accountId } },
    });

/** The second device shows its code, and the first one scans it. */
async function link(first: NodeBrowser, second: NodeBrowser): Promise<Pick<Row, 'scan' | 'link'>> {
  const row: Pick<Row, 'scan' | 'link'> = {};
  row.link = await ended(second, async (facade) => {
    const code = await facade.startLinking().catch(failed);
    if ('success' in code) return code;
    row.scan = await ended(first, ({ manager }) => manager.linkDeviceWithScannedQRData(code.qrData, {}));
    await withinPassing(second.clock, LIMIT_MS, async () => !!row.scan?.code || facade.linked !== undefined);
    const { linked } = facade;
    return typeof linked === 'object' ? { success: true } : { success: false, errorCode: linked };
  });
  // A first device that could not admit it leaves nothing to join.
  if (row.scan?.code) delete row.link;
  return row;
}

async function provenIn(browser: NodeBrowser, accountId: string): Promise<boolean | undefined> {
  const { userData } = await browser.evaluate(({ manager }) => manager.getLoginState(accountId));
  return userData?.passkeyProven;
}

const newAccount = (): string => `z${randomBytes(6).toString('hex')}.${REGISTRY}`;

/** The flows of a user whose account can be made; otherwise only the registration, and the linking that is refused likewise. */
async function tryOut(profile: Profile): Promise<Row> {
  const accountId = newAccount();
  const browser = await openPage(userOf(profile));
  const { authenticator } = browser;
  const check = await browser.evaluate(({ manager }) => manager.checkDevice());
  const row: Row = { warning: check.warningCode, warningSentence: check.warning };
  row.register = await ended(browser, register(accountId));
  if (check.canUsePasskeys === 'no')
    expect(row.register).toMatchObject({ prompts: 0, code: check.errorCode });
  if (row.register.code) {
    expect(authenticator.signalled, 'the passkeys that the browser is to forget').toEqual(authenticator.made);
    browser.leave();
    return { ...row, ...(await linkRefused(profile)) };
  }

  // Two ceremonies with outputs, of which the wallet has compared both.
  const isProven = knobsOf(profile).createPrf === 'results' && row.register.prompts === 2;
  expect(await provenIn(browser, accountId), 'proven by the registration').toBe(isProven);
  await fund({ stack, accountId });
  await browser.evaluate(({ manager }) => manager.logoutAndClearVrfSession());
  row.login = await ended(browser, ({ manager }) => manager.loginPasskey(accountId));
  row.sign = await ended(browser, sign(accountId));
  expect(await provenIn(browser, accountId), 'proven by the signature').toBe(!row.sign.code);
  row.signAgain = await ended(browser, sign(accountId));
  row.export = await ended(browser, ({ manager }) => manager.exportNearKeypairWithUI(accountId));
  const second = await openPage(userOf(profile));
  Object.assign(row, await link(browser, second));
  second.leave();

  browser.clearSiteData();
  authenticator.isRemote = profile.recoversElsewhere ?? false;
  await load(browser);
  row.recover = await ended(browser, ({ manager }) => manager.recoverAccountFlow({ accountId }));
  if (!row.recover.code) {
    expect(await provenIn(browser, accountId), 'proven by the recovery').toBe(true);
    row.signRecovered = await ended(browser, sign(accountId));
  }
  expect(authenticator.signalled, 'the passkeys that the browser is to forget').toEqual([]);
  expect(authenticator.isPageKilled, 'a toJSON ended the page').toBe(false);
  browser.leave();
  return row;
}

/** As the second device of an account whose first one has nothing special. */
async function linkRefused(profile: Profile): Promise<Row> {
  const accountId = newAccount();
  const [first, second] = [await openPage(), await openPage(userOf(profile))];
  assertDone('The registration', await first.evaluate(register(accountId)));
  await fund({ stack, accountId });
  const { link: joined } = await link(first, second);
  first.leave();
  second.leave();
  return { ...(joined && { link: joined }) };
}

const asExpected = ({ prompts, code }: Ended): Expected => (code ? { prompts, code } : prompts);

const rows = new Map<string, Row>();

describe.concurrent('an authenticator (core 5)', () => {
  test.for(PROFILES)(
    '$id asks as often as expected, and works or is refused as expected',
    { timeout: CASE_MS },
    async (profile, { expect }) => {
      const { warning, warningSentence, ...flows } = await tryOut(profile);
      const ends = Object.entries(flows).map(([flow, end]) => [flow, asExpected(end)]);
      expect(Object.fromEntries(ends)).toEqual(profile.expected);
      expect(warning).toBe(profile.warning);
      rows.set(profile.id, { warning, warningSentence, ...flows });
    },
  );

  test.for(PROFILES.filter(asksAtAll))(
    '$id makes nothing and asks no more where the user says no',
    { timeout: CASE_MS },
    async (profile, { expect }) => {
      const browser = await openPage({ ...userOf(profile), retries: 0 });
      browser.authenticator.agrees = false;
      const end = await ended(browser, register(newAccount()));
      expect(asExpected(end)).toEqual({ prompts: 1, code: 'REGISTRATION_CANCELLED' });
      expect(browser.authenticator.made).toEqual([]);
      browser.leave();
    },
  );

  test.for(PROFILES)(
    '$id makes an account without a name as it registers one, and what it has proven comes back as itself',
    { timeout: CASE_MS },
    async (profile, { expect }) => {
      const browser = await openPage(userOf(profile));
      let accountId = '';
      const made = await ended(browser, async ({ manager }) => {
        const result = await manager.createAccount();
        accountId = result.nearAccountId ?? '';
        return result;
      });
      expect(asExpected(made)).toEqual(profile.expected.register);
      const { authenticator } = browser;
      expect(authenticator.signalled).toEqual(made.code ? authenticator.made : []);
      if (made.code) return browser.leave();
      const check = (id: string) =>
        ended(browser, async ({ manager }) => {
          const result = await manager.checkPasskey(id);
          accountId = result.nearAccountId;
          return result;
        });
      const checked = await check(accountId);
      expect(await provenIn(browser, accountId)).toBe(!checked.code);
      if (checked.code) return browser.leave();
      const address = accountId;
      browser.clearSiteData();
      await load(browser);
      await ended(browser, async ({ manager }) => {
        const result = await manager.recoverAccountFlow();
        accountId = result.accountId ?? '';
        return result;
      });
      await check(accountId);
      expect(accountId).toBe(address);
      browser.leave();
    },
  );

  /** What a device that holds a passkey of the account says to a second one. */
  const EXCLUDED: Readonly<Record<Knobs['excluded'], LatchkeyErrorCode>> = {
    InvalidStateError: 'PASSKEY_SYNCED',
    NotAllowedError: 'CANCELLED',
    waits: 'CANCELLED',
    overwrites: 'UNKNOWN',
  };

  test.for(['icloud-ios-26.4', 'google-android', 'keepassxc-prf'])(
    '%s makes no second passkey of its account',
    { timeout: CASE_MS },
    async (id, { expect }) => {
      const profile = profileOf(id);
      const browser = await openPage({ ...userOf(profile), retries: 0 });
      const accountId = newAccount();
      assertDone('The registration', await browser.evaluate(register(accountId)));
      await fund({ stack, accountId });
      browser.clearSiteData();
      await load(browser);
      let isOver = false;
      const joining = ended(browser, ({ startLinking }) =>
        startLinking(accountId).then(() => ({ success: true }), failed),
      ).finally(() => {
        isOver = true;
      });
      await withinPassing(browser.clock, LIMIT_MS, async () => isOver);
      expect(asExpected(await joining)).toEqual({ prompts: 1, code: EXCLUDED[knobsOf(profile).excluded] });
      expect(browser.authenticator.made).toHaveLength(1);
      browser.leave();
    },
  );

  test.for<[string, Partial<Knobs>]>([
    ['is found a second late', { lateVisibleMs: 1_000 }],
    ['gives one of two outputs right after it was made', { getPrf: 'half once' }],
  ])(
    'whose passkey %s is asked once more, at a press, and makes no second one',
    {
      timeout: CASE_MS,
    },
    async ([, knobs], { expect }) => {
      const browser = await openPage({ knobs: { createPrf: 'enabled', ...knobs }, pauseMs: 1_200 });
      expect(await ended(browser, register(newAccount()))).toEqual({ prompts: 3 });
      expect(browser.authenticator.made).toHaveLength(1);
      browser.leave();
    },
  );

  test('of Windows Hello signs at the second press after a new device password', {
    timeout: CASE_MS,
  }, async ({ expect }) => {
    const profile = profileOf('hello-2026-02');
    const browser = await openPage(userOf(profile));
    const accountId = newAccount();
    assertDone('The registration', await browser.evaluate(register(accountId)));
    browser.authenticator.findsOnlyUnnamed = true;
    expect(await ended(browser, sign(accountId))).toEqual({ prompts: 2 });
    browser.leave();
  });

  const ICLOUD = knobsOf(profileOf('icloud-ios-26.4')).aaguid;
  test.for<[string, number, Partial<Knobs>]>([
    ['half the outputs', 2, { createPrf: 'half' }],
    ['an empty prf', 2, { createPrf: 'empty' }],
    ['outputs as base64url', 1, { prfForm: 'base64url' }],
    ['hybrid alone', 1, { transports: ['hybrid'], answersOnlyIfInternal: true }],
    // Whether it is a known provider of this device decides on the proof.
    ['no AAGUID, and hybrid', 1, { aaguid: '', transports: ['hybrid', 'internal'] }],
    ['no AAGUID, and internal', 2, { aaguid: '', transports: ['internal'] }],
    ['no AAGUID, and an empty transport', 2, { aaguid: '', transports: [''] }],
    ['no AAGUID, and a transport that the standard had', 2, { aaguid: '', transports: ['cable'] }],
    ['a known AAGUID, and no transports', 1, { aaguid: ICLOUD, transports: [] }],
    ['a known AAGUID, and no attachment', 2, { aaguid: ICLOUD, attachment: undefined }],
    ['a known AAGUID by an extension', 2, { aaguid: ICLOUD, functions: 'patched' }],
  ])(
    'that gives %s asks %i times for an account, and once for a signature',
    {
      timeout: CASE_MS,
    },
    async ([, prompts, knobs], { expect }) => {
      const browser = await openPage({ knobs });
      const accountId = newAccount();
      expect(await ended(browser, register(accountId))).toEqual({ prompts });
      expect(await ended(browser, sign(accountId))).toEqual({ prompts: 1 });
      browser.leave();
    },
  );

  test('that verifies no user is refused, and its passkey is forgotten', { timeout: CASE_MS }, async ({
    expect,
  }) => {
    const browser = await openPage({ knobs: { uv: 'never' } });
    const end = await ended(browser, register(newAccount()));
    expect(asExpected(end)).toEqual({ prompts: 1, code: 'USER_NOT_VERIFIED' });
    expect(browser.authenticator.signalled).toEqual(browser.authenticator.made);
    browser.leave();
  });
});

test('docs/guides/authenticators.json is what the flows found', async () => {
  await expect(tableOf(PROFILES, rows)).toMatchFileSnapshot('../../docs/guides/authenticators.json');
});
