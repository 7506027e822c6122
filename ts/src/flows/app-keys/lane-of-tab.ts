/** The lane of a gas key in which this tab signs. Tabs in different lanes never overtake each other's nonces. */
import type { SigningKey } from '../signing/sign-in-turn.js';

/** Those of this page, until it ends. */
const lanesHere = new Map<string, Promise<number>>();

/** The first lane that no other tab has, or any where all are taken: the tabs that share one take its nonces in turn. */
export function laneOfTab({ accountId, publicKey }: SigningKey, lanes: number): Promise<number> {
  const name = `latchkey:lane:${accountId}|${publicKey}`;
  const lane = lanesHere.get(name) ?? takeLane(name, lanes);
  lanesHere.set(name, lane);
  return lane;
}

async function takeLane(name: string, lanes: number): Promise<number> {
  // An insecure context has no locks.
  const { locks } = navigator as Partial<Pick<Navigator, 'locks'>>;
  for (let lane = 0; locks && lane < lanes; lane += 1) {
    if (await isTaken(locks, `${name}|${lane}`)) return lane;
  }
  return Math.floor(Math.random() * lanes);
}

/** Takes the lock until the page ends, unless another tab has it. */
function isTaken(locks: LockManager, name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const hold = async (lock: Lock | null): Promise<void> => {
      resolve(lock !== null);
      if (lock) await new Promise<never>(() => undefined);
    };
    locks.request(name, { ifAvailable: true }, hold).catch(() => resolve(false));
  });
}
