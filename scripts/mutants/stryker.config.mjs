// Changes the TypeScript of one part, a folder or a file of ts/src; scripts/mutants.sh names it in MUTANTS_PART.
const part = process.env.MUTANTS_PART;

export default {
  testRunner: 'vitest',
  // A path: Stryker looks for a name in the packages of the root.
  plugins: [
    new URL('node_modules/@stryker-mutator/vitest-runner/dist/src/index.js', import.meta.url).pathname,
  ],
  vitest: { configFile: 'scripts/mutants/vitest.config.ts', related: false },
  mutate: [part.endsWith('.ts') ? part : `${part}/**/*.ts`, '!**/*.test.ts', '!**/testing/**'],
  // What the tests read, into a copy that no edit reaches while the run lasts.
  ignorePatterns: [
    '/*',
    '!/ts',
    '!/dev',
    '!/server',
    '!/tests',
    '!/scripts',
    '!/*.json',
    '/tests/e2e',
    '/scripts/mutants/node_modules',
  ],
  tempDirName: 'build/mutants/sandbox',
  coverageAnalysis: 'perTest',
  concurrency: Number(process.env.MUTANTS_JOBS ?? 1),
  // A busy machine is slow: a test that waits for the processor must not count as one that the mutant hangs.
  timeoutMS: 20_000,
  reporters: ['json', 'clear-text', 'progress-append-only'],
  clearTextReporter: { reportTests: false, allowColor: false, skipFull: true },
  jsonReporter: { fileName: `build/mutants/${part.replaceAll('/', '-')}.json` },
};
