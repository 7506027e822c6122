// Runs in every document before anything else: WebKitGTK has no WebAuthn, so its interfaces are made here, and the
// software passkeys' script fills them. Plain JavaScript, because the browser gets it unchanged.
(() => {
  globalThis.CredentialsContainer = class CredentialsContainer {};
  globalThis.PublicKeyCredential = class PublicKeyCredential {};
  PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable = async () => true;
  const credentials = new CredentialsContainer();
  Object.defineProperty(Navigator.prototype, 'credentials', { get: () => credentials, configurable: true });
  globalThis.__softwarePasskeys = async (kind, options) => {
    const body = JSON.stringify({ kind, isFramed: window.top !== window, options });
    return (await fetch('/__test/passkeys', { method: 'POST', body })).json();
  };
})();
