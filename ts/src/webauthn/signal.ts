/**
 * The WebAuthn Signal API (Level 3, section 5.1.10): tells the browser about passkeys that no longer work. A list of all
 * accepted passkeys is never signalled: it is by user handle, each of our passkeys has its own, and nothing keeps the handle of
 * another device's passkey.
 */

interface SignalApi {
  signalUnknownCredential?(options: { readonly rpId: string; readonly credentialId: string }): Promise<void>;
}

/**
 * Tells the browser that a credential (base64url id) of this rpId is not registered, so that it stops offering it or deletes it.
 * Only for one that certainly opens no account: the user may lose it. Does nothing in a browser without this call. Never throws.
 */
export async function signalUnknown(rpId: string, credentialId: string): Promise<void> {
  try {
    const api = globalThis.PublicKeyCredential as unknown as SignalApi | undefined;
    await api?.signalUnknownCredential?.({ rpId, credentialId });
  } catch {
    // Best effort: a browser that rejects the signal only keeps offering the passkey.
  }
}
