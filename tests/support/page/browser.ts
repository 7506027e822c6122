/**
 * One user's browser in Node, for the wallet without its screens: passkeys, storage and locks that outlive a page, and
 * pages with the facade in them, one of them in front. A page runs the product's own code: the facade and the worker files
 * from source, the WASM, and IndexedDB by fake-indexeddb. Its document shows nothing; at a phrase
 * viewer it has a user (phrase-user.ts).
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
  Decision,
  Device2Linking,
  FlowEvent,
  LatchkeyErrorCode,
  LinkedAccount,
  PasskeyManager,
  PasskeyManagerConfig,
} from 'latchkey';
import { SoftwareAuthenticator } from '../../../dev/authenticators/authenticator.js';
import type { Knobs } from '../../../dev/authenticators/knobs.js';
import type { Bundle } from './bundle.js';
import { DeviceClock } from './clock.js';
import { OriginLocks } from './locks.js';
import { makeOutside } from './outside.js';
import { blankPaper, type Paper, viewerGlobals } from './phrase-user.js';
import { workerClass } from './worker.js';

// The wrapper around IndexedDB recognises these by their class in every context.
Object.assign(globalThis, { IDBCursor, IDBDatabase, IDBIndex, IDBKeyRange, IDBObjectStore });
Object.assign(globalThis, { IDBRequest, IDBTransaction });

/** A user's authenticator, browser and answers. */
export interface UserOptions {
  /** How the authenticator differs from a plain one. */
  readonly knobs?: Partial<Knobs>;
  readonly userAgent?: string;
  /** Answers a confirmation; the flow has ended when the signal aborts. Default: confirms it. */
  readonly decide?: (model: ConfirmModel, signal: AbortSignal) => Promise<Decision>;
}

/** The facade of an open page. */
export interface Facade {
  readonly manager: PasskeyManager;
  /** Every model that was shown. */
  readonly shown: ConfirmModel[];
  /** The user's paper, for recovery phrases. */
  readonly paper: Paper;
  /** The events of every linking of this device. */
  readonly events: FlowEvent<'linking'>[];
  /** How the latest linking ended: with a result, or with an error's code. */
  linked: LinkedAccount | LatchkeyErrorCode | undefined;
  /** Starts the linking of this device, and keeps its outcome here. */
  startLinking(accountId?: string): Promise<Device2Linking>;
}

interface Page {
  readonly facade: Facade;
  readonly ending: AbortController;
}

export class NodeBrowser {
  /** The device's clock, which goes on while no page is open. */
  readonly clock = new DeviceClock();
  readonly #bundle: Bundle;
  readonly #origin: string;
  readonly #user: UserOptions;
  #authenticator: SoftwareAuthenticator;
  #paper = blankPaper();
  #storage = new IDBFactory();
  #locks = new OriginLocks();
  #name = randomUUID();
  #page: Page | undefined;
  readonly #tabs: AbortController[] = [];

  /** The origin of this browser's pages. */
  constructor(bundle: Bundle, origin: string, user: UserOptions = {}) {
    this.#bundle = bundle;
    this.#origin = origin;
    this.#user = user;
    this.#authenticator = new SoftwareAuthenticator(user.knobs);
  }

  get authenticator(): SoftwareAuthenticator {
    return this.#authenticator;
  }

  /** The site's databases, which outlive a page until they are cleared. */
  get storage(): IDBFactory {
    return this.#storage;
  }

  /** The facade of the open page. */
  get facade(): Facade {
    if (!this.#page) throw new Error('no page is open');
    return this.#page.facade;
  }

  /** Reloads the open page with this configuration, and closes its other tabs. */
  open(config: PasskeyManagerConfig): void {
    this.leave();
    this.#page = this.#load(config);
  }

  /** Opens another tab of the site, which ends with the open page. */
  openTab(config: PasskeyManagerConfig): Facade {
    const { facade, ending } = this.#load(config);
    this.#tabs.push(ending);
    return facade;
  }

  #load(config: PasskeyManagerConfig): Page {
    const ending = new AbortController();
    setMaxListeners(0, ending.signal);
    const { PasskeyManager, sameOriginWallet } = this.#bundle.facade(this.#globals(ending.signal));
    const shown: ConfirmModel[] = [];
    const { decide = async () => 'confirm' as const } = this.#user;
    const facade: Facade = {
      manager: new PasskeyManager(config, {
        wallet: sameOriginWallet,
        confirmer: {
          show: async (model, signal) => {
            shown.push(model);
            return decide(model, signal);
          },
        },
      }),
      shown,
      paper: this.#paper,
      events: [],
      linked: undefined,
      startLinking: (accountId) => {
        facade.linked = undefined;
        return facade.manager.startDevice2LinkingFlow({
          ...(accountId !== undefined && { accountId }),
          onEvent: (event) => void facade.events.push(event),
          onError: (error) => {
            facade.linked = error.code;
          },
          afterCall: (success, result) => {
            if (success) facade.linked = result;
          },
        });
      },
    };
    return { facade, ending };
  }

  /** Leaves the page: its running work stops, and its pending waits never settle. */
  leave(): void {
    for (const ending of [...this.#tabs.splice(0), ...(this.#page ? [this.#page.ending] : [])]) {
      ending.abort(new Error('the page was left'));
    }
    this.#page = undefined;
  }

  /** Deletes the site's data and keeps the passkeys, as in another browser with the same synced passkeys. */
  clearSiteData(): void {
    this.leave();
    this.#storage = new IDBFactory();
    this.#locks = new OriginLocks();
    this.#name = randomUUID();
  }

  /** Gives the browser to another user, without passkeys and with blank paper. */
  renewUser(): void {
    this.#authenticator = new SoftwareAuthenticator(this.#user.knobs);
    this.#paper = blankPaper();
  }

  /** Runs work with the open page. Rejects if the page is left meanwhile. */
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
    const outside = { origin: this.#origin, files: this.#bundle.files, clock: this.clock, end };
    const name = this.#name;
    const { credentials, PublicKeyCredential } = this.#authenticator.forPage({ origin: this.#origin });
    const page = {
      ...makeOutside(outside),
      location: new URL(this.#origin),
      ...viewerGlobals(this.#paper, end),
      navigator: {
        credentials,
        userAgent: this.#user.userAgent ?? '',
        locks: this.#locks.forPage(end),
        onLine: true,
      },
      isSecureContext: true,
      PublicKeyCredential,
      indexedDB: pageStorage(this.#storage, end),
      OffscreenCanvas: BlankCanvas,
      Worker: workerClass(this.#bundle, outside),
      // Node's own channels reach the whole process.
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

/** An invisible canvas: a linking draws its QR code on it, and the test passes on the code's text instead. */
class BlankCanvas {
  getContext(): object {
    return { fillStyle: '', fillRect: () => undefined };
  }

  async convertToBlob(): Promise<Blob> {
    return new Blob([], { type: 'image/png' });
  }
}

/** Closes a page's open databases when it ends; later opens get an unrelated storage. */
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
