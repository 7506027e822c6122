import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort, portFromEnvironment, requireFreePorts } from './ports.js';
import { startService } from './service.js';

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const script = (source: string) => ({
  name: 'chain',
  command: process.execPath,
  args: ['-e', source],
  ready: /^listening on (http:\S+)$/,
});

test('waits for the ready line and ends the process on stop', async () => {
  const lines: string[] = [];
  const service = await startService({
    ...script('console.log("listening on http://127.0.0.1:1"); setInterval(() => undefined, 1000)'),
    onLine: (line) => lines.push(line),
  });
  expect(service.url).toBe('http://127.0.0.1:1');
  expect(() => process.kill(service.pid, 0)).not.toThrow();
  await service.stop();
  expect(() => process.kill(service.pid, 0)).toThrow('ESRCH');
  expect(await service.ended).toBe('chain ended (signal SIGTERM)');
  expect(lines).toEqual(['listening on http://127.0.0.1:1']);
});

test('reports a process that exits before it is ready, with its last output', async () => {
  await expect(startService(script('console.error("no such wasm"); process.exit(3)'))).rejects.toThrow(
    'chain ended (exit code 3) before it was ready. Its last output:\n  no such wasm',
  );
});

test('ends and reports a process that never becomes ready', async () => {
  const starting = startService({ ...script('setInterval(() => undefined, 1000)'), readyTimeoutMs: 200 });
  await expect(starting).rejects.toThrow('chain was not ready after 0.2 s');
});

test('a command that does not exist is reported by name', async () => {
  const starting = startService({ ...script(''), command: '/nonexistent/latchkey-devnet' });
  await expect(starting).rejects.toThrow(/^chain could not start \(spawn .* ENOENT\)/);
});

test('a process ends within moments of its parent, however the parent was killed', async () => {
  const source = `import { startService } from './dev/services/service.ts';
    const service = await startService({ name: 'chain', command: process.execPath, ready: /(\\d+)/,
      args: ['-e', 'console.log(process.pid); setInterval(() => undefined, 1000)'] });
    console.log(service.pid);`;
  const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', source]);
  const pid = await new Promise<number>((resolve) => {
    parent.stdout.once('data', (chunk) => resolve(Number(chunk)));
  });
  expect(isRunning(pid)).toBe(true);
  parent.kill('SIGKILL');
  await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false);
});

test('a taken port is named with its service and the variable that changes it', async () => {
  const rival = createServer();
  const port = await new Promise<number>((resolve) => {
    rival.listen(0, '127.0.0.1', () => resolve((rival.address() as { port: number }).port));
  });
  const free = await freePort();
  await expect(
    requireFreePorts([
      { service: 'relay', port, variable: 'RELAY_PORT' },
      { service: 'app', port: free, variable: 'APP_PORT' },
      { service: 'chain', port: free, variable: 'CHAIN_PORT' },
    ]),
  ).rejects.toThrow(
    `Port ${port}, wanted by relay, is taken. Set RELAY_PORT to another one.\n` +
      `chain and app both want port ${free}. Set CHAIN_PORT to another one.`,
  );
  await new Promise((resolve) => rival.close(resolve));
  await requireFreePorts([{ service: 'relay', port, variable: 'RELAY_PORT' }]);
});

test('an invalid port is refused with the name of its variable', () => {
  process.env.LATCHKEY_TEST_PORT = '80x';
  expect(() => portFromEnvironment('app', 'LATCHKEY_TEST_PORT', 5173)).toThrow(
    "LATCHKEY_TEST_PORT must be a port from 1 to 65535, not '80x'.",
  );
  process.env.LATCHKEY_TEST_PORT = '';
  expect(portFromEnvironment('app', 'LATCHKEY_TEST_PORT', 5173).port).toBe(5173);
});
