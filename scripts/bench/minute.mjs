// The first minute: what a newcomer types, from `npm create` to a payment, with the packages of this build and a warm npm cache.
// Prints the seconds of each step, and of all.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstMinute, installCreate } from '../../tests/packaging/use-create.mjs';
import { pack, packChain } from '../pack.mjs';

const TEMPLATES = ['vite-react', 'plain'];

const work = mkdtempSync(join(tmpdir(), 'latchkey-minute-'));
try {
  for (const workspace of ['ts', 'server', 'react', 'dev']) pack(workspace, work);
  packChain(work);
  const home = join(work, 'home');
  installCreate(home, pack('create', work).tarball);
  for (const template of TEMPLATES) {
    // The first round fills npm's cache, if nothing has before.
    for (const round of ['first', 'second']) {
      const started = Date.now();
      firstMinute(home, join(work, `${template}-${round}`), template, work);
      console.log(
        `${template}, ${round} round: ${((Date.now() - started) / 1000).toFixed(1)} s from npm create to a payment`,
      );
    }
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
