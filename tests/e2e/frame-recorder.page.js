// Runs in every frame before anything else: reports everything that the frame sends, receives or stores.
// Plain JavaScript, because the browser gets it unchanged.
(() => {
  const DRAWS = 'latchkey-test-draws';
  // The key viewer has an opaque origin.
  const here = origin === 'null' ? 'key viewer' : origin;
  const workers = new WeakMap();
  const bytesOf = (value) => {
    if (value instanceof ArrayBuffer) return new Uint8Array(value);
    if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    return undefined;
  };
  const latin1 = new TextDecoder('latin1');
  const asText = (value) =>
    JSON.stringify(value, (_key, part) => {
      const bytes = bytesOf(part);
      if (bytes) return `${Array.from(bytes).join(',')} ${latin1.decode(bytes)}`;
      if (part instanceof Map || part instanceof Set) return [...part];
      if (part instanceof Error) return { name: part.name, message: part.message, ...part };
      return typeof part === 'bigint' ? String(part) : part;
    }) ?? '';
  const record = (edge, value) => {
    globalThis.__recordEdge?.(edge, asText(value));
  };
  const before = (prototype, name, tell) => {
    const original = prototype[name];
    prototype[name] = function (...args) {
      tell(this, args);
      return original.apply(this, args);
    };
  };

  const { Worker: NativeWorker } = globalThis;
  globalThis.Worker = class extends NativeWorker {
    constructor(url, options) {
      super(url, options);
      workers.set(
        this,
        /vrf/.test(String(url)) ? 'vrf worker' : /signer/.test(String(url)) ? 'signer worker' : 'worker',
      );
    }
  };
  const nameOf = (worker) => workers.get(worker) ?? 'worker';
  before(NativeWorker.prototype, 'postMessage', (to, [message]) =>
    record(`${here} > ${nameOf(to)}`, message),
  );
  before(MessagePort.prototype, 'postMessage', (_to, [message]) => record(`${here} > port`, message));
  before(BroadcastChannel.prototype, 'postMessage', (_to, [message]) =>
    record(`${here} > broadcast`, message),
  );
  before(window, 'postMessage', (_to, [message]) => record(`${here} > window`, message));
  before(Storage.prototype, 'setItem', (_in, item) => record(`${here} > storage`, item));
  for (const name of ['put', 'add']) {
    before(IDBObjectStore.prototype, name, (_in, written) => record(`${here} > storage`, written));
  }
  before(IDBCursor.prototype, 'update', (_in, written) => record(`${here} > storage`, written));

  const { get } = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data');
  Object.defineProperty(MessageEvent.prototype, 'data', {
    configurable: true,
    get() {
      const data = get.call(this);
      if (this.target instanceof NativeWorker) record(`${nameOf(this.target)} > ${here}`, data);
      if (this.target instanceof MessagePort) record(`port > ${here}`, data);
      return data;
    },
  });
  addEventListener('message', (event) => record(`window > ${here}`, get.call(event)), true);

  // The VRF worker's random draws, from the lines that the test puts before its script.
  if (origin !== 'null') {
    new BroadcastChannel(DRAWS).addEventListener('message', (event) => {
      globalThis.__recordDraw?.([...get.call(event)]);
    });
  }
})();
