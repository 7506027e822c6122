// Writes the documentation as static pages, which any static host serves.
// Usage: node scripts/docs-site.mjs [FOLDER]   default: build/docs
import { resolve } from 'node:path';
import { register } from 'tsx/esm/api';

register();
const { writeDocsSite } = await import('../demo/app/vite/docs/static.ts');
const folder = resolve(process.argv[2] ?? 'build/docs');
console.log(`${await writeDocsSite(folder)} pages are in ${folder}.`);
