/** Compiles each WASM file once; the compiled module is handed to every worker that needs it. */
import { LatchkeyError, messageOf, WORKER_FAILED } from '../errors/wallet.js';

export type CompileWasm = () => Promise<WebAssembly.Module>;

/** A file has about 130 KB on its way. */
const LOAD_LIMIT_MS = 30_000;

/**
 * A function that compiles the file at its first call and returns the same module from then on. A failure is not
 * remembered: the next call tries again. Rejects with WORKER_FAILED, also where the whole file takes over `limitMs`.
 */
export function compileOnce(url: URL, limitMs = LOAD_LIMIT_MS): CompileWasm {
  let module: Promise<WebAssembly.Module> | undefined;
  return () => {
    module ??= compileWithin(url, limitMs).catch((error) => {
      module = undefined;
      throw new LatchkeyError(WORKER_FAILED, { values: { reason: messageOf(error) }, cause: error });
    });
    return module;
  };
}

async function compileWithin(url: URL, limitMs: number): Promise<WebAssembly.Module> {
  const limit = AbortSignal.timeout(limitMs);
  try {
    return await compile(url, limit);
  } catch (error) {
    // Engines differ in what a response that is cut off throws.
    if (!limit.aborted) throw error;
    throw new Error(`${url.pathname} did not load within ${limitMs / 1_000} seconds`, { cause: error });
  }
}

async function compile(url: URL, signal: AbortSignal): Promise<WebAssembly.Module> {
  const response = await fetch(url, { credentials: 'same-origin', signal });
  if (!response.ok) throw new Error(`${url.pathname} answered ${response.status}`);
  // Streaming needs the right content type; a plain file server may not send it.
  const streams = response.headers.get('content-type')?.startsWith('application/wasm');
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}
