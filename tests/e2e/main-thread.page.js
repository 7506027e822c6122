// Runs in the page before anything else: copies everything that its main thread sends and receives, to search it for
// secrets. Plain JavaScript, because the browser gets it unchanged.
(() => {
  if (globalThis !== globalThis.top) return;
  const seen = [];
  globalThis.__mainThreadMessages = () => seen.join('\n');

  /** A message's whole content as text; bytes both as numbers and as decoded text. */
  function spell(value, done = new Set()) {
    if (typeof value !== 'object' || value === null) return String(value);
    if (done.has(value)) return '';
    done.add(value);
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
      const bytes = new Uint8Array(value instanceof ArrayBuffer ? value : value.buffer);
      return `${bytes.join(',')} ${new TextDecoder('latin1').decode(bytes)}`;
    }
    const inside = value instanceof Map ? [...value].flat() : Object.values(value);
    return inside.map((part) => spell(part, done)).join('\n');
  }
  const record = (value) => seen.push(spell(value));
  const listen = (target) => target.addEventListener('message', ({ data }) => record(data), true);

  listen(globalThis);
  globalThis.MessageChannel = class extends MessageChannel {
    constructor() {
      super();
      // A port that is passed on delivers to its new owner, not here.
      listen(this.port1);
      listen(this.port2);
    }
  };
  globalThis.Worker = class extends Worker {
    constructor(...args) {
      super(...args);
      listen(this);
    }
  };
  for (const { prototype } of [MessagePort, Worker, BroadcastChannel]) {
    const { postMessage } = prototype;
    prototype.postMessage = function (...args) {
      record(args[0]);
      return postMessage.apply(this, args);
    };
  }
})();
