/**
 * One person's browser in Node, for the wallet without its screens: passkeys, storage and locks that outlive a page, and
 * one page at a time with the facade in it. What a page runs is the product's own: the facade and both worker files
 * from source, the WASM, IndexedDB by fake-indexeddb. What it lacks is a document, and a person who looks at it.
 */
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import {
  IDBCursor,
  IDBDatabase,
  IDBFactory,
  IDBIndex,
  IDBKeyRange,
  IDBObjectStore,
  IDBRequest,
  IDBTransaction,
} from 'fake-indexeddb';
import type {
  ConfirmModel,
  Device2Linking,
  LinkedAccount,
  PasskeyManager,
  PasskeyManagerConfig,
} from 'latchkey';
import type { Bundle } from './bundle.js';
import { OriginLocks } from './locks.js';
import { makeOutside } from './outside.js';
import { SoftwareAuthenticator, SoftwareCredential } from './passkeys.js';
import { workerClass } from './worker.js';

// The wrapper around IndexedDB recognises these by their class, wherever it runs.
Object.assign(globalThis, { IDBCursor, IDBDatabase, IDBIndex, IDBKeyRange, IDBObjectStore });
Object.assign(globalThis, { IDBRequest, IDBTransaction });

/** The facade of an open page, with a confirmer that confirms. */
export interface Facade {
  readonly manager: PasskeyManager;
  /** Every model that was shown. */
  readonly shown: ConfirmModel[];
  /** How the linking that was started last has ended: with a result, or with an error's code. */
  linked: LinkedAccount | string | undefined;
  /** Starts the linking of this device, and keeps its end here. */
  startLinking(accountId?: string): Promise<Device2Linking>;
}

interface Page {
  readonly facade: Facade;
  readonly ending: AbortController;
}

export class NodeBrowser {
  readonly #bundle: Bundle;
  readonly #origin: string;
  #authenticator = new SoftwareAuthenticator();
  #storage = new IDBFactory();
  #locks = new OriginLocks();
  #name = randomUUID();
  #page: Page | undefined;

  /** Pages of this browser are at this origin. */
  constructor(bundle: Bundle, origin: string) {
    this.#bundle = bundle;
    this.#origin = origin;
  }

  /** Leaves the page that is open, as a reload does, and opens it again with this configuration. */
  open(config: PasskeyManagerConfig): void {
    this.leave();
    const ending = new AbortController();
    setMaxListeners(0, ending.signal);
    const { PasskeyManager } = this.#bundle.facade(this.#globals(ending.signal));
    const shown: ConfirmModel[] = [];
    const facade: Facade = {
      manager: new PasskeyManager(config, {
        confirmer: {
          show: async (model) => {
            shown.push(model);
            return 'confirm';
          },
        },
      }),
      shown,
      linked: undefined,
      startLinking: (accountId) => {
        facade.linked = undefined;
        return facade.manager.startDevice2LinkingFlow({
          ...(accountId !== undefined && { accountId }),
          onError: (error) => {
            facade.linked = error.code;
          },
          afterCall: (success, result) => {
            if (success) facade.linked = result;
          },
        });
      },
    };
    this.#page = { facade, ending };
  }

  /** Leaves the page: nothing that it began goes on, and nothing that it waits for comes. */
  leave(): void {
    this.#page?.ending.abort(new Error('the page was left'));
    this.#page = undefined;
  }

  /** Forgets the site's data. The passkeys stay, as in another browser that they were synced to. */
  clearSiteData(): void {
    this.leave();
    this.#storage = new IDBFactory();
    this.#locks = new OriginLocks();
    this.#name = randomUUID();
  }

  /** Puts a fresh authenticator in the place of this one, whose passkeys are gone. */
  renewAuthenticator(): void {
    this.#authenticator = new SoftwareAuthenticator();
  }

  /** Works with the page that is open. Rejects when it is left meanwhile. */
  async evaluate<T>(work: (facade: Facade) => Promise<T>): Promise<T> {
    if (!this.#page) throw new Error('no page is open');
    const { facade, ending } = this.#page;
    const { signal } = ending;
    const left = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    return Promise.race([work(facade), left]);
  }

  #globals(end: AbortSignal) {
    const outside = { origin: this.#origin, files: this.#bundle.files, end };
    const name = this.#name;
    const page = {
      ...makeOutside(outside),
      location: new URL(this.#origin),
      document: Object.assign(new EventTarget(), { hidden: false, visibilityState: 'visible' }),
      navigator: {
        credentials: this.#authenticator.forPage(this.#origin),
        locks: this.#locks.forPage(end),
        onLine: true,
      },
      isSecureContext: true,
      PublicKeyCredential: SoftwareCredential,
      indexedDB: pageStorage(this.#storage, end),
      OffscreenCanvas: BlankCanvas,
      Worker: workerClass(this.#bundle, outside),
      // Node's own channels are heard in the whole process.
      BroadcastChannel: class extends BroadcastChannel {
        constructor(channel: string) {
          super(`${name} ${channel}`);
          end.addEventListener('abort', () => this.close());
        }
      },
      moduleUrl: `${this.#origin}/assets/latchkey.js`,
      self: undefined as unknown,
      top: undefined as unknown,
    };
    page.self = page;
    page.top = page;
    return { ...page, globalThis: page };
  }
}

/** A canvas that nobody looks at: a linking draws its QR code, and the test hands the code's text over. */
class BlankCanvas {
  getContext(): object {
    return { fillStyle: '', fillRect: () => undefined };
  }

  async convertToBlob(): Promise<Blob> {
    return new Blob([], { type: 'image/png' });
  }
}

/** What a page opens in the storage is closed when it ends; after that it opens one that has nothing to do with it. */
function pageStorage(storage: IDBFactory, end: AbortSignal): Pick<IDBFactory, 'open'> {
  return {
    open: (name, version) => {
      if (end.aborted) return new IDBFactory().open(name, version);
      const request = storage.open(name, version);
      const close = (): void => {
        if (request.readyState === 'done' && request.error === null) request.result.close();
      };
      request.addEventListener('success', () => {
        if (end.aborted) close();
      });
      end.addEventListener('abort', close);
      return request;
    },
  };
}
