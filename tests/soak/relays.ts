/** The relays of a soak: processes that share one set of keys and restart at the same address. */
import { join } from 'node:path';
import type { Service } from '../../dev/services/service.js';
import { startRelay } from '../../dev/services/services.js';
import { ORIGIN } from '../../server/src/testing/registration.js';

export interface RelayFleetOptions {
  /** The chain's address at each provider. Two must agree, where there are two. */
  readonly chainUrls: readonly string[];
  readonly privateKeys: readonly string[];
  /** The folder of the lock key. */
  readonly folder: string;
  /** Further variables of every relay. */
  readonly env?: Readonly<Record<string, string>>;
  /** Receives the fields of every line that a relay logs. */
  readonly onLog: (fields: Readonly<Record<string, unknown>>) => void;
}

/** The signal that ends a relay. */
export type Ending = 'SIGKILL' | 'SIGTERM';

// Longer than any registration that a stopping relay still finishes.
const STOP_SECONDS = 120;
const METRICS_TOKEN = 'metrics-of-the-soak';
// The metrics of what a relay holds for registrations in progress.
const HELD = ['registrations_in_progress', 'key_leases'];
// The same of a relay that shares with no other. One that does hears only with its next payment what another has settled.
const HELD_ALONE = [...HELD, 'reserved_near'];

export class RelayFleet {
  readonly urls: string[] = [];
  readonly endings: Record<Ending, number> = { SIGKILL: 0, SIGTERM: 0 };
  /** The longest time from SIGTERM to a relay's exit. */
  longestStopSeconds = 0;
  /** Unrequested exits and failed restarts. */
  readonly surprises: string[] = [];
  readonly #options: RelayFleetOptions;
  readonly #running = new Map<number, Service>();
  readonly #restarting = new Map<number, Promise<void>>();

  constructor(options: RelayFleetOptions) {
    this.#options = options;
  }

  async start(count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) await this.#begin(index);
  }

  /** Restarts a relay, after any restart already in progress. Never rejects. */
  restart(index: number, how: Ending): Promise<void> {
    const ahead = this.#restarting.get(index) ?? Promise.resolve();
    const restarting = ahead
      .then(async () => {
        await this.#end(index, how);
        this.endings[how] += 1;
        await this.#begin(index);
      })
      .catch((error) => void this.surprises.push(`relay ${index} did not restart: ${error}`));
    this.#restarting.set(index, restarting);
    return restarting;
  }

  /** What the relays still hold while idle, according to their metrics. */
  async leftovers(): Promise<string[]> {
    const held = this.#options.env?.REDIS_URL ? HELD : HELD_ALONE;
    const found = await Promise.all(
      this.urls.map(async (url, index) => {
        const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
        const page = await (await fetch(new URL('/metrics', url), { headers })).text();
        return held
          .map((name) => [name, new RegExp(`^latchkey_relay_${name} (.*)$`, 'm').exec(page)?.[1]])
          .filter(([, value]) => value !== '0')
          .map(([name, value]) => `relay ${index} is idle, but its ${name} is ${value}`);
      }),
    );
    return found.flat();
  }

  async stop(): Promise<void> {
    await Promise.all(this.urls.map((_, index) => this.#end(index, 'SIGTERM')));
  }

  async #begin(index: number): Promise<void> {
    const { chainUrls, privateKeys, folder, env, onLog } = this.#options;
    const service = await startRelay({
      port: Number(new URL(this.urls[index] ?? 'http://localhost:0').port),
      chainUrl: chainUrls.join(),
      privateKeys,
      appOrigin: ORIGIN,
      lockKeyFile: join(folder, 'lock-key.json'),
      env: {
        METRICS_TOKEN,
        STOP_TIMEOUT_SECONDS: String(STOP_SECONDS),
        NEAR_RPC_AGREEMENT: String(Math.min(chainUrls.length, 2)),
        ...env,
      },
      onLine: (line) => {
        if (line.startsWith('{')) onLog(JSON.parse(line));
      },
    });
    this.urls[index] = service.url;
    this.#running.set(index, service);
    void service.ended.then((how) => {
      if (this.#running.get(index) === service) this.surprises.push(`relay ${index}: ${how}`);
    });
  }

  async #end(index: number, how: Ending): Promise<void> {
    const service = this.#running.get(index);
    if (!service) return;
    this.#running.delete(index);
    const asked = performance.now();
    if (how === 'SIGKILL') await service.kill();
    else await service.stop((STOP_SECONDS + 10) * 1000);
    const end = await service.ended;
    this.longestStopSeconds = Math.max(this.longestStopSeconds, (performance.now() - asked) / 1000);
    if (how === 'SIGTERM' && !end.includes('exit code 0')) this.surprises.push(`relay ${index}: ${end}`);
  }
}
