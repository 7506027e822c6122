/** A virtual authenticator for browser tests, over the page's one CDP session. */
import { cdp } from 'vitest/browser';

export interface AuthenticatorOptions {
  readonly hasPrf?: boolean;
  readonly hasHmacSecret?: boolean;
  readonly isUserVerified?: boolean;
  readonly automaticPresenceSimulation?: boolean;
}

export interface VirtualAuthenticator {
  /** Replaces the authenticator; its passkeys are gone. */
  replace(options: AuthenticatorOptions): Promise<void>;
  /** Whether it answers the requests that begin from now on by itself, as if its user touched it. */
  touch(isTouched: boolean): Promise<void>;
  remove(): Promise<void>;
}

export async function addVirtualAuthenticator(): Promise<VirtualAuthenticator> {
  const session = cdp();
  await session.send('WebAuthn.enable');
  const add = async (options: AuthenticatorOptions) => {
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        ctap2Version: 'ctap2_1',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        hasPrf: true,
        automaticPresenceSimulation: true,
        ...options,
      },
    });
    return authenticatorId;
  };
  let authenticatorId = await add({});
  const remove = async () => {
    await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
  };
  return {
    replace: async (options) => {
      await remove();
      authenticatorId = await add(options);
    },
    touch: async (enabled) => {
      await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    },
    remove,
  };
}
