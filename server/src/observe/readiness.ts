/** Whether the relay can serve: the chain answers, knows the relayer's keys, and holds a registry that the relay knows. */

import type { RpcClient } from 'latchkey/internal/server';
import { messageOf } from 'latchkey/internal/server';
import { Refusal } from '../http/refusal.js';

const KEPT_MS = 2000;

export interface Readiness {
  /** Throws `not_ready` with the reason. Asks the chain at most every two seconds. */
  check(): Promise<void>;
}

export function createReadiness(
  rpc: RpcClient,
  relayerAccountId: string,
  publicKeys: readonly string[],
  alsoNeeds?: () => Promise<unknown>,
): Readiness {
  let last: { result: Promise<void>; at: number } | undefined;

  async function ask(): Promise<void> {
    const keys = await Promise.all(publicKeys.map((key) => rpc.viewAccessKey(relayerAccountId, key))).catch(
      (error) => {
        throw new Refusal('not_ready', `The chain cannot be read: ${messageOf(error)}`, { cause: error });
      },
    );
    if (keys.includes(null)) {
      throw new Refusal('not_ready', `RELAYER_PRIVATE_KEY names a key that is not on ${relayerAccountId}.`);
    }
    const limited = publicKeys.filter((_, index) => keys[index]?.permission !== 'FullAccess');
    if (limited.length > 0) {
      const message =
        `The key ${limited[0]} has no full access to ${relayerAccountId}. ` +
        'A registration attaches a deposit, and the chain takes none from a function-call key.';
      throw new Refusal('not_ready', message);
    }
    await alsoNeeds?.().catch((error) => {
      throw new Refusal('not_ready', messageOf(error), { cause: error });
    });
  }

  return {
    check() {
      const now = performance.now();
      if (!last || now - last.at >= KEPT_MS) last = { result: ask(), at: now };
      return last.result;
    },
  };
}
