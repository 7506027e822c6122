// Runs in every document before anything else: navigator.credentials uses the test's passkeys.
// Plain JavaScript, because the browser gets it unchanged.
(() => {
  if (!('credentials' in navigator)) return;
  const encode = (source) => {
    const bytes = ArrayBuffer.isView(source)
      ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
      : new Uint8Array(source);
    return btoa(String.fromCharCode(...bytes))
      .replace(/\+/g, '-')
      .replace(/\//g, '_')
      .replace(/=+$/, '');
  };
  const decode = (text) =>
    Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (char) => char.charCodeAt(0)).buffer;
  const salts = ({ extensions }) => {
    const { first, second } = extensions?.prf?.eval ?? {};
    return first && { first: encode(first), ...(second && { second: encode(second) }) };
  };

  const given = new WeakMap();
  PublicKeyCredential.prototype.getClientExtensionResults = function () {
    return given.get(this);
  };

  const ask = async (kind, asked, responseOf) => {
    const answer = await globalThis.__softwarePasskeys(kind, asked);
    if (answer.error) throw new DOMException(answer.message ?? 'the software passkeys refused', answer.error);
    const { first, second } = answer.outputs ?? {};
    const results = first && { first: decode(first), ...(second && { second: decode(second) }) };
    const fields = {
      id: answer.id,
      rawId: decode(answer.id),
      type: 'public-key',
      authenticatorAttachment: 'platform',
      response: { clientDataJSON: decode(answer.clientDataJSON), ...responseOf(answer) },
    };
    const credential = Object.create(PublicKeyCredential.prototype, Object.getOwnPropertyDescriptors(fields));
    const extensions = { prf: { ...(kind === 'create' && { enabled: true }), ...(results && { results }) } };
    given.set(credential, extensions);
    return credential;
  };
  const create = ({ publicKey: asked }) =>
    ask(
      'create',
      {
        challenge: encode(asked.challenge),
        rpId: asked.rp.id,
        userId: encode(asked.user.id),
        userName: asked.user.name,
        salts: salts(asked),
      },
      ({ attestationObject }) => ({
        attestationObject: decode(attestationObject),
        getTransports: () => ['internal', 'hybrid'],
      }),
    );
  // Bound, so that it reads as the browser's own: an extension's passkey would be asked for twice.
  CredentialsContainer.prototype.create = create.bind(null);
  CredentialsContainer.prototype.get = ({ publicKey: asked }) =>
    ask(
      'get',
      {
        challenge: encode(asked.challenge),
        rpId: asked.rpId,
        allow: asked.allowCredentials?.map(({ id }) => encode(id)),
        salts: salts(asked),
      },
      ({ authenticatorData, signature, userHandle }) => ({
        authenticatorData: decode(authenticatorData),
        signature: decode(signature),
        userHandle: decode(userHandle),
      }),
    );
})();
