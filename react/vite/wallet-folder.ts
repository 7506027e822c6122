import { fileURLToPath } from 'node:url';

/** The folder of this package's built wallet page: `index.html` and its files under `sdk/`. */
export const walletFolder: string = fileURLToPath(new URL('../wallet/', import.meta.url));
