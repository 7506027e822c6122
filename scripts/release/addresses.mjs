// Where the project lives: `repository`, `homepage` and `bugs` of the root's package.json, and of every package from there.
// Usage: node scripts/release/addresses.mjs   (writes the root's addresses into every package)
import { isDeepStrictEqual } from 'node:util';
import { git, isMain, manifestOf, PACKAGES, writeManifest } from './lib.mjs';

const FIELDS = ['repository', 'homepage', 'bugs'];
/** The host of every address that the project does not have yet (RFC 2606: it never resolves). */
export const PLACEHOLDER = 'example.invalid';

/** The fields of the package in this folder. `root` holds three https addresses, each a text. */
export function addressesOf(root, folder) {
  const { repository, homepage, bugs } = root;
  return {
    homepage,
    bugs: { url: bugs },
    repository: { type: 'git', url: `git+${repository}`, directory: folder },
  };
}

/** The problems of the addresses, of the root and of each package with its folder. Empty if there is none. */
export function addressProblems(root, packages) {
  const missing = FIELDS.filter((field) => !isAddress(root[field]));
  if (missing.length > 0) {
    return [
      `package.json has no https address as ${missing.join(', ')}: a published package says where its source, its pages and its issues are`,
    ];
  }
  const unset = FIELDS.filter((field) => root[field].includes(PLACEHOLDER));
  if (unset.length > 0)
    return [`package.json has the placeholder ${PLACEHOLDER} as ${unset.join(', ')}: name the project's own`];
  return packages.flatMap(({ folder, manifest }) => {
    const wanted = addressesOf(root, folder);
    return FIELDS.filter((field) => !isDeepStrictEqual(manifest[field], wanted[field])).map(
      (field) => `${manifest.name} has not the root's ${field}: run scripts/release/addresses.mjs`,
    );
  });
}

const isAddress = (text) => typeof text === 'string' && URL.canParse(text) && text.startsWith('https://');

/** The problems of the other files with the placeholder, such as the contact of the code of conduct. */
export function placeholderProblems(files) {
  return files.map(
    (file) => `${file} has the placeholder ${PLACEHOLDER}: name the project's own address there`,
  );
}

/** The committed files with the placeholder, but those that are about it, and the manifests. */
function filesWithPlaceholder() {
  const besides = ['scripts/release', 'docs/maintainers/release.md', '*package.json'];
  const paths = ['.', ...besides.map((path) => `:!${path}`)];
  try {
    return git('grep', '--files-with-matches', '--fixed-strings', PLACEHOLDER, '--', ...paths).split('\n');
  } catch (error) {
    // grep found nothing.
    if (error.status === 1) return [];
    throw error;
  }
}

/** The same for this tree. */
export const addressProblemsHere = () => [
  ...addressProblems(
    manifestOf('.'),
    PACKAGES.map((folder) => ({ folder, manifest: manifestOf(folder) })),
  ),
  ...placeholderProblems(filesWithPlaceholder()),
];

/** Gives every package the root's addresses. */
export function writeAddresses() {
  const root = manifestOf('.');
  for (const folder of PACKAGES)
    writeManifest(folder, { ...manifestOf(folder), ...addressesOf(root, folder) });
}

if (isMain(import.meta.url)) writeAddresses();
