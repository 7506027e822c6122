import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { assertNodeVersion } from './node-version.js';

const OLD = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } })`;
const sourceOf = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const SITE = `
  import { serveSite } from ${JSON.stringify(sourceOf('wallet-origin/node.ts'))};
  const { close } = await serveSite(async () => new Response(), 0, '127.0.0.1');
  await close();
`;

/** Runs a process that takes its Node for an old one. */
const runOnOldNode = (...args: string[]) =>
  spawnSync(
    process.execPath,
    ['--import', 'tsx', '--import', `data:text/javascript,${encodeURIComponent(OLD)}`, ...args],
    { cwd: sourceOf('.'), encoding: 'utf8', env: { PATH: process.env.PATH } },
  );

describe('an old Node', { timeout: 120_000 }, () => {
  it.each([
    ['latchkey-relay', [sourceOf('platform/cli.ts'), 'help']],
    ['latchkey-registry', [sourceOf('registry-admin/cli.ts'), 'help']],
    ['the server of a wallet origin', ['--input-type=module', '--eval', SITE]],
  ])('ends %s with a sentence that names it', (_, args) => {
    const { status, stdout, stderr } = runOnOldNode(...args);
    expect(stderr).toContain('need Node 20.19 or later, and this is 18.20.4');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  });

  it.each(['18.20.4', '20.0.0', '20.18.3'])('%s is named, with the version that is needed', (version) => {
    expect(() => assertNodeVersion(version)).toThrow(`need Node 20.19 or later, and this is ${version}`);
  });

  it.each(['20.19.0', '22.0.0', '26.1.0', process.versions.node])('is not %s', (version) => {
    expect(() => assertNodeVersion(version)).not.toThrow();
  });

  it('is what package.json says', () => {
    const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(engines.node).toBe('>=20.19');
  });
});
