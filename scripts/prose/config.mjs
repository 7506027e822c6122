/** What the prose linter reads, and the texts that it leaves as they are. */

/** Paths that must be free of findings. Everything tracked under them is read; `''` stands for the whole repository. */
export const CLEAN = [
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'docs',
  'scripts/prose',
  'scripts/prose.mjs',
  'scripts/frame-protocol.mjs',
];

/** A quoted text that keeps its words, where it stands, and why. */
export const EXCEPTIONS = [
  { in: 'scripts/prose/', text: '*', reason: 'the style quotes the words that it forbids' },
];
