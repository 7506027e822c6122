/** The VRF worker's methods: those of its WASM (defined and documented in Rust), and what its shell adds. */
import type * as wasm from '../../wasm/vrf/vrf.js';

type ServerEncryptedVrfKeypair = ReturnType<typeof wasm.lockWrapFinish>;

/** The session's public state. */
export type VrfStatus = ReturnType<typeof wasm.status>;

/** The relay's routes that put its lock on and take it off. */
export interface ServerLockUrls {
  readonly applyServerLock: string;
  readonly removeServerLock: string;
}

export type VrfApi = {
  /** Takes the compiled WASM; every other call comes after it. */
  boot(module: WebAssembly.Module): void;
  configureServerUrls(urls: ServerLockUrls): void;
  /** Locks the keypair in memory with the relay: one call to its apply route. */
  encryptCurrentWithServerLock(): ServerEncryptedVrfKeypair;
  /** Unlocks the session with the relay: one call to its remove route. */
  unlockWithServerLock(
    accountId: string,
    locked: ServerEncryptedVrfKeypair,
  ): ReturnType<typeof wasm.lockUnwrapFinish>;
} & Pick<
  typeof wasm,
  'configureShamirP' | 'deriveKeypairFromPrf' | 'generateChallenge' | 'logout' | 'ping' | 'status' | 'unlock'
> & {
    /** A random keypair in memory, and a first challenge with it. */
    generateKeypairBootstrap(
      input: Parameters<typeof wasm.generateChallenge>[0],
    ): Required<ReturnType<typeof wasm.generateKeypairBootstrap>>;
  };
