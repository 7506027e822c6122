// Runs in every document before anything else: stands in for an authenticator of dev/authenticators, over the browser's own one.
// Plain JavaScript, because the browser gets it unchanged. `__knobs` says which: the form of its outputs, who is verified,
// the object, the functions and the attachment. The browser's own authenticator decides the rest.
(() => {
  if (!('credentials' in navigator)) return;
  const { createPrf, prfForm, uv, object, functions, attachment, aaguid } = globalThis.__knobs;
  // For tests/support/model.page.js.
  if (aaguid) globalThis.__model = aaguid.replaceAll('-', '');
  const bytes = (buffer) => new Uint8Array(buffer.slice(0));
  const text = (buffer) => btoa(String.fromCharCode(...bytes(buffer)));
  const formed = (output) => (prfForm === 'number[]' ? [...bytes(output)] : output);

  const prfOf = (credential, kind) => {
    const { results } = credential.getClientExtensionResults().prf ?? {};
    if (!results || (kind === 'create' && createPrf === 'empty')) return {};
    return { results: { first: formed(results.first), second: formed(results.second) } };
  };

  /** An object without a prototype, in whose parts bytes are lists of numbers, and whose methods are missing or throw. */
  const plain = ({ response, rawId }, extensions) => {
    const parts = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'];
    const own = parts.filter((name) => response[name]).map((name) => [name, [...bytes(response[name])]]);
    return Object.assign(Object.create(null), {
      type: 'public-key',
      id: text(rawId).replaceAll('+', '-').replaceAll('/', '_'),
      rawId: bytes(rawId),
      authenticatorAttachment: attachment === 'cross-platform' ? 'crossPlatform' : attachment,
      response: Object.fromEntries(own),
      getClientExtensionResults: () => extensions,
      toJSON: () => {
        throw new TypeError('Illegal invocation');
      },
    });
  };

  /** An assertion's parts, which say that no user was verified. */
  const unverified = ({ clientDataJSON, authenticatorData, signature, userHandle }) => {
    const flagged = bytes(authenticatorData);
    flagged[32] &= ~0x04;
    return { clientDataJSON, authenticatorData: flagged.buffer, signature, userHandle };
  };

  const answerOf = (credential, kind, isNamed) => {
    const extensions = { prf: prfOf(credential, kind) };
    if (object === 'plain') return plain(credential, extensions);
    const set = (name, value) => Object.defineProperty(credential, name, { value });
    set('getClientExtensionResults', () => extensions);
    if (attachment === 'cross-platform') set('authenticatorAttachment', attachment);
    if (uv === 'unnamed' && isNamed && kind === 'get') set('response', unverified(credential.response));
    return credential;
  };

  for (const kind of ['create', 'get']) {
    const native = CredentialsContainer.prototype[kind];
    const ask = async (credentials, options) => {
      const isNamed = options.publicKey.allowCredentials?.length > 0;
      return answerOf(await native.call(credentials, options), kind, isNamed);
    };
    // A proxy has the source text of its target: `[native code]`.
    CredentialsContainer.prototype[kind] =
      functions === 'patched'
        ? function (options) {
            return ask(this, options);
          }
        : new Proxy(native, { apply: (_, credentials, [options]) => ask(credentials, options) });
  }
})();
