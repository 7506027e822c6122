// Creates a folder before all browser tests, in which the workers share their builds, and removes it afterwards. scripts/test.sh
// names one that other parts share too.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.LATCHKEY_SITES) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-sites-'));
  process.env.LATCHKEY_SITES = folder;
  return () => rm(folder, { recursive: true, force: true });
}
