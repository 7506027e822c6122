import { fileURLToPath } from 'node:url';

/** The built wallet page of this package: `index.html`, and its files under `sdk/`. */
export const walletFolder: string = fileURLToPath(new URL('../wallet/', import.meta.url));
