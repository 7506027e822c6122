// The tour, as `npm run tour` runs it on two origins, with a faster chain.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ROOT } from '../../dev/services/services.js';
import { IS_THOROUGH } from '../support/thorough.js';
import { BLOCK_TIME_MS, expect, test } from './fixtures.js';

test('the tour drives every flow and prints what each step cost', async () => {
  test.skip(
    !IS_THOROUGH,
    'Each of its flows has a test of its own: the whole tour runs in CI, or by `npm run tour`.',
  );
  // A guard against hanging: an idle machine needs a tenth of that.
  test.setTimeout(300_000);
  const command = ['--import', 'tsx', 'demo/tour.ts', '--block-time', String(BLOCK_TIME_MS)];
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: ROOT }).catch(
    (error: { stdout?: string }) => ({ stdout: error.stdout ?? String(error) }),
  );
  expect(stdout).toContain('Every step held.');
  const steps = stdout.split('\n').filter((line) => line.startsWith('✓'));
  expect(steps.map((line) => line.slice(2, 22).trim())).toEqual([
    'Register',
    'Log out',
    'Log in silently',
    'Log in, relay down',
    'Pay',
    'Set the greeting',
    'Sign a message',
    'Send a batch',
    'Recover by name',
    'Recover by passkey',
    'Link a device',
    'Sign on the second',
    'List the devices',
    'Export the key',
    'Create offline',
    'Prove offline',
    'Receive',
    'Pay from it',
    'Recover elsewhere',
    'Pay from there',
    'Register the passkey',
    'Link another device',
  ]);
  expect(stdout).toMatch(/Register .*\n {2}1 prompt \(create\) · /);
  expect(stdout).toMatch(/Pay .* transaction \w{40,44}\n {2}1 prompt \(get\)/);
  expect(stdout).toMatch(/Set the greeting .* transaction \w{40,44}\n {2}1 prompt \(get\)/);
  expect(stdout).toMatch(/Send a batch .* transactions( \w{40,44}){3}\n {2}1 prompt \(get\)/);
  expect(stdout).toMatch(
    /Link a device .* both showed [A-Z2-7]{4}( [A-Z2-7]{4}){3}; .*\n {2}2 prompts \(get, create\)/,
  );
  expect(stdout).toMatch(
    /List the devices .* the first shows \w+ on \w+ This device, Device 2; the second \w+ on \w+ This device/,
  );
  // The watch over the linking's temporary key may read the chain during the export, which itself needs no chain.
  expect(stdout).toMatch(
    /Export the key .* not printed\n {2}1 prompt \(get\) · (0 RPC calls|\d+ RPC calls? \(((block|view_access_key_list|get_authenticators_by_user)(, )?)+\)) · 0 relay calls/,
  );
  const offline = '0 RPC calls · 0 relay calls';
  expect(stdout).toMatch(new RegExp(`Create offline .*\n {2}1 prompt \\(create\\) · ${offline}`));
  expect(stdout).toMatch(new RegExp(`Prove offline .*\n {2}1 prompt \\(get\\) · ${offline}`));
  expect(stdout).toMatch(/Pay from it .* transaction \w{40,44}\n {2}1 prompt \(get\)/);
  expect(stdout).toMatch(/Recover elsewhere .*\n {2}1 prompt \(get\)/);
  // A private key has twice the length of a public one.
  expect(stdout).not.toMatch(/ed25519:\w{60}/);
});
