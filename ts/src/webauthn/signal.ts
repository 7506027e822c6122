/** The WebAuthn Signal API (Level 3, section 5.1.10): the browser is told of passkeys that open nothing any more. */

interface SignalApi {
  signalUnknownCredential?(options: { readonly rpId: string; readonly credentialId: string }): Promise<void>;
}

/**
 * Tells the browser that a credential (base64url id) of this rpId is registered no more, so that it offers it no
 * longer. Nothing happens where the browser has no such call. Never throws.
 */
export async function signalRemoved(rpId: string, credentialId: string): Promise<void> {
  try {
    const api = globalThis.PublicKeyCredential as unknown as SignalApi | undefined;
    await api?.signalUnknownCredential?.({ rpId, credentialId });
  } catch {
    // A browser that takes no such word from here loses nothing by it.
  }
}
