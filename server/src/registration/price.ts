/** What a registration costs the relayer. */

import type { RegistryAt, RegistryCapabilities } from 'latchkey/internal/server';
import { orRegistryError } from 'latchkey/internal/server';
import * as v from 'valibot';
import { gasReserveYocto } from '../relayer/spend.js';

/** In yoctoNEAR. */
export interface RegistrationPrice {
  /** The new account's balance and the registry's storage. */
  readonly depositYocto: bigint;
  /** The most that leaves the relayer before the chain returns unburnt gas. */
  readonly mostYocto: bigint;
}

export interface PriceOptions {
  readonly initialBalanceYocto: bigint;
  readonly gas: bigint;
}

const COST_FRESH_MS = 300_000;
/** yoctoNEAR, below 0.1 NEAR: a faulty node's answer must not drain the relayer. */
const CostSchema = v.pipe(v.string(), v.regex(/^\d{1,23}$/));

/** The price of a registration; the registry's part of it is kept for minutes. */
export class Price {
  readonly #registry: RegistryAt;
  readonly #options: PriceOptions;
  readonly #readCapabilities: () => Promise<RegistryCapabilities>;
  #cost: { readonly yocto: bigint; readonly at: number } | undefined;

  constructor(
    registry: RegistryAt,
    options: PriceOptions,
    readCapabilities: () => Promise<RegistryCapabilities>,
  ) {
    this.#registry = registry;
    this.#options = options;
    this.#readCapabilities = readCapabilities;
  }

  /** Rejects while the chain does not answer. */
  async read(): Promise<RegistrationPrice> {
    const { initialBalanceYocto, gas } = this.#options;
    const { chargesStorage } = await this.#readCapabilities();
    const depositYocto = initialBalanceYocto + (chargesStorage ? await this.#storageCost() : 0n);
    return { depositYocto, mostYocto: depositYocto + gasReserveYocto(gas) };
  }

  /** The registry refused: its cost may have changed. */
  forget(): void {
    this.#cost = undefined;
  }

  async #storageCost(): Promise<bigint> {
    if (!this.#cost || performance.now() - this.#cost.at > COST_FRESH_MS) {
      const { rpc, config } = this.#registry;
      const yocto = await orRegistryError(
        this.#registry,
        rpc.callFunctionJson(CostSchema, config.contractId, 'get_registration_cost', {}, { agreed: true }),
      );
      this.#cost = { yocto: BigInt(yocto), at: performance.now() };
    }
    return this.#cost.yocto;
  }
}
