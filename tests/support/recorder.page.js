// Runs in the page before anything else: reports each call of navigator.credentials, and the PRF outputs it gave.
// Plain JavaScript, because the browser gets it unchanged.
(() => {
  if (!('credentials' in navigator)) return;
  const { create, get } = CredentialsContainer.prototype;
  const { getClientExtensionResults } = PublicKeyCredential.prototype;

  /** A person takes a moment to decline; the virtual authenticator takes none, like an extension that asks no one. */
  const asByPerson = async (answer) => {
    const moment = new Promise((resolve) => setTimeout(resolve, 350));
    try {
      return await answer;
    } catch (error) {
      if (error.message.includes('timed out or was not allowed')) await moment;
      throw error;
    }
  };

  // Proxies, because the wallet looks whether these functions are still the browser's.
  CredentialsContainer.prototype.create = new Proxy(create, {
    apply(target, credentials, [options]) {
      const asked = options?.publicKey;
      const userVerification = asked?.authenticatorSelection?.userVerification;
      globalThis.__recordPrompt({
        kind: 'create',
        userVerification,
        prf: asked?.extensions?.prf !== undefined,
      });
      return asByPerson(target.call(credentials, options));
    },
  });

  CredentialsContainer.prototype.get = new Proxy(get, {
    apply(target, credentials, [options]) {
      const asked = options?.publicKey;
      const { userVerification } = asked ?? {};
      globalThis.__recordPrompt({ kind: 'get', userVerification, prf: asked?.extensions?.prf !== undefined });
      return asByPerson(target.call(credentials, options));
    },
  });

  PublicKeyCredential.prototype.getClientExtensionResults = function () {
    const results = getClientExtensionResults.call(this);
    const { first, second } = results.prf?.results ?? {};
    if (first && second) globalThis.__recordPrf([...new Uint8Array(first)], [...new Uint8Array(second)]);
    return results;
  };
})();
