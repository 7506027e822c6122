/** A Worker as `wrangler deploy` bundles it, in the Workers runtime on this machine. */
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Miniflare, type MiniflareOptions } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';

const WRANGLER = join(
  dirname(createRequire(import.meta.url).resolve('wrangler/package.json')),
  'bin/wrangler.js',
);

export interface RunningWorker {
  /** Without a trailing slash. */
  readonly url: string;
  /** The log lines of the Worker and of the runtime. */
  readonly lines: string[];
  /** Restarts it with these variables. Its storage stays. */
  restart(variables: Variables): Promise<void>;
  stop(): Promise<void>;
}

export type Variables = Readonly<Record<string, string>>;

/** Bundles the Worker of a project's `<name>.jsonc`, and returns the folder it would upload. */
export function bundle(project: string, name: string): string {
  const folder = join(project, 'bundled', name);
  execFileSync(
    process.execPath,
    [WRANGLER, 'deploy', '--dry-run', '--config', `${name}.jsonc`, '--outdir', folder],
    {
      cwd: project,
      env: { ...process.env, WRANGLER_SEND_METRICS: 'false', WRANGLER_LOG_PATH: join(project, 'bundled') },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  return folder;
}

/**
 * Runs a bundled Worker with the settings of its `<name>.jsonc`, overridden by these variables and secrets. Without the
 * flag nodejs_compat the runtime has no Node modules: a bundle that imports one does not start.
 */
export async function startWorker(
  project: string,
  name: string,
  folder: string,
  variables: Variables,
): Promise<RunningWorker> {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(project, `${name}.jsonc`));
  const lines: string[] = [];
  const optionsWith = (given: Variables): MiniflareOptions => ({
    ...workerOptions,
    modules: true,
    modulesRoot: folder,
    scriptPath: join(folder, `${name}.js`),
    bindings: { ...workerOptions.bindings, ...given },
    host: '127.0.0.1',
    port: 0,
    cf: false,
    durableObjectsPersist: join(project, 'stored', name),
    handleRuntimeStdio(stdout: Readable, stderr: Readable) {
      for (const input of [stdout, stderr]) createInterface({ input }).on('line', (line) => lines.push(line));
    },
  });
  const miniflare = new Miniflare(optionsWith(variables));
  let { origin } = await miniflare.ready;
  return {
    get url() {
      return origin;
    },
    lines,
    async restart(given) {
      await miniflare.setOptions(optionsWith(given));
      origin = (await miniflare.ready).origin;
    },
    stop: () => miniflare.dispose(),
  };
}
