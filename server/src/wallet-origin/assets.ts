import type { WalletFiles } from './site.js';

/** A binding to the static assets of a Worker: `assets.binding` in its configuration. */
export interface AssetsBinding {
  fetch(url: string): Promise<Response>;
}

/**
 * The files of a built wallet page among a Worker's static assets. Serve the assets unchanged from their folder
 * (`"html_handling": "none"`), and call the Worker first (`"run_worker_first": true`): it sets their headers.
 */
export function walletAssets(assets: AssetsBinding): WalletFiles {
  return {
    async read(path) {
      // Any host works: the binding uses only the path.
      const answer = await assets.fetch(new URL(path, 'https://assets.invalid/').href);
      if (answer.status === 200) return new Uint8Array(await answer.arrayBuffer());
      await answer.body?.cancel();
      if (answer.status === 404) return null;
      throw new Error(`the asset ${path} was answered with ${answer.status}`);
    },
  };
}
