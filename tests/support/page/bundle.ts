/** The facade and its workers, each bundled from source into one script, as a bundler does for a page. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import { build } from 'esbuild';
import type * as latchkey from 'latchkey';
import type * as sameOrigin from 'latchkey/same-origin';

const SOURCE = new URL('../../../ts/src/', import.meta.url);
const FACADE = new URL('facade.ts', import.meta.url);
const WASM = new URL('../../../ts/wasm/', import.meta.url);

type FacadeModule = typeof latchkey & typeof sameOrigin;

/** Runs the script with these globals, and returns its entry's exports. */
type Script<Exports> = (globals: Globals) => Exports;

/** Global names and their values. Every other name is Node's own. */
export type Globals = Readonly<Partial<Record<(typeof GLOBAL_NAMES)[number], unknown>>>;

const GLOBAL_NAMES = [
  ...['globalThis', 'self', 'top', 'location', 'document', 'navigator', 'isSecureContext', 'moduleUrl'],
  ...[
    'fetch',
    'Date',
    'setTimeout',
    'clearTimeout',
    'setInterval',
    'clearInterval',
    'Worker',
    'BroadcastChannel',
  ],
  ...[
    'postMessage',
    'addEventListener',
    'removeEventListener',
    'PublicKeyCredential',
    'indexedDB',
    'OffscreenCanvas',
    'CSSStyleSheet',
    'getComputedStyle',
  ],
] as const;

export interface Bundle {
  readonly facade: Script<FacadeModule>;
  /** By the last part of its address. */
  readonly workers: ReadonlyMap<string, Script<unknown>>;
  /** The WASM files, by the last part of their address. */
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

/** Bundles the current source tree. */
export async function bundle(): Promise<Bundle> {
  const [facade, signer, vrf, phrase, signerWasm, vrfWasm] = await Promise.all([
    bundled<FacadeModule>(FACADE),
    bundled(new URL('workers/signer.worker.ts', SOURCE)),
    bundled(new URL('workers/vrf.worker.ts', SOURCE)),
    bundled(new URL('workers/phrase.worker.ts', SOURCE)),
    readFile(new URL('signer/signer_bg.wasm', WASM)),
    readFile(new URL('vrf/vrf_bg.wasm', WASM)),
  ]);
  return {
    facade,
    workers: new Map([
      ['signer.worker.js', signer],
      ['vrf.worker.js', vrf],
      ['phrase.worker.js', phrase],
    ]),
    files: new Map([
      ['signer_bg.wasm', Uint8Array.from(signerWasm)],
      ['vrf_bg.wasm', Uint8Array.from(vrfWasm)],
    ]),
  };
}

async function bundled<Exports>(entry: URL): Promise<Script<Exports>> {
  const path = fileURLToPath(entry);
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'exported',
    target: 'es2023',
    define: { 'import.meta.url': 'moduleUrl' },
    logLevel: 'error',
  });
  const code = `${outputFiles[0]?.text}\nreturn exported;`;
  const run = compileFunction(code, [...GLOBAL_NAMES], { filename: `${path}.bundle.js` });
  return (globals) => run(...GLOBAL_NAMES.map((name) => globals[name])) as Exports;
}
