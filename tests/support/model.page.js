// Runs in the page before anything else: a passkey of Chromium's virtual authenticator, which has a model of its own, passes
// for one of Chromium's profile, as on a user's device. A page's `__model` names another model (AAGUID, hex).
// Plain JavaScript, because the browser gets it unchanged.
(() => {
  if (!('credentials' in navigator)) return;
  const VIRTUAL = '01020304050607080102030405060708';
  const PROFILE = 'b53976664885aa6bcebfe52262a439a2';
  // A proxy, because the wallet looks whether the function is still the browser's.
  CredentialsContainer.prototype.create = new Proxy(CredentialsContainer.prototype.create, {
    async apply(create, credentials, [options]) {
      const made = await create.call(credentials, options);
      const attestation = new Uint8Array(made?.response?.attestationObject ?? 0);
      const hex = [...attestation].map((byte) => byte.toString(16).padStart(2, '0')).join('');
      const model = (globalThis.__model ?? PROFILE).match(/../g).map((byte) => Number.parseInt(byte, 16));
      if (hex.includes(VIRTUAL)) attestation.set(model, hex.indexOf(VIRTUAL) / 2);
      return made;
    },
  });
})();
