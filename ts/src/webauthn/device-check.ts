/**
 * What this page can do with passkeys, asked before the first prompt. The browser reports some of it for certain; the
 * rest shows only when the user presents an authenticator:
 *
 * - whether a security key or a phone gives PRF outputs: no API asks it before the ceremony;
 * - whether there is any authenticator at all: the user may plug in a security key a minute later.
 *
 * So only certain failures end a flow, with a sentence that names the missing part.
 */

import {
  type ErrorValues,
  insecureContext,
  LatchkeyError,
  type LatchkeyErrorCode,
  PASSKEYS_FORBIDDEN_HERE,
  PASSKEYS_UNSUPPORTED,
  PRF_UNSUPPORTED,
} from '../errors/wallet.js';
import { within } from '../sleep.js';
import type { Credentials } from './credentials.js';
import type { InAppBrowser } from './in-app-browser.js';
import type { KnownBrowser, KnownProblem } from './known-browser.js';
import { isPhoneOrOldSafari } from './user-agent.js';

export type Ceremony = 'create' | 'get';

/** True, false, or null if the browser does not report it. */
export type Told = boolean | null;

export interface DeviceCheck {
  /** 'no': a ceremony cannot succeed here. 'unknown': only the prompt shows it. */
  readonly canUsePasskeys: 'yes' | 'no' | 'unknown';
  /** The reason; absent unless 'no'. */
  readonly error?: string;
  readonly errorCode?: LatchkeyErrorCode;
  readonly errorValues?: ErrorValues;
  /** What works in part here, in a sentence for the user; absent unless the browser's version is known for it. */
  readonly warning?: string;
  readonly warningCode?: LatchkeyErrorCode;
  readonly warningValues?: ErrorValues;
  /** Where the page can be opened instead, if it is in the browser of an app; absent otherwise. */
  readonly openIn?: InAppBrowser['openIn'];
  readonly isSecureContext: boolean;
  readonly hasWebAuthn: boolean;
  /** What this document's permission policy allows; always true in a page that is not framed. */
  readonly mayCreate: Told;
  readonly mayGet: Told;
  /** This device's own fingerprint, face or PIN. */
  readonly platformAuthenticator: Told;
  /** A phone that scans a code. */
  readonly hybridTransport: Told;
  /** Whether the browser passes PRF on; a security key's or phone's support is unknown in advance. */
  readonly prf: Told;
}

type Capabilities = Readonly<Record<string, boolean>>;

interface CredentialClass {
  getClientCapabilities?: () => Promise<Capabilities>;
  isUserVerifyingPlatformAuthenticatorAvailable?: () => Promise<boolean>;
}

interface PolicyDocument {
  readonly featurePolicy?: { features(): string[]; allowsFeature(feature: string): boolean };
}

/** Longest wait for the browser's answer: a browser that never answers must not delay the prompt. */
const ANSWER_LIMIT_MS = 1_000;

/** Asks the browser without showing anything. Never rejects. */
export async function checkDevice(): Promise<DeviceCheck> {
  const isSecureContext = globalThis.isSecureContext === true;
  const credential = (globalThis as { PublicKeyCredential?: CredentialClass }).PublicKeyCredential;
  const hasWebAuthn = Boolean(credential && globalThis.navigator?.credentials);
  const [capabilities, platform] = await Promise.all([
    asked(() => credential?.getClientCapabilities?.()),
    asked(() => credential?.isUserVerifyingPlatformAuthenticatorAvailable?.()),
  ]);
  const capability = (name: string): Told => capabilities?.[name] ?? null;
  const found = {
    isSecureContext,
    hasWebAuthn,
    mayCreate: allowedHere('publickey-credentials-create'),
    mayGet: allowedHere('publickey-credentials-get'),
    platformAuthenticator: platform ?? capability('userVerifyingPlatformAuthenticator'),
    hybridTransport: capability('hybridTransport'),
    prf: capability('extension:prf'),
  };
  const known = await thisBrowser();
  const problem = problemFor(found, 'get', known) ?? problemFor(found, 'create', known);
  const warning = problem || !known?.warning ? undefined : errorOfKnown(known.warning);
  return {
    canUsePasskeys: problem ? 'no' : isCertain(found) ? 'yes' : 'unknown',
    ...(problem && { error: problem.message, errorCode: problem.code }),
    ...(problem?.values && { errorValues: problem.values }),
    ...(problem?.code === 'IN_APP_BROWSER' && known?.inApp && { openIn: known.inApp.openIn }),
    ...(warning && { warning: warning.message, warningCode: warning.code }),
    ...(warning?.values && { warningValues: warning.values }),
    ...found,
  };
}

/**
 * Throws an error with a sentence for the user if such a ceremony is certain to fail. Shows no prompt. If there are
 * other ways, does not throw for what only this document's policy forbids.
 */
export async function assertDevice(
  ceremony: Ceremony,
  { hasOtherWays = false }: Pick<Credentials, 'hasOtherWays'> = {},
): Promise<void> {
  const problem = problemFor(await checkDevice(), ceremony, await thisBrowser());
  if (problem && !(hasOtherWays && problem.code === 'PASSKEYS_FORBIDDEN_HERE')) throw problem;
}

/** What its name and version say; that code loads on phones and in Safari alone. */
async function thisBrowser(): Promise<KnownBrowser | undefined> {
  if (!isPhoneOrOldSafari(globalThis.navigator?.userAgent ?? '')) return undefined;
  return (await import('./known-browser.js')).knownBrowser();
}

const errorOfKnown = ({ text, values }: KnownProblem): LatchkeyError => new LatchkeyError(text, { values });

type Found = Pick<
  DeviceCheck,
  | 'isSecureContext'
  | 'hasWebAuthn'
  | 'mayCreate'
  | 'mayGet'
  | 'platformAuthenticator'
  | 'hybridTransport'
  | 'prf'
>;

function problemFor(
  found: Found,
  ceremony: Ceremony,
  { inApp, lacksPrf = false }: Partial<KnownBrowser> = {},
): LatchkeyError | undefined {
  if (!found.isSecureContext) return insecureContext();
  // Chromium says of each of its views that it passes PRF on.
  if (inApp && !(inApp.isGuess && found.prf)) return errorOfKnown(inApp.refusal);
  if (!found.hasWebAuthn) return new LatchkeyError(PASSKEYS_UNSUPPORTED);
  const isAllowed = ceremony === 'create' ? found.mayCreate : found.mayGet;
  if (isAllowed === false) {
    return new LatchkeyError(PASSKEYS_FORBIDDEN_HERE, {
      values: { feature: `publickey-credentials-${ceremony}` },
    });
  }
  // A browser without the extension may still hand it to a phone, whose browser supports it.
  if ((found.prf === false && found.hybridTransport === false) || (lacksPrf && found.prf !== true))
    return new LatchkeyError(PRF_UNSUPPORTED);
  return undefined;
}

function isCertain({ platformAuthenticator, prf, mayCreate, mayGet }: Found): boolean {
  return platformAuthenticator === true && prf === true && mayCreate !== null && mayGet !== null;
}

/**
 * Chromium reports its permission policy. Elsewhere an unframed page may use the feature; a frame's policy is
 * unknown.
 */
function allowedHere(feature: string): Told {
  const policy = (globalThis as { document?: PolicyDocument }).document?.featurePolicy;
  if (policy?.features().includes(feature)) return policy.allowsFeature(feature);
  return globalThis.top === globalThis.self ? true : null;
}

/** What the browser answers; undefined where it does not, within a second. Never rejects. */
export async function asked<T>(ask: () => Promise<T> | undefined): Promise<T | undefined> {
  // A browser that refuses to answer counts as one that does not report it.
  return within(ANSWER_LIMIT_MS, (async () => ask())(), undefined).catch(() => undefined);
}
