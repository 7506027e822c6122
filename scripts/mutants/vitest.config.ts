import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The folder of ts/src that scripts/mutants.sh changes: its own unit tests judge. */
const folder = /^ts\/src\/(?:flows\/)?[^/]+/.exec(process.env.MUTANTS_PART ?? '')?.[0];

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: [`${folder}/**/*.test.ts`],
    // A chain or a browser takes too long for each mutant.
    exclude: ['**/*.chain.test.ts', '**/*.browser.test.ts'],
    testTimeout: 30_000,
    maxWorkers: 1,
  },
});
