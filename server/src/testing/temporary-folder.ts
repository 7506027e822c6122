import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A separate folder for the tests of a file or a describe block, removed after them. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-relay-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return { path: folder, file: (name: string) => join(folder, name) };
}
