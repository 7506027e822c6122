/** Every flow with every authenticator: how often it asks the user, and how it ends. */
import { randomBytes } from 'node:crypto';
import type { LatchkeyError, LatchkeyErrorCode, PasskeyManagerConfig } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHAIN_NETWORK, REGISTRY } from '../../../demo/stack/services.js';
import { type Facade, NodeBrowser } from '../../faults/page/browser.js';
import { type FaultStack, ORIGIN, startFaultStack } from '../../faults/stack.js';
import { assertDone, fund, withinPassing } from '../../faults/steps.js';
import { FLOWS, type Flow, knobsOf, type Profile } from './profile.js';
import { PROFILES } from './profiles.js';

/** A press of a user who was refused: once more, then no more. */
const MAX_RETRIES = 1;
const LINKING_MS = 60_000;
const CASE_MS = 90_000;

/** How a flow ended. */
interface Ended {
  readonly prompts: number;
  readonly code?: LatchkeyErrorCode;
  readonly sentence?: string;
}

type Row = Partial<Record<Flow, Ended>>;

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

/** A user with this authenticator in a page of the wallet. */
async function openPage(profile?: Profile): Promise<NodeBrowser> {
  let retries = 0;
  const browser = new NodeBrowser(stack.bundle, ORIGIN, {
    ...(profile && { knobs: knobsOf(profile) }),
    ...(profile?.userAgent && { userAgent: profile.userAgent }),
    decide: async ({ retry }) => {
      if (!retry) return 'confirm';
      retries += 1;
      return retries > MAX_RETRIES ? 'cancel' : 'confirm';
    },
  });
  await load(browser);
  return browser;
}

async function load(browser: NodeBrowser): Promise<void> {
  const config: PasskeyManagerConfig = {
    rpcUrl: stack.chainUrl,
    contractId: REGISTRY,
    relayer: { url: stack.relay.url },
    logLevel: 'silent',
    keyExport: { sameOrigin: true },
  };
  browser.open(config);
  await browser.evaluate(({ manager }) => manager.init());
}

/** Runs a flow in the page and counts the user's prompts. */
async function ended(browser: NodeBrowser, run: (facade: Facade) => Promise<Outcome>): Promise<Ended> {
  const before = browser.authenticator.prompts.length;
  const { success, error, errorCode } = await browser.evaluate(run);
  const prompts = browser.authenticator.prompts.length - before;
  if (success) return { prompts };
  return { prompts, ...(errorCode && { code: errorCode }), ...(error && { sentence: error }) };
}

const sign =
  (accountId: string, greeting: string) =>
  ({ manager }: Facade) =>
    manager.executeAction({
      nearAccountId: accountId,
      receiverId: REGISTRY,
      actionArgs: { type: 'FunctionCall', methodName: 'set_greeting', args: { greeting } },
    });

/** The second device shows its code, and the first one scans it. */
async function link(first: NodeBrowser, second: NodeBrowser): Promise<Pick<Row, 'scan' | 'link'>> {
  const row: Pick<Row, 'scan' | 'link'> = {};
  row.link = await ended(second, async (facade) => {
    const code = await facade.startLinking().catch(asOutcome);
    if ('success' in code) return code;
    row.scan = await ended(first, ({ manager }) => manager.linkDeviceWithScannedQRData(code.qrData, {}));
    await withinPassing(
      second.clock,
      LINKING_MS,
      async () => !!row.scan?.code || facade.linked !== undefined,
    );
    const { linked } = facade;
    return typeof linked === 'object' ? { success: true } : { success: false, errorCode: linked };
  });
  // A first device that could not admit it leaves nothing to join.
  if (row.scan?.code) delete row.link;
  return row;
}

const asOutcome = ({ code, message }: LatchkeyError): Outcome => ({
  success: false,
  error: message,
  errorCode: code,
});

const newAccount = (): string => `z${randomBytes(6).toString('hex')}.${REGISTRY}`;

async function tryOut(profile: Profile): Promise<Row> {
  const accountId = newAccount();
  const browser = await openPage(profile);
  const row: Row = {};
  row.register = await ended(browser, ({ manager }) => manager.registerPasskey(accountId));
  if (row.register.code) return { ...row, ...(await refusedRest(profile, browser)) };

  await fund({ stack, accountId });
  await browser.evaluate(({ manager }) => manager.logoutAndClearVrfSession());
  row.login = await ended(browser, ({ manager }) => manager.loginPasskey(accountId));
  row.sign = await ended(browser, sign(accountId, 'one'));
  row.signAgain = await ended(browser, sign(accountId, 'two'));
  row.export = await ended(browser, ({ manager }) => manager.exportNearKeypairWithUI(accountId));
  const second = await openPage(profile);
  Object.assign(row, await link(browser, second));
  second.leave();
  browser.clearSiteData();
  browser.authenticator.isRemote = profile.recoversElsewhere ?? false;
  await load(browser);
  row.recover = await ended(browser, ({ manager }) => manager.recoverAccountFlow({ accountId }));
  expect(browser.authenticator.signalled, 'passkeys that the browser was told to forget').toEqual([]);
  expect(browser.authenticator.isPageKilled).toBe(false);
  browser.leave();
  return row;
}

/** Where no account can be made, no device can join one either. */
async function refusedRest(profile: Profile, browser: NodeBrowser): Promise<Row> {
  const { made, signalled } = browser.authenticator;
  expect(signalled, 'a passkey of no account, which the browser was told to forget').toEqual(made);
  browser.leave();
  const accountId = newAccount();
  const first = await openPage();
  const made1 = await first.evaluate(({ manager }) => manager.registerPasskey(accountId));
  assertDone('The registration', made1);
  await fund({ stack, accountId });
  const second = await openPage(profile);
  const { link: joined } = await link(first, second);
  first.leave();
  second.leave();
  return joined ? { link: joined } : {};
}

describe.concurrent('an authenticator', () => {
  test.each(PROFILES.map((profile) => [profile.id, profile] as const))(
    '%s asks as often as expected, and works or is refused as expected',
    async (_, profile) => {
      const row = await tryOut(profile);
      const got = Object.fromEntries(
        FLOWS.flatMap((flow) => {
          const end = row[flow];
          return end ? [[flow, end.code ? { prompts: end.prompts, code: end.code } : end.prompts]] : [];
        }),
      );
      expect(got).toEqual(profile.expected);
    },
    CASE_MS,
  );
});
