import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { compileExamples, examples } from './docs-examples.mjs';

const build = fileURLToPath(new URL('../build', import.meta.url));
mkdirSync(build, { recursive: true });
/** Inside the repository, so that the examples find the packages. */
const folder = mkdtempSync(join(build, 'examples-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('every example of the documentation compiles against the packages', () => {
  expect(examples().length).toBeGreaterThan(50);
  expect(compileExamples(folder)).toBe('');
});
