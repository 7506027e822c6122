/**
 * How the bundler cuts a page of the wallet into files: one for what the page starts with, and one for each set of flows that
 * share modules. Files are not merged further: what two sets of flows share would then import each other, and a file of
 * such a circle can run before the values that it uses are there.
 * @type {NonNullable<import('vite').Rolldown.OutputOptions['codeSplitting']>}
 */
export const FEW_FILES = {
  groups: [
    { name: 'start', tags: ['$initial'] },
    { name: 'shared', minShareCount: 2, entriesAware: true },
  ],
};
