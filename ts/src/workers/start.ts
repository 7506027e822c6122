/** Where the worker files and their WASM lie. Every bundler finds them by these two forms. */

import type { Shamir3passConfig } from '../config.js';
import { SignerPool } from './signer-pool.js';
import { VrfClient } from './vrf-client.js';
import { compileOnce } from './wasm-module.js';

// One compiled module for a page, however many wallets are made.
export const compileSigner = compileOnce(new URL('../../wasm/signer/signer_bg.wasm', import.meta.url));
const compileVrf = compileOnce(new URL('../../wasm/vrf/vrf_bg.wasm', import.meta.url));

export function createSignerPool(): SignerPool {
  return new SignerPool(
    () =>
      new Worker(new URL('./signer.worker.js', import.meta.url), { type: 'module', name: 'latchkey-signer' }),
    compileSigner,
  );
}

export function createVrfClient(lock: Shamir3passConfig | null): VrfClient {
  return new VrfClient(
    () => new Worker(new URL('./vrf.worker.js', import.meta.url), { type: 'module', name: 'latchkey-vrf' }),
    compileVrf,
    lock,
  );
}
