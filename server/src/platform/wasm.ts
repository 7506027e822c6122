/** The relay's two WASM modules in Node. Their bytes lie next to the package's code, in `wasm/`. */
import { readFile } from 'node:fs/promises';
import { initSync as initRelay } from '../../wasm/relay/relay.js';
import { initSync as initVrf, lockMakeServerKey } from '../../wasm/vrf/vrf.js';
import type { MakeLockKey } from '../lock/lock-key-file.js';

const readWasm = (file: string) => readFile(new URL(`../../wasm/${file}`, import.meta.url));

/** Loads the module that signs the relay's transactions and reads delegates. A second call does nothing. */
export async function loadRelayModule(): Promise<void> {
  initRelay({ module: await readWasm('relay/relay_bg.wasm') });
}

/** Makes a lock key with the VRF module, in constant time. Loads the module first. */
export const makeLockKey: MakeLockKey = async (pB64u) => {
  initVrf({ module: await readWasm('vrf/vrf_bg.wasm') });
  const { eB64u, dB64u } = lockMakeServerKey(pB64u);
  return { e_s_b64u: eB64u, d_s_b64u: dB64u };
};
