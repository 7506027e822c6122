// Writes a project: the files that all templates share, then those of the chosen one.
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What each template is, by its folder. */
export const TEMPLATES = {
  'vite-react': 'React, built by Vite',
  next: 'Next, App Router',
  plain: 'TypeScript without a framework, built by Vite',
};

/** The packages that every project uses, in the version of this one. */
const PACKAGES = ['latchkey', 'latchkey-react', 'latchkey-server'];

/** What npm takes as the name of a package without a scope, at most 214 characters. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,213}$/;
const OUR_FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** Why no project can be made in the folder, or null. */
export function folderProblem(folder) {
  const path = resolve(folder);
  const name = basename(path);
  if (!NAME.test(name))
    return `'${name}' cannot name a package. Use lower-case letters, digits, '-', '_' and '.', and begin with a letter or a digit.`;
  if (!existsSync(path)) return null;
  try {
    if (readdirSync(path).length > 0)
      return `The folder ${path} is not empty. Name another one, or empty it.`;
  } catch (error) {
    return `${path} is not a folder that can be read (${error.code}). Name another one.`;
  }
  return null;
}

/** Why no template has this name, or null. */
export const templateProblem = (template) =>
  Object.hasOwn(TEMPLATES, template)
    ? null
    : `There is no template '${template}'. The templates are ${Object.keys(TEMPLATES).join(', ')}.`;

/** Writes the project. The folder and the template have no problem. */
export function createProject(folder, template) {
  for (const part of ['shared', template]) {
    cpSync(join(OUR_FOLDER, 'templates', part), folder, { recursive: true });
  }
  // npm leaves a .gitignore out of a package.
  renameSync(join(folder, 'gitignore'), join(folder, '.gitignore'));
  const { version } = JSON.parse(readFileSync(join(OUR_FOLDER, 'package.json'), 'utf8'));
  const path = join(folder, 'package.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  const ours = Object.fromEntries(PACKAGES.map((name) => [name, version]));
  manifest.dependencies = { ...ours, ...manifest.dependencies };
  const named = { name: basename(resolve(folder)), ...manifest };
  writeFileSync(path, `${JSON.stringify(named, null, 2)}\n`);
}
