/** The two WASM modules in Node: their bytes lie beside the package, at `wasm/`. */
import { readFile } from 'node:fs/promises';
import { initSync as initSigner, signWithKeyPair } from '../../../wasm/signer/signer.js';
import { initSync as initVrf, lockMakeServerKey } from '../../../wasm/vrf/vrf.js';
import type { MakeLockKey } from '../lock/lock-key-file.js';
import type { SignWithKeyPair } from '../relayer/transaction-signer.js';

const readWasm = (file: string) => readFile(new URL(`../../../wasm/${file}`, import.meta.url));

/** Loads the signer and returns its function that signs with a key given as text. */
export async function loadSigner(): Promise<SignWithKeyPair> {
  initSigner({ module: await readWasm('signer/signer_bg.wasm') });
  return signWithKeyPair;
}

/** Makes a lock key by the VRF module, in constant time; the module is loaded at the first call. */
export const makeLockKey: MakeLockKey = async (pB64u) => {
  initVrf({ module: await readWasm('vrf/vrf_bg.wasm') });
  const { eB64u, dB64u } = lockMakeServerKey(pB64u);
  return { e_s_b64u: eB64u, d_s_b64u: dB64u };
};
