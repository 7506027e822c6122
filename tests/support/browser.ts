import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core';
import { CHROMIUM_FLAGS, chromiumPath } from '../../scripts/chromium.mjs';

/**
 * Starts a Chromium, headless: the one that set-up found, or the one at this path. It ends with this process; the caller handles
 * signals.
 */
export async function launchChromium(flags: readonly string[] = [], path?: string): Promise<Browser> {
  const executablePath = path ?? (await chromiumPath());
  return chromium.launch({
    headless: true,
    args: [...CHROMIUM_FLAGS, ...flags],
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    ...(executablePath ? { executablePath } : {}),
  });
}

/** The authenticator's PRF support: at create and get, at get only (security keys), or none. */
export type PrfSupport = 'always' | 'at-get' | 'none';

/** A virtual passkey on one page. */
export interface VirtualPasskey {
  /** From now on fails every user verification, which looks like a user's cancel to a page. */
  refuse(): Promise<void>;
  /** Replaces the authenticator by a new one that agrees, because a refused one stays blocked. Its passkeys are lost. */
  renew(): Promise<void>;
  /** Moves its credentials to a new authenticator, as an import without PRF support does: the outputs are lost. */
  importWithoutOutputs(): Promise<void>;
  /** Sets whether the authenticator answers by itself. If not, a prompt stays open until it times out or is aborted. */
  setPresence(present: boolean): Promise<void>;
  /** The ids of its credentials, base64. */
  credentialIds(): Promise<string[]>;
  /** Clears the origin's storage and keeps the passkey, as in another browser profile with the same synced passkey. */
  clearSiteData(origin: string): Promise<void>;
  /** The same for an origin's storage in a frame of another site. */
  clearFrameData(origin: string, topOrigin: string): Promise<void>;
}

/**
 * Gives the page a virtual passkey.
 *
 * The page keeps this one CDP session for its life: detaching any session of the page switches the authenticator off.
 */
export async function addVirtualPasskey(page: Page, prf: PrfSupport = 'always'): Promise<VirtualPasskey> {
  await page.addInitScript({ path: fileURLToPath(new URL('model.page.js', import.meta.url)) });
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const add = async (): Promise<string> => {
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        ctap2Version: 'ctap2_1',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
        ...(prf === 'at-get' ? { hasPrf: false, hasHmacSecret: true } : { hasPrf: prf === 'always' }),
      },
    });
    return authenticatorId;
  };
  let authenticatorId = await add();
  return {
    refuse: async () => {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    },
    renew: async () => {
      await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
      authenticatorId = await add();
    },
    importWithoutOutputs: async () => {
      const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId });
      await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
      authenticatorId = await add();
      for (const credential of credentials)
        await session.send('WebAuthn.addCredential', { authenticatorId, credential });
    },
    setPresence: async (enabled) => {
      await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    },
    credentialIds: async () => {
      const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId });
      return credentials.map((credential) => credential.credentialId);
    },
    clearSiteData: async (origin) => {
      await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
    },
    clearFrameData: async (origin, topOrigin) => {
      const { protocol, hostname } = new URL(topOrigin);
      const storageKey = `${origin}/^0${protocol}//${hostname}`;
      await session.send('Storage.clearDataForStorageKey', { storageKey, storageTypes: 'all' });
    },
  };
}

/** One navigator.credentials call of the page. */
export interface Prompt {
  kind: 'create' | 'get';
  userVerification: string | undefined;
  /** Whether it requested PRF outputs. */
  prf: boolean;
}

/** The two PRF outputs of one ceremony, 32 bytes each. */
export interface PrfOutputs {
  first: Buffer;
  second: Buffer;
}

/** The requests to a context's passkeys and their outputs, across reloads. */
export interface CeremonyRecord {
  prompts: Prompt[];
  /** Secrets, to search for in forbidden places. */
  prfOutputs: PrfOutputs[];
}

/** Records every passkey ceremony on every page that the context opens from now on. */
export async function recordCeremonies(context: BrowserContext): Promise<CeremonyRecord> {
  const record: CeremonyRecord = { prompts: [], prfOutputs: [] };
  await context.exposeBinding(
    '__recordPrompt',
    (_source, prompt: Prompt) => void record.prompts.push(prompt),
  );
  await context.exposeBinding('__recordPrf', (_source, first: number[], second: number[]) => {
    record.prfOutputs.push({ first: Buffer.from(first), second: Buffer.from(second) });
  });
  await context.addInitScript({ path: fileURLToPath(new URL('recorder.page.js', import.meta.url)) });
  return record;
}
