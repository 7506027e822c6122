/** The texts that the prose linter leaves as they are. */

/** A quoted text that keeps its words, where it stands, and why. */
export const EXCEPTIONS = [
  { in: 'scripts/prose/style.mjs', text: '*', reason: 'the style quotes the words that it forbids' },
  { in: 'scripts/prose/prose.test.ts', text: '*', reason: 'its cases are sentences with findings' },
  {
    in: 'docs/api/messages.md',
    text: 'The confirmation behavior could not be set.',
    reason: 'an error text of the catalogue',
  },
  {
    in: 'docs/api/errors.mdx',
    text: 'The confirmation behavior could not be set.',
    reason: 'an error text of the catalogue',
  },
  ...['What was shown is not what would be signed.', 'is not on \\{account\\} any more'].map((text) => ({
    in: 'docs/api/errors.mdx',
    text,
    reason: 'an error text of the catalogue',
  })),
  {
    in: 'docs/api/errors.mdx',
    text: 'VRF Worker failed to initialize',
    reason: 'a text of the specification',
  },
];
