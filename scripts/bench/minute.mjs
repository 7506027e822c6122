// The first minute: what a newcomer types, from `npm create` to a payment, with the packages of this build and a warm npm cache.
// Prints the seconds of each step, and of all.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../tests/packaging/tools.mjs';
import { firstMinute, installCreate } from '../../tests/packaging/use-create.mjs';
import { packChain } from '../../tests/packaging/use-dev.mjs';

const TEMPLATES = ['vite-react', 'plain'];

const work = mkdtempSync(join(tmpdir(), 'latchkey-minute-'));
try {
  const pack = (workspace) =>
    join(
      work,
      JSON.parse(run('npm', ['pack', '--json', '--pack-destination', work, '-w', workspace]))[0].filename,
    );
  for (const workspace of ['ts', 'server', 'react', 'dev']) pack(workspace);
  packChain(work);
  const home = join(work, 'home');
  installCreate(home, pack('create'));
  for (const template of TEMPLATES) {
    // The first round fills npm's cache.
    for (const round of ['cold', 'warm']) {
      const started = Date.now();
      firstMinute(home, join(work, `${template}-${round}`), template, work);
      console.log(
        `${template}, ${round}: ${((Date.now() - started) / 1000).toFixed(1)} s from npm create to a payment`,
      );
    }
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
