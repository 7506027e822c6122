/** Compiles each WASM file once; the compiled module is handed to every worker that needs it. */
import { LatchkeyError, messageOf } from '../errors/index.js';

export type CompileWasm = () => Promise<WebAssembly.Module>;

/**
 * A function that compiles the file at its first call and returns the same module from then on. A failure is not
 * remembered: the next call tries again.
 */
export function compileOnce(url: URL): CompileWasm {
  let module: Promise<WebAssembly.Module> | undefined;
  return () => {
    module ??= compile(url).catch((error) => {
      module = undefined;
      throw new LatchkeyError('WORKER_FAILED', { values: { reason: messageOf(error) }, cause: error });
    });
    return module;
  };
}

async function compile(url: URL): Promise<WebAssembly.Module> {
  const response = await fetch(url, { credentials: 'same-origin' });
  if (!response.ok) throw new Error(`${url.pathname} answered ${response.status}`);
  // Streaming needs the right content type; a plain file server may not send it.
  const streams = response.headers.get('content-type')?.startsWith('application/wasm');
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}
