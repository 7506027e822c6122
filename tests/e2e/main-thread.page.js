// Runs in the page before anything else: keeps a copy of everything that its main thread is sent and sends, to look for
// secrets in it. Plain JavaScript, because it is handed to the browser as it stands.
(() => {
  if (globalThis !== globalThis.top) return;
  const seen = [];
  globalThis.__mainThreadMessages = () => seen.join('\n');

  /** Everything inside a message, as text; bytes both as numbers and as the text that they may spell. */
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
      // What is listened to here but handed on is heard where it went, not here.
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
