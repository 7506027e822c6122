/** `latchkey-relay status`: asks the running relay, and prints what it can still pay for. */

import { messageOf, readBounded, writeNear } from 'latchkey/internal/server';
import * as v from 'valibot';
import type { RelayStatus } from '../observe/status.js';
import { count, type Environment, EnvironmentReader, metricsToken, pattern } from './environment.js';
import type { Secret } from './secret.js';

export interface StatusTarget {
  readonly url: string;
  readonly token: Secret;
}

const TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 64 * 1024;

const YoctoSchema = v.pipe(v.string(), v.regex(/^\d{1,39}$/));
const StatusSchema: v.GenericSchema<unknown, RelayStatus> = v.object({
  relayerAccountId: v.string(),
  balanceYocto: YoctoSchema,
  accountYocto: YoctoSchema,
  reserveYocto: YoctoSchema,
  capYocto: v.nullable(YoctoSchema),
  countedYocto: YoctoSchema,
  reservedYocto: YoctoSchema,
  leftYocto: v.nullable(YoctoSchema),
  accountsLeft: v.number(),
});
const RefusalSchema = v.object({ message: v.string() });

/** The relay of this environment, or the one at `url`. Throws one error with all bad variables. */
export function readStatusTarget(env: Environment, url?: string): StatusTarget {
  const reader = new EnvironmentReader(env);
  const token = reader.read('METRICS_TOKEN', metricsToken);
  const place = url ?? ownUrl(reader);
  reader.throwIfBad('the status cannot be asked for with this environment');
  return { url: place, token: token as Secret };
}

function ownUrl(reader: EnvironmentReader): string {
  const host = reader.read('HOST', pattern(/^[\w.:-]+$/, 'must be a host name or address'));
  const port = reader.read('PORT', count(1, 65_535, 'port'));
  return `http://${host?.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Rejects with a sentence that says what was wrong. */
export async function askStatus({ url, token }: StatusTarget): Promise<RelayStatus> {
  if (!URL.canParse(url)) throw failed(`${url} is not a URL such as https://relay.example.com`);
  const headers = { authorization: `Bearer ${token.reveal()}` };
  const options = { headers, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
  const response = await fetch(new URL('/status', url), options).catch((error: unknown) => {
    const cause = error instanceof Error && error.cause ? `: ${messageOf(error.cause)}` : '';
    throw failed(`no relay answers at ${url} (${messageOf(error)}${cause})`, error);
  });
  const body = readJson((await readBounded(response, MAX_ANSWER_BYTES)) ?? '');
  if (response.status === 401) throw failed(`the relay at ${url} has another METRICS_TOKEN`);
  if (response.status === 404)
    throw failed(`the relay at ${url} has no METRICS_TOKEN, or is of an older version`);
  const refusal = v.safeParse(RefusalSchema, body);
  if (!response.ok) {
    const said = refusal.success ? refusal.output.message : `HTTP ${response.status}`;
    throw failed(`the relay at ${url} says: ${said.replace(/\.$/, '')}`);
  }
  const status = v.safeParse(StatusSchema, body);
  if (!status.success) throw failed(`what answers at ${url} is not a relay of this version`);
  return status.output;
}

/** The status in lines for a terminal. */
export function describeStatus(status: RelayStatus): string {
  const { relayerAccountId, capYocto, leftYocto, accountsLeft } = status;
  const near = (yocto: string) => `${writeNear(BigInt(yocto)).replace(/(\.\d{5})\d+$/, '$1')} NEAR`;
  const today =
    capYocto === null || leftYocto === null
      ? 'no cap (RELAY_SPEND_CAP_NEAR=none)'
      : `${near(leftYocto)} of ${near(capYocto)}`;
  const lines: readonly (readonly [string, string])[] = [
    ['relayer', relayerAccountId],
    ['balance', near(status.balanceYocto)],
    ['one account', `${near(status.accountYocto)} at most, ${near(status.reserveYocto)} while it is made`],
    ['spent today', `${near(status.countedYocto)}, ${near(status.reservedYocto)} of it reserved`],
    ['left today', today],
    ['accounts left', String(accountsLeft)],
  ];
  return lines.map(([name, value]) => `${name.padEnd(14)}${value}`).join('\n');
}

function failed(reason: string, cause?: unknown): Error {
  return new Error(`The status cannot be read: ${reason}.`, { cause });
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
