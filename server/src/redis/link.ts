/** The connection to Redis: one client, scripts, and a clear refusal while it is away. */
import { randomUUID } from 'node:crypto';
import { createClient } from '@redis/client';
import { INVALID_CONFIG, LatchkeyError, messageOf } from 'latchkey/internal/server';
import { Refusal } from '../http/refusal.js';
import type { Log } from '../observe/log.js';
import type { Secret } from '../platform/secret.js';
import { OTHER_EPOCH } from './scripts.js';

export interface RedisLink {
  /** Runs a script on keys of this installation. Rejects with a `not_ready` refusal while Redis cannot be used. */
  run(script: string, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>;
  /** Called whenever Redis can be used again. */
  onReady(listener: () => void): void;
  close(): Promise<void>;
}

export interface RedisLinkOptions {
  readonly url: Secret;
  /** Before each key. In braces, so that a cluster keeps all keys in one place. */
  readonly prefix: string;
  readonly log: Log;
}

/** A command without an answer for this long has failed; it may still be carried out. */
const COMMAND_TIMEOUT_MS = 3000;
const CONNECT_TIMEOUT_MS = 5000;
const MAX_RECONNECT_MS = 1000;

/**
 * Connects. Rejects with INVALID_CONFIG if that Redis may lose writes. A Redis that does not answer is no error:
 * the relay refuses what costs money until it does.
 */
export async function openRedisLink({ url, prefix, log }: RedisLinkOptions): Promise<RedisLink> {
  const client = createClient({
    url: url.reveal(),
    // A reservation that waits for a connection would be one that no request waits for.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: CONNECT_TIMEOUT_MS,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** Math.min(retries, 10), MAX_RECONNECT_MS),
    },
  });
  const listeners: (() => void)[] = [];
  let problem = '';
  const report = (reason: string) => {
    if (reason !== problem) log.error('redis_away', { reason });
    problem = reason;
  };
  client.on('error', (error: unknown) => report(withoutUrl(messageOf(error) || String(error), url)));
  client.on('ready', () => {
    if (problem !== '') log.info('redis_back');
    problem = '';
    for (const listener of listeners) listener();
  });

  let epoch: Promise<string> | undefined;
  const epochKey = `${prefix}epoch`;

  /** The record that this relay counts on, from the first look at Redis until the process ends. */
  const meet = async (): Promise<string> => {
    const unfit = await unfitness((section) => inTime(client.info(section)));
    if (unfit) throw new LatchkeyError(INVALID_CONFIG, { values: { reason: `REDIS_URL: ${unfit}` } });
    await inTime(client.set(epochKey, randomUUID(), { condition: 'NX' }));
    return String(await inTime(client.get(epochKey)));
  };
  const readEpoch = (): Promise<string> => {
    epoch ??= meet().catch((error: unknown) => {
      epoch = undefined;
      throw error;
    });
    return epoch;
  };

  await firstConnection(client);
  if (client.isReady) {
    await readEpoch().catch((error: unknown) => {
      if (!(error instanceof LatchkeyError)) return;
      client.destroy();
      throw error;
    });
  } else report('no answer to the first connection');

  return {
    async run(script, keys, args) {
      let answer: unknown;
      try {
        const own = await readEpoch();
        answer = await inTime(
          client.eval(script, {
            keys: [epochKey, ...keys.map((key) => prefix + key)],
            arguments: [own, ...args.map(String)],
          }),
        );
      } catch (error) {
        throw away(error);
      }
      if (answer === OTHER_EPOCH) throw recordLost(log);
      return answer;
    },
    onReady: (listener) => void listeners.push(listener),
    async close() {
      // Waits for the commands on their way.
      if (client.isReady) await inTime(client.close()).catch(() => client.destroy());
      else client.destroy();
    },
  };
}

/** Waits for the first connection, or until it is clear that there is none now. */
async function firstConnection(client: {
  once(event: 'ready' | 'error', listener: () => void): unknown;
  connect(): Promise<unknown>;
}): Promise<void> {
  const first = new Promise<void>((resolve) => {
    client.once('ready', () => resolve());
    client.once('error', () => resolve());
  });
  // The client goes on to connect; each failure reaches its `error` listener.
  client.connect().catch(() => undefined);
  await first;
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const reason = `Redis gave no answer in ${COMMAND_TIMEOUT_MS} ms`;
    timer = setTimeout(() => reject(new Error(reason)), COMMAND_TIMEOUT_MS);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** Why this Redis may lose the record; null if nothing says so. Services that hide these settings are believed. */
async function unfitness(readInfo: (section: string) => Promise<unknown>): Promise<string | null> {
  const info = `${await readInfo('persistence')}\n${await readInfo('memory')}`;
  const field = (name: string) => new RegExp(`^${name}:(\\S*)`, 'm').exec(info)?.[1];
  if (field('aof_enabled') === '0') {
    return 'this Redis forgets what the relays have spent when it restarts. Set appendonly yes and appendfsync always';
  }
  const policy = field('maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction') {
    return `this Redis may drop what the relays have spent (maxmemory-policy ${policy}). Set it to noeviction`;
  }
  return null;
}

function recordLost(log: Log): Refusal {
  log.error('redis_record_lost', {
    reason:
      'Redis holds another record than the one this relay counts on. Restart the relays to count from zero.',
  });
  const message =
    'The record of what the relays have spent was lost. Nothing was sent; the relay’s operator must look at it.';
  return new Refusal('not_ready', message, { retryAfterSeconds: 60 });
}

function away(error: unknown): Refusal {
  const message =
    'The relay cannot reach the store of what all its instances have spent. Nothing was sent; try again in a few seconds.';
  return new Refusal('not_ready', message, { cause: error });
}

/** A client's error may quote the address, which holds the password. */
function withoutUrl(text: string, url: Secret): string {
  const { password } = new URL(url.reveal());
  return [url.reveal(), ...(password ? [password, decodeURIComponent(password)] : [])].reduce(
    (left, part) => left.replaceAll(part, '[secret]'),
    text,
  );
}
