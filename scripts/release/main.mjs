// Releases a tag, step by step: tests, then the relay's Worker, the sites, the chain's program, npm, and the assets.
// Usage: node scripts/release/main.mjs [--dry-run] --tag v1.2.3 [step]...
// A dry run bundles, packs and collects everything, publishes nothing, and says what it would do.
import { parseArgs } from 'node:util';
import { assets } from './assets.mjs';
import { chain } from './chain.mjs';
import { check } from './check.mjs';
import { sites, worker } from './deploy.mjs';
import { isMain, run } from './lib.mjs';
import { npm } from './npm.mjs';

/** A command that a dry run only names: it takes long and changes nothing elsewhere. */
const command =
  (...words) =>
  ({ isDry }) => {
    if (isDry) console.log(`would run ${words.join(' ')}`);
    else run(words[0], words.slice(1));
  };

export const STEPS = {
  check,
  tests: command('npm', 'test'),
  reproduce: command(process.execPath, 'scripts/release/reproduce.mjs'),
  worker,
  sites,
  chain,
  npm,
  assets,
  published: (release) =>
    command(process.execPath, 'scripts/release/reproduce.mjs', '--published', release.tag.slice(1))(release),
};

if (isMain(import.meta.url)) {
  const { values, positionals } = parseArgs({
    options: { 'dry-run': { type: 'boolean', default: false }, tag: { type: 'string' } },
    allowPositionals: true,
  });
  const unknown = positionals.filter((name) => !Object.hasOwn(STEPS, name));
  if (!values.tag || unknown.length > 0) {
    console.error(
      `Usage: node scripts/release/main.mjs [--dry-run] --tag v1.2.3 [${Object.keys(STEPS).join('|')}]...`,
    );
    process.exit(2);
  }
  // In the order of the table, whatever the order of the arguments.
  const wanted = Object.keys(STEPS).filter((name) => positionals.length === 0 || positionals.includes(name));
  for (const name of wanted) {
    console.log(`== ${name}`);
    await STEPS[name]({ tag: values.tag, isDry: values['dry-run'] });
  }
}
