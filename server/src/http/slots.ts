/**
 * The places for work in progress: a number for all clients, of which one network holds a quarter at most. A client that
 * keeps the relay waiting then leaves the others served.
 */
import { isPrivate, networkOf, toClientKey, UNKNOWN } from './client-address.js';
import { Refusal } from './refusal.js';

/** The part of all places that one network, an IPv4 /24 or an IPv6 /48, may hold. */
const PART_OF_A_NETWORK = 4;
const RETRY_AFTER_SECONDS = 5;

export class Slots {
  readonly #most: number;
  /** What fills the places, such as `registrations`. */
  readonly #noun: string;
  readonly #ofNetwork = new Map<string, number>();
  #taken = 0;

  constructor(most: number, noun: string) {
    this.#most = most;
    this.#noun = noun;
  }

  /**
   * Takes a place for the client with this address; call the result once to leave it. Throws a {@link Refusal}
   * `too_many_requests` if there is none. An address that shows no network, because it is unknown or private, has no
   * part of its own: all clients of a relay behind an uncounted proxy have one.
   */
  take(address: string | undefined): () => void {
    const key = toClientKey(address ?? '') ?? UNKNOWN;
    const network = key === UNKNOWN || isPrivate(key) ? null : networkOf(key);
    const ofNetwork = network === null ? 0 : (this.#ofNetwork.get(network) ?? 0);
    if (this.#taken >= this.#most) throw this.#full('at a time');
    if (ofNetwork >= Math.ceil(this.#most / PART_OF_A_NETWORK))
      throw this.#full('from your network at a time');
    this.#taken += 1;
    if (network !== null) this.#ofNetwork.set(network, ofNetwork + 1);
    return () => {
      this.#taken -= 1;
      if (network !== null) this.#leave(network);
    };
  }

  #leave(network: string): void {
    const left = (this.#ofNetwork.get(network) ?? 0) - 1;
    if (left > 0) this.#ofNetwork.set(network, left);
    else this.#ofNetwork.delete(network);
  }

  #full(where: string): Refusal {
    return new Refusal(
      'too_many_requests',
      `There are too many ${this.#noun} ${where}. Nothing was done; try again in a few seconds.`,
      { retryAfterSeconds: RETRY_AFTER_SECONDS },
    );
  }
}
