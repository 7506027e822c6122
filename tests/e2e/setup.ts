// Before and after all browser tests: a folder in which the workers share what they build.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-sites-'));
  process.env.LATCHKEY_SITES = folder;
  return () => rm(folder, { recursive: true, force: true });
}
