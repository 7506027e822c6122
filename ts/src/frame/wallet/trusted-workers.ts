/** Trusted Types (W3C) on the wallet's own page: the policy that its workers need. */

/** A script whose file the bundler named after a worker's source file. */
const WORKER_FILE = /\/[\w-]+\.worker[\w-]*\.js$/;

interface PolicyFactory {
  readonly defaultPolicy: unknown;
  createPolicy(name: 'default', rules: { createScriptURL: (url: string) => string | null }): unknown;
}

/**
 * Lets this page start the wallet's own workers where its header requires trusted types: bundlers find a worker only in
 * `new Worker(new URL(…))`, and the default policy judges that address. Any other text is still refused, as a script and as
 * markup.
 */
export function trustOwnWorkers(): void {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: PolicyFactory };
  if (!trustedTypes || trustedTypes.defaultPolicy) return;
  trustedTypes.createPolicy('default', { createScriptURL: (url) => (isOwnWorker(url) ? url : null) });
}

function isOwnWorker(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, pathname, href } = new URL(text);
  return origin === location.origin && href === origin + pathname && WORKER_FILE.test(pathname);
}
