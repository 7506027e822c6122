// Where the project lives: `repository`, `homepage` and `bugs` of the root's package.json, and of every package from there.
import { isDeepStrictEqual } from 'node:util';
import { manifestOf, PACKAGES } from './lib.mjs';

const FIELDS = ['repository', 'homepage', 'bugs'];

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
  return packages.flatMap(({ folder, manifest }) => {
    const wanted = addressesOf(root, folder);
    return FIELDS.filter((field) => !isDeepStrictEqual(manifest[field], wanted[field])).map(
      (field) => `${manifest.name} has not the root's ${field}: run scripts/release/version.mjs`,
    );
  });
}

const isAddress = (text) => typeof text === 'string' && URL.canParse(text) && text.startsWith('https://');

/** The same for this tree. */
export const addressProblemsHere = () =>
  addressProblems(
    manifestOf('.'),
    PACKAGES.map((folder) => ({ folder, manifest: manifestOf(folder) })),
  );
