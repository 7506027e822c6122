/** The list behind /.well-known/webauthn: the registry's allowed origins, kept for a minute. */
import * as v from 'valibot';
import { messageOf } from '../errors.js';
import type { RpcClient } from '../near/index.js';
import type { Log } from './log.js';
import { Refusal } from './refusal.js';

const OriginsSchema = v.pipe(v.array(v.pipe(v.string(), v.maxLength(255))), v.maxLength(5000));
const FRESH_MS = 60_000;

export interface OriginManifest {
  /** The allowed origins. While the chain cannot be reached, the last list it gave. */
  origins(): Promise<readonly string[]>;
}

export function createOriginManifest(rpc: RpcClient, contractId: string, log: Log): OriginManifest {
  let last: { origins: readonly string[]; at: number } | undefined;
  let reading: Promise<readonly string[]> | undefined;

  async function read(): Promise<readonly string[]> {
    try {
      const origins = await rpc.callFunctionJson(OriginsSchema, contractId, 'get_allowed_origins');
      last = { origins, at: Date.now() };
      return origins;
    } catch (error) {
      log.warn('origins_unreadable', { reason: messageOf(error), hasFormerList: last !== undefined });
      if (last) return last.origins;
      const message = 'The list of origins cannot be read from the chain now. Try again in a few seconds.';
      throw new Refusal('chain_unreachable', message, { cause: error });
    }
  }

  return {
    async origins() {
      if (last && Date.now() - last.at < FRESH_MS) return last.origins;
      reading ??= read().finally(() => {
        reading = undefined;
      });
      return reading;
    },
  };
}
