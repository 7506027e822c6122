/**
 * Firefox, driven by Marionette: the protocol that geckodriver speaks to it (Firefox source docs, "Marionette Protocol").
 * Each packet is `length:JSON`; a command is `[0, id, name, parameters]`, and its answer `[1, id, error, result]`.
 */
import { connect as connectSocket, type Socket } from 'node:net';
import { WebDriverError } from '../engines/browser.js';

/** A connection to one Firefox. */
export interface Marionette {
  /** Sends a command and returns its `value`. Rejects with a WebDriverError, or if the connection is lost. */
  send(command: string, parameters?: object): Promise<unknown>;
  close(): void;
}

type Answer = [type: 1, id: number, error: { error: string; message: string } | null, result: unknown];

interface Pending {
  readonly command: string;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

const COLON = ':'.charCodeAt(0);

/** Connects to the Marionette of a Firefox on this machine. Rejects if nothing listens on the port. */
export async function connectMarionette(port: number): Promise<Marionette> {
  const socket = await opened(port);
  const pending = new Map<number, Pending>();
  let received = Buffer.alloc(0);
  let lastId = 0;

  const lose = (why: string): void => {
    for (const { command, reject } of pending.values()) reject(new Error(`${command}: ${why}`));
    pending.clear();
  };
  const answer = ([, id, error, result]: Answer): void => {
    const asked = pending.get(id);
    pending.delete(id);
    if (error) asked?.reject(new WebDriverError(asked.command, error.error, error.message));
    else asked?.resolve(valueIn(result));
  };
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes]);
    for (let packet = takePacket(); packet !== undefined; packet = takePacket()) {
      const message = JSON.parse(packet) as Answer | object;
      // The first packet is a greeting.
      if (Array.isArray(message)) answer(message as Answer);
    }
  });
  socket.on('error', (error) => lose(error.message));
  socket.on('close', () => lose('Firefox closed the connection'));

  function takePacket(): string | undefined {
    const colon = received.indexOf(COLON);
    if (colon < 0) return undefined;
    const end = colon + 1 + Number(received.subarray(0, colon).toString());
    if (received.length < end) return undefined;
    const packet = received.subarray(colon + 1, end).toString();
    received = received.subarray(end);
    return packet;
  }

  return {
    send: (command, parameters = {}) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        pending.set(lastId, { command, resolve, reject });
        const packet = Buffer.from(JSON.stringify([0, lastId, command, parameters]));
        socket.write(Buffer.concat([Buffer.from(`${packet.length}:`), packet]));
      }),
    close: () => void socket.destroy(),
  };
}

/** Some answers are `{ value }`, some the value itself. */
function valueIn(result: unknown): unknown {
  return typeof result === 'object' && result !== null && 'value' in result ? result.value : result;
}

function opened(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket(port, '127.0.0.1');
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}
