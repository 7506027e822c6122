import { expect, test } from 'vitest';
import { developmentKey } from '../services/keys.js';
import { DEFAULT_HOSTS, nearText, readNear, readTask } from './options.js';

const KEY = `dev.testnet:${developmentKey('dev.testnet')}`;
const RPC = ['--rpc', 'http://localhost:4000'];

const start = (args: string[], env = {}) => {
  const task = readTask(args, env);
  if (task.kind !== 'start') throw new Error(`a ${task.kind}`);
  return task;
};

test('without options, a stack for the pages of Vite and of the templates, in .latchkey', () => {
  const { options, command } = start([]);
  expect(options).toMatchObject({ data: '.latchkey', fresh: false, hosts: DEFAULT_HOSTS, sameOrigin: false });
  expect(options.ports?.relay).toMatchObject({ port: 3000, option: '--relay-port' });
  expect(options.chain).toBeUndefined();
  expect(command).toEqual([]);
});

test('an option comes before its variable', () => {
  const env = { LATCHKEY_DATA: 'kept' };
  expect(start([], env).options.data).toBe('kept');
  expect(start(['--data', 'mine', '--relay-port', '4001'], env).options).toMatchObject({
    data: 'mine',
    ports: { relay: { port: 4001 } },
  });
});

test('the variables go to a file where one is named', () => {
  expect(start([]).envFile).toBeNull();
  expect(start(['--write-env', '.env', '--', 'vite'])).toMatchObject({ envFile: '.env', command: ['vite'] });
});

test('what follows -- is the command, options and all', () => {
  expect(start(['--fresh', '--', 'vite', '--port', '5180', '--', 'x'])).toMatchObject({
    options: { fresh: true },
    command: ['vite', '--port', '5180', '--', 'x'],
  });
});

test('another chain by options or by variables', () => {
  const chain = { rpcUrls: ['http://localhost:4000'], payer: { accountId: 'dev.testnet' } };
  expect(start([...RPC, '--key', KEY]).options.chain).toMatchObject(chain);
  const env = {
    LATCHKEY_RPC: 'http://localhost:4000',
    LATCHKEY_KEY: KEY,
    LATCHKEY_REGISTRY: 'r.dev.testnet',
  };
  expect(start([], env).options.chain).toMatchObject({ ...chain, registry: 'r.dev.testnet' });
});

test('a phone opens the one app by https', () => {
  const { options } = start(['--phone', '--name', 'my-mac.local', '--host', 'http://localhost:5180']);
  expect(options).toMatchObject({ phone: 'my-mac.local', app: { listensAt: 5180 } });
});

test.each([
  [['fnud', 'a.testnet', '1'], "There is no command 'fnud'."],
  [['fund', 'a.testnet'], 'fund takes an account and an amount in NEAR'],
  [['fund', 'A', '1'], "must be an account such as alice.testnet, not 'A'."],
  [['fund', 'a.testnet', '-1x'], "Unknown option '-1'"],
  [['fund', 'a.testnet', '1e3'], "AMOUNT is in NEAR, above 0, such as 10 or 0.5. It got '1e3'."],
  [['key'], 'key takes an account that the local chain starts with'],
  [['logs', 'redis'], "logs takes chain, relay or wallet, not 'redis'."],
  [['--prot', '1'], "Unknown option '--prot'"],
  [['--relay-port', '80x'], "--relay-port must be a port from 1 to 65535, not '80x'."],
  [['--host', 'localhost:5180/a'], '--host takes an origin such as http://localhost:5180'],
  [['--name', 'a.local'], '--name goes with --phone.'],
  [['--phone'], '--phone takes one --host, http://localhost:PORT'],
  [['--'], 'Name a command after --'],
  [['--key', KEY], '--key goes with --rpc'],
  [[...RPC], '--rpc needs the account that pays there'],
  [
    ['--rpc', 'localhost:4000', '--key', KEY],
    "takes the http(s) address of a node, and 'localhost:4000' is none",
  ],
  [[...RPC, '--key', KEY, '--fresh'], '--fresh forgets a chain of this machine'],
  [
    [...RPC, '--key', KEY, '--phone', '--host', 'http://localhost:5180'],
    '--phone needs a chain that a phone can reach',
  ],
])('%j is refused with what to do', (args, sentence) => {
  expect(() => readTask(args, {})).toThrow(sentence);
});

test('no error repeats a key', () => {
  const slip = KEY.slice(0, -3);
  expect(() => readTask([...RPC, '--key', slip], {})).toThrow(
    /^--key must be an account and its full-access key/,
  );
  expect(() => readTask([...RPC, '--key', slip], {})).not.toThrow(slip.slice(20, 40));
});

test.each([
  ['1', 10n ** 24n, '1'],
  ['0.5', 5n * 10n ** 23n, '0.5'],
  ['1000000.25', 100000025n * 10n ** 22n, '1000000.25'],
  ['0.000000000000000000000001', 1n, '0.000000000000000000000001'],
])('%s NEAR in yoctoNEAR and back', (text, yocto, back) => {
  expect(readNear(text)).toBe(yocto);
  expect(nearText(yocto)).toBe(back);
});
