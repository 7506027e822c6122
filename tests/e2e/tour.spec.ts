// The tour, as `just tour` runs it: on two origins.
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { ROOT } from '../../demo/stack/services.js';

const SURFACES = [
  ...[
    'welcome-register',
    'welcome-login',
    'welcome-recover',
    'waiting',
    'problem-and-toast',
    'notice-pending',
  ],
  ...[
    'wallet-and-toast',
    'wallet-used',
    'link-code',
    'link-code-over',
    'link-code-for-account',
    'scanner-no-camera',
    'scanner',
    'scanner-error',
    'linked-devices',
  ],
  ...['confirm-again', 'confirm-warning-modal', 'key-viewer-warning-modal', 'key-viewer-warning-drawer'],
  ...['key-viewer-hidden-modal', 'key-viewer-hidden-drawer'],
  // What there is with a wallet of its own origin only.
  ...['settings', 'storage-refused-prompt', 'storage-refused-confirm'],
  ...[
    'registration',
    'registration-asked',
    'transaction',
    'batch',
    'message',
    'link-device',
    'link-this-device',
  ].flatMap((what) => [`confirm-${what}-modal`, `confirm-${what}-drawer`]),
];

test('the tour drives every flow, prints what each step cost and takes pictures of every surface', async () => {
  // A guard against hanging: on a machine with nothing else to do it takes a quarter of that.
  test.setTimeout(1_200_000);
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', 'demo/tour.ts'], {
    cwd: ROOT,
  }).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? String(error) }));
  expect(stdout).toContain('Every step held.');
  const steps = stdout.split('\n').filter((line) => line.startsWith('✓'));
  expect(steps.map((line) => line.slice(2, 22).trim())).toEqual([
    'Register',
    'Log out',
    'Log in silently',
    'Log in, relay down',
    'Set the greeting',
    'Sign a message',
    'Send a batch',
    'Recover by name',
    'Recover by passkey',
    'Link a device',
    'Sign on the second',
    'List the devices',
    'Export the key',
    'Every surface',
  ]);
  expect(stdout).toMatch(/Register .*\n {2}1 prompt \(create\) · /);
  expect(stdout).toMatch(/Set the greeting .* transaction \w{40,44}\n {2}1 prompt \(get\)/);
  expect(stdout).toMatch(/Send a batch .* transactions( \w{40,44}){3}\n {2}1 prompt \(get\)/);
  expect(stdout).toMatch(
    /Link a device .* both showed [A-Z2-7]{4} [A-Z2-7]{4}; .*\n {2}2 prompts \(get, create\)/,
  );
  expect(stdout).toMatch(
    /List the devices .* the first shows Device 1 \(current device\), Device 2; the second Device 2/,
  );
  expect(stdout).toMatch(/Export the key .* not printed\n {2}1 prompt \(get\) · 0 RPC calls · 0 relay calls/);
  expect(stdout).toMatch(/Every surface .* axe-core finds nothing against WCAG 2\.2 AA/);
  // A private key has twice the length of a public one.
  expect(stdout).not.toMatch(/ed25519:\w{60}/);

  const shots = await readdir(join(ROOT, 'screenshots'));
  const expected = SURFACES.flatMap((surface) =>
    ['wide', 'narrow'].flatMap((width) =>
      ['light', 'dark'].map((theme) => `${surface}-${width}-${theme}.png`),
    ),
  );
  expect(shots.sort()).toEqual(expected.sort());
});
