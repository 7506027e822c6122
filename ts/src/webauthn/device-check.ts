/**
 * What this page can do with passkeys, asked before the first prompt. The browser tells some of it for certain; the
 * rest shows only when the person presents an authenticator:
 *
 * - whether a security key or a phone gives PRF outputs: nobody asks it before the ceremony;
 * - whether there is any authenticator at all: a security key may be plugged in a minute later.
 *
 * So only what is certain ends a flow, with a sentence that names what is missing.
 */
import { LatchkeyError, type LatchkeyErrorCode } from '../errors/index.js';
import type { Credentials } from './credentials.js';

export type Ceremony = 'create' | 'get';

/** True, false, or null where the browser does not tell. */
export type Told = boolean | null;

export interface DeviceCheck {
  /** 'no': a ceremony cannot succeed here. 'unknown': only the prompt will tell. */
  readonly canUsePasskeys: 'yes' | 'no' | 'unknown';
  /** Why not; absent unless it is 'no'. */
  readonly error?: string;
  readonly errorCode?: LatchkeyErrorCode;
  readonly isSecureContext: boolean;
  readonly hasWebAuthn: boolean;
  /** What the permission policy of this document lets it do; always true in a page that nobody frames. */
  readonly mayCreate: Told;
  readonly mayGet: Told;
  /** A fingerprint, face or PIN of this very device. */
  readonly platformAuthenticator: Told;
  /** A phone, by a code that it scans. */
  readonly hybridTransport: Told;
  /** Whether the browser passes PRF on; what a security key or a phone does with it is not known before. */
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

/** Longest wait for the browser's answer: a prompt must not wait for a browser that gives none. */
const ANSWER_LIMIT_MS = 1_000;

/** Asks the browser, and shows nothing. Never rejects. */
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
  const problem = problemFor(found, 'get') ?? problemFor(found, 'create');
  return {
    canUsePasskeys: problem ? 'no' : isCertain(found) ? 'yes' : 'unknown',
    ...(problem && { error: problem.message, errorCode: problem.code }),
    ...found,
  };
}

/**
 * Throws, with the sentence for a person, where such a ceremony is certain to fail. Asks nobody anything. What is
 * forbidden here alone ends nothing where there are other ways.
 */
export async function assertDevice(
  ceremony: Ceremony,
  { hasOtherWays = false }: Pick<Credentials, 'hasOtherWays'> = {},
): Promise<void> {
  const problem = problemFor(await checkDevice(), ceremony);
  if (problem && !(hasOtherWays && problem.code === 'PASSKEYS_FORBIDDEN_HERE')) throw problem;
}

type Found = Omit<DeviceCheck, 'canUsePasskeys' | 'error' | 'errorCode'>;

function problemFor(found: Found, ceremony: Ceremony): LatchkeyError | undefined {
  if (!found.isSecureContext) return new LatchkeyError('INSECURE_CONTEXT');
  if (!found.hasWebAuthn) return new LatchkeyError('PASSKEYS_UNSUPPORTED');
  const isAllowed = ceremony === 'create' ? found.mayCreate : found.mayGet;
  if (isAllowed === false) {
    return new LatchkeyError('PASSKEYS_FORBIDDEN_HERE', {
      values: { feature: `publickey-credentials-${ceremony}` },
    });
  }
  // A browser without the extension may still hand it to a phone, whose own browser knows it.
  if (found.prf === false && found.hybridTransport === false) return new LatchkeyError('PRF_UNSUPPORTED');
  return undefined;
}

function isCertain({ platformAuthenticator, prf, mayCreate, mayGet }: Found): boolean {
  return platformAuthenticator === true && prf === true && mayCreate !== null && mayGet !== null;
}

/** What Chromium tells of its permission policy. Elsewhere a page of its own may; of a frame it is not known. */
function allowedHere(feature: string): Told {
  const policy = (globalThis as { document?: PolicyDocument }).document?.featurePolicy;
  if (policy?.features().includes(feature)) return policy.allowsFeature(feature);
  return globalThis.top === globalThis.self ? true : null;
}

async function asked<T>(ask: () => Promise<T> | undefined): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ANSWER_LIMIT_MS);
  });
  try {
    return await Promise.race([ask(), silence]);
  } catch {
    // A browser that will not say is one that does not tell.
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
