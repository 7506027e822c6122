// The variables that a build of the demo needs.
import type { Plugin } from 'vite';

/** Variables with an address or a name. */
const NEEDED = ['VITE_NEAR_RPC_URL', 'VITE_RELAY_URL', 'VITE_CONTRACT_ID', 'VITE_EXPLORER_URL'] as const;
/** May be empty: the wallet then runs in the demo's own page. It must be set, because forgetting it has the same effect. */
const STATED = 'VITE_WALLET_ORIGIN';

/** Stops a build that lacks variables, and names all of them. Vite's own server takes them from `.env.development`. */
export function requireVariables(): Plugin {
  return {
    name: 'latchkey-demo-variables',
    apply: 'build',
    configResolved({ env }) {
      const missing: string[] = NEEDED.filter((name) => !env[name]);
      if (env[STATED] === undefined) missing.push(STATED);
      if (missing.length === 0) return;
      throw new Error(
        `The demo is not built: set ${missing.join(', ')}. demo/app/README.md says what each is.`,
      );
    },
  };
}
