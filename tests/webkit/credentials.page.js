// Runs in every document before anything else: WebKitGTK has no WebAuthn, so its interfaces are made here, and the
// software passkeys' script fills them. Plain JavaScript, because the browser gets it unchanged.
(() => {
  globalThis.CredentialsContainer = class CredentialsContainer {};
  globalThis.PublicKeyCredential = class PublicKeyCredential {};
  PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable = async () => true;
  const credentials = new CredentialsContainer();
  Object.defineProperty(Navigator.prototype, 'credentials', { get: () => credentials, configurable: true });
  const isFramed = window.top !== window;
  globalThis.__softwarePasskeys = async (kind, options) => {
    // As WebCore's AuthenticatorCoordinator does, in its words. Its check of the focus is left out: without a window manager,
    // windows lose the focus.
    if (isFramed && kind === 'create') {
      return {
        error: 'NotAllowedError',
        message: 'The origin of the document is not the same as its ancestors.',
      };
    }
    const { isActive: isActivated } = navigator.userActivation;
    const body = JSON.stringify({ kind, isFramed, isActivated, options });
    return (await fetch('/__test/passkeys', { method: 'POST', body })).json();
  };
})();
