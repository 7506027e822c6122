import { networkInterfaces } from 'node:os';
import { describe, expect, test } from 'vitest';
import { machineName, nameAdvice, phoneName, whereIs } from './machine-name.js';

describe('the name of a machine (demo 2)', () => {
  test.each([
    ['vm', 'vm.local'],
    ['Annas-MacBook-Pro.local', 'annas-macbook-pro.local'],
    ['build.example.com', 'build.local'],
    ["Anna's Mac_2", 'anna-s-mac-2.local'],
    ['-x-', 'x.local'],
  ])('of %j is %j', (hostname, name) => expect(machineName(hostname)).toBe(name));

  test.each(['', '---', 'localhost', 'ü', 'a'.repeat(64)])(
    'a host name without one is refused: %j',
    (hostname) => {
      expect(() => machineName(hostname)).toThrow('my-mac.local');
    },
  );

  test.each(['my-mac.local', 'demo.example.com'])('a developer may give another one: %j', (name) => {
    expect(phoneName(name)).toBe(name);
  });

  test.each([
    '',
    'mac',
    'Mac.local',
    '192.168.1.2',
    '::1',
    'app.localhost',
    'a..local',
    'a.local.',
    '-a.local',
    'a.local:5173',
    `${'a'.repeat(60)}.local`,
  ])('which is a name, not an address: %j', (text) =>
    expect(() => phoneName(text)).toThrow('--name takes a name that your phone can find'),
  );
});

describe('where a name leads (demo 2)', () => {
  test('is here if one of its addresses is', async () => {
    expect(await whereIs('localhost')).toEqual({ kind: 'here' });
    expect(nameAdvice('vm.local', { kind: 'here' })).toBeNull();
  });

  test('is nowhere if no host answers, and the advice says what to do', async () => {
    expect(await whereIs('no-such-machine.invalid')).toEqual({ kind: 'nowhere' });
    expect(nameAdvice('vm.local', { kind: 'nowhere' })).toContain('avahi-daemon');
    expect(nameAdvice('vm.example.com', { kind: 'nowhere' })).toContain('Add it to your DNS');
  });

  test('is elsewhere if no address is of this machine, and the advice names them', async () => {
    const own = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
    expect(own.map(({ address }) => address)).not.toContain('192.0.2.1');
    expect(await whereIs('192.0.2.1')).toEqual({ kind: 'elsewhere', addresses: ['192.0.2.1'] });
    expect(nameAdvice('vm.local', { kind: 'elsewhere', addresses: ['192.0.2.1'] })).toContain('192.0.2.1');
  });
});
