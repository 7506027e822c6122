/** Web workers for a page in Node: the worker's own script behind a message channel, in the page's thread. */
import { setMaxListeners } from 'node:events';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Bundle } from './bundle.js';
import { makeOutside, type OutsideOptions } from './outside.js';

/** The class `Worker` of a page. A worker ends with `terminate`, or with its page. */
export function workerClass({ workers }: Bundle, page: OutsideOptions) {
  return class {
    constructor(url: URL) {
      const name = url.pathname.split('/').at(-1) ?? '';
      const run = workers.get(name);
      if (!run) throw new Error(`The page has no worker ${name}.`);
      const { port1, port2 } = new MessageChannel();
      const ending = new AbortController();
      const end = AbortSignal.any([page.end, ending.signal]);
      setMaxListeners(0, end);
      end.addEventListener('abort', () => port1.close());
      const scope = {
        ...makeOutside({ ...page, end }),
        postMessage: port2.postMessage.bind(port2),
        addEventListener: listen(port2, end),
        removeEventListener: port2.removeEventListener.bind(port2),
        moduleUrl: url.href,
      };
      // In its own task: a worker's script never runs within `new Worker`.
      setImmediate(() => {
        if (end.aborted) return;
        try {
          run({ ...scope, self: scope, globalThis: scope });
          port2.start();
        } catch (error) {
          port1.dispatchEvent(Object.assign(new Event('error'), { message: String(error) }));
        }
      });
      // biome-ignore lint/correctness/noConstructorReturn: the page's end of the channel is a worker but for its name
      return Object.assign(port1, { terminate: () => ending.abort() });
    }
  };
}

/** Ignores messages that arrive after the worker has ended. */
function listen(port: MessagePort, end: AbortSignal) {
  return (type: string, listener: (event: Event) => void): void => {
    port.addEventListener(type, (event: Event) => {
      if (!end.aborted) listener(event);
    });
  };
}
