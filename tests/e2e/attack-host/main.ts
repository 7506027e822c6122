// A host that speaks the frame protocol by hand, so that it can break every rule. The same page also carries the
// facade, for the attacked host.
import { PasskeyManager, type PasskeyManagerConfig } from 'latchkey';

/** A received message, unchecked. */
export interface Message {
  type?: string;
  requestId?: string;
  payload?: { code?: string; message?: string; phase?: string; ok?: boolean; result?: unknown };
}

export interface AttackPage {
  /** Every window message that this page received. */
  heard: { origin: string; data: Message }[];
  /** The messages on each offered port, in the order of the offers. */
  ports: Message[][];
  /** The facade, as an honest host configures it. */
  manager: PasskeyManager;
  /** Resolves when the account is logged in here. */
  loggedIn(accountId: string): Promise<void>;
  /** Loads the wallet page at this address in a frame that fills the window; resolves when something has loaded. */
  frame(address: string): Promise<void>;
  /** Keeps the camera from later frames. */
  forbidCamera(): void;
  /** Frames the wallet for this host and shakes hands. Resolves with READY, or with the wallet's refusal. */
  connect(): Promise<Message>;
  /** Offers the wallet another port. */
  offerPort(): void;
  /** Posts a message on a port unchanged. */
  send(message: unknown, port?: number): void;
  /** Sends a new request. Returns its id. */
  start(type: string, payload?: unknown): string;
  /** How the request ended; ignores its progress reports. */
  endOf(requestId: string): Promise<Message>;
  /** Sends a new request, and returns how it ended. */
  ask(type: string, payload?: unknown): Promise<Message>;
}

const query = new URLSearchParams(location.search);
const walletOrigin = query.get('wallet') ?? '';
const config = JSON.parse(query.get('config') ?? '{}') as PasskeyManagerConfig;
const RETRY_MS = 100;
const ENDS = ['PM_RESULT', 'PONG', 'ERROR'];

const allowed = ['publickey-credentials-get', 'publickey-credentials-create', 'clipboard-write', 'camera'];

let iframe: HTMLIFrameElement | undefined;
let offered: MessagePort[] = [];
// Tests use lower ones for messages that they send by hand.
let counter = 100;
let manager: PasskeyManager | undefined;
const waiting = new Set<() => void>();

/** Polls `look` until it finds something, and returns it. */
function until<T>(look: () => T | undefined): Promise<T> {
  return new Promise((resolve) => {
    const again = (): void => {
      const found = look();
      if (found === undefined) return;
      waiting.delete(again);
      resolve(found);
    };
    waiting.add(again);
    again();
  });
}

const arrived = (): void => {
  for (const again of waiting) again();
};

const attack: AttackPage = {
  heard: [],
  ports: [],
  get manager() {
    manager ??= new PasskeyManager(config);
    return manager;
  },
  async loggedIn(accountId) {
    for (;;) {
      const { nearAccountId } = await attack.manager.getLoginState();
      if (nearAccountId === accountId) return;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  },
  async frame(address) {
    iframe?.remove();
    [offered, attack.ports] = [[], []];
    const next = document.createElement('iframe');
    iframe = next;
    next.allow = allowed.join('; ');
    next.src = address;
    const loaded = new Promise((resolve) => next.addEventListener('load', resolve, { once: true }));
    document.body.append(next);
    await loaded;
  },
  forbidCamera() {
    allowed.splice(allowed.indexOf('camera'), 1);
  },
  async connect() {
    const before = attack.heard.length;
    await attack.frame(`${walletOrigin}/service/?host=${encodeURIComponent(location.origin)}`);
    const trying = setInterval(attack.offerPort, RETRY_MS);
    attack.offerPort();
    const answer = await until(
      () =>
        attack.ports.flat().find(({ type }) => type === 'READY') ??
        attack.heard.slice(before).find(({ data }) => data.type === 'ERROR')?.data,
    );
    clearInterval(trying);
    return answer;
  },
  offerPort() {
    const { port1, port2 } = new MessageChannel();
    const messages: Message[] = [];
    offered.push(port1);
    attack.ports.push(messages);
    port1.onmessage = ({ data }) => {
      messages.push(data);
      arrived();
    };
    iframe?.contentWindow?.postMessage({ type: 'CONNECT' }, walletOrigin, [port2]);
  },
  send(message, port = attack.ports.findIndex((of) => of.some(({ type }) => type === 'READY'))) {
    offered[port]?.postMessage(message);
  },
  start(type, payload) {
    counter += 1;
    const requestId = `${Date.now()}-${counter}`;
    attack.send({ type, requestId, ...(payload !== undefined && { payload }) });
    return requestId;
  },
  endOf: (requestId) =>
    until(() => attack.ports.flat().find((of) => of.requestId === requestId && ENDS.includes(of.type ?? ''))),
  ask: (type, payload) => attack.endOf(attack.start(type, payload)),
};
addEventListener('message', ({ origin, data }) => {
  attack.heard.push({ origin, data });
  arrived();
});
(globalThis as unknown as { attack: AttackPage }).attack = attack;
