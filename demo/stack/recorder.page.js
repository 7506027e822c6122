// Runs in the page before anything else: reports each call of navigator.credentials, and the PRF outputs it gave.
// Plain JavaScript, because the browser gets it unchanged.
(() => {
  if (!('credentials' in navigator)) return;
  const { create, get } = CredentialsContainer.prototype;
  const { getClientExtensionResults } = PublicKeyCredential.prototype;

  // Proxies, because the wallet looks whether these functions are still the browser's.
  CredentialsContainer.prototype.create = new Proxy(create, {
    async apply(target, credentials, [options]) {
      const asked = options?.publicKey;
      const userVerification = asked?.authenticatorSelection?.userVerification;
      globalThis.__recordPrompt({
        kind: 'create',
        userVerification,
        prf: asked?.extensions?.prf !== undefined,
      });
      const made = await target.call(credentials, options);
      nameModel(new Uint8Array(made.response.attestationObject));
      return made;
    },
  });

  CredentialsContainer.prototype.get = new Proxy(get, {
    apply(target, credentials, [options]) {
      const asked = options?.publicKey;
      const { userVerification } = asked ?? {};
      globalThis.__recordPrompt({ kind: 'get', userVerification, prf: asked?.extensions?.prf !== undefined });
      return target.call(credentials, options);
    },
  });

  /** Chromium's virtual authenticator has a model of its own: it passes for Chromium's profile, as of a user's device. */
  function nameModel(attestation) {
    const [virtual, profile] = ['01020304050607080102030405060708', 'b53976664885aa6bcebfe52262a439a2'];
    const hex = [...attestation].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    const at = hex.indexOf(virtual) / 2;
    if (at >= 0) attestation.set(profile.match(/../g).map((byte) => Number.parseInt(byte, 16)), at);
  }

  PublicKeyCredential.prototype.getClientExtensionResults = function () {
    const results = getClientExtensionResults.call(this);
    const { first, second } = results.prf?.results ?? {};
    if (first && second) globalThis.__recordPrf([...new Uint8Array(first)], [...new Uint8Array(second)]);
    return results;
  };
})();
