/**
 * How the bundler cuts a page of the wallet into files: one for what the page starts with, and few for what its flows share.
 * By itself, it makes one for each set of flows that share a module, and a start loads a hundred files.
 * @type {NonNullable<import('vite').Rolldown.OutputOptions['codeSplitting']>}
 */
export const FEW_FILES = {
  groups: [
    { name: 'start', tags: ['$initial'] },
    { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 10_000 },
  ],
};
