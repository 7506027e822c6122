// Runs in every document before anything else: stands in for a passkey manager, over the browser's own authenticator.
// Plain JavaScript, because the browser gets it unchanged. `__manager` names which one.
(() => {
  if (!('credentials' in navigator)) return;
  const { create, get } = CredentialsContainer.prototype;
  const bytes = (buffer) => new Uint8Array(buffer.slice(0));
  const text = (buffer) => btoa(String.fromCharCode(...bytes(buffer)));

  /** An object without a prototype, whose outputs are lists of numbers, and whose methods are missing or throw. */
  const shimmed = (credential, hasOutputs) => {
    const { response, rawId } = credential;
    const { first, second } = credential.getClientExtensionResults().prf?.results ?? {};
    const prf = hasOutputs ? { results: { first: [...bytes(first)], second: [...bytes(second)] } } : {};
    const parts = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'];
    const own = parts.filter((name) => response[name]).map((name) => [name, [...bytes(response[name])]]);
    return Object.assign(Object.create(null), {
      type: 'public-key',
      id: text(rawId).replaceAll('+', '-').replaceAll('/', '_'),
      rawId: bytes(rawId),
      authenticatorAttachment: 'crossPlatform',
      response: Object.fromEntries(own),
      getClientExtensionResults: () => ({ prf }),
      toJSON: () => {
        throw new TypeError('Illegal invocation');
      },
    });
  };

  /** The answer to a request that names passkeys says that it verified no user. */
  const unverified = (credential) => {
    const { id, rawId, type, response } = credential;
    const authenticatorData = bytes(response.authenticatorData);
    authenticatorData[32] &= ~0x04;
    const { clientDataJSON, signature, userHandle } = response;
    return {
      id,
      rawId,
      type,
      response: { clientDataJSON, authenticatorData: authenticatorData.buffer, signature, userHandle },
      getClientExtensionResults: () => credential.getClientExtensionResults(),
    };
  };

  if (globalThis.__manager === 'shim') {
    CredentialsContainer.prototype.create = async function (options) {
      return shimmed(await create.call(this, options), false);
    };
    CredentialsContainer.prototype.get = async function (options) {
      return shimmed(await get.call(this, options), options.publicKey.extensions?.prf !== undefined);
    };
  } else {
    CredentialsContainer.prototype.get = async function (options) {
      const credential = await get.call(this, options);
      return options.publicKey.allowCredentials?.length > 0 ? unverified(credential) : credential;
    };
  }
})();
