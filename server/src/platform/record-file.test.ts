import { readFile, stat, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { developmentKey } from '../../../tests/support/relay/devnet.js';
import { createLog } from '../observe/log.js';
import { createDurableSpendMeter } from '../relayer/durable-spend.js';
import { createMemorySpendMeter, keptSpendIn } from '../relayer/spend.js';
import { temporaryFolder } from '../testing/temporary-folder.js';
import { readRelayConfig } from './config.js';
import { startRelay } from './node.js';
import { openRecordFile } from './record-file.js';

const log = createLog(() => undefined);

describe('the relay’s record in a file', () => {
  const folder = temporaryFolder();

  it('is there for the next process once it is flushed, readable only by its owner', async () => {
    const path = folder.file('a.json');
    const first = await openRecordFile(path);
    first.write('spend:1', '5');
    first.write('spend:2', '7');
    first.write('used:x', '9');
    first.write('spend:1', null);
    await first.flush();
    const second = await openRecordFile(path);
    expect([...second.entries('spend:')]).toEqual([['2', '7']]);
    expect([...second.entries('used:')]).toEqual([['x', '9']]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('flushes all that was written until then, however many wait', async () => {
    const path = folder.file('b.json');
    const record = await openRecordFile(path);
    await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        record.write(`spend:${index}`, '1');
        await record.flush();
        const { entries } = JSON.parse(await readFile(path, 'utf8'));
        expect(entries).toHaveProperty(`spend:${index}`);
      }),
    );
  });

  it('taken over by another relay lets the former one reserve nothing more', async () => {
    const path = folder.file('c.json');
    const open = async () => {
      const record = await openRecordFile(path);
      const meter = createMemorySpendMeter({
        capYocto: 100n,
        log,
        now: record.now,
        kept: keptSpendIn(record, 'spend:'),
      });
      return createDurableSpendMeter(meter, record, log);
    };
    const former = await open();
    await former.reserve(60n);
    const next = await open();
    await expect(former.reserve(1n)).rejects.toMatchObject({
      code: 'not_ready',
      message: /Nothing was sent/,
      cause: { message: expect.stringContaining('another relay') },
    });
    await expect(next.reserve(41n)).rejects.toMatchObject({ code: 'spend_cap' });
    await next.reserve(40n);
  });

  it('gives its reservation back when it cannot be written', async () => {
    const path = folder.file('d.json');
    const record = await openRecordFile(path);
    const meter = createMemorySpendMeter({
      capYocto: 100n,
      log,
      now: record.now,
      kept: keptSpendIn(record, 'spend:'),
    });
    const durable = createDurableSpendMeter(meter, record, log);
    const good = await readFile(path, 'utf8');
    await writeFile(path, 'broken');
    await expect(durable.reserve(100n)).rejects.toMatchObject({ code: 'not_ready' });
    await writeFile(path, good);
    await durable.reserve(100n);
  });

  it.each([
    '',
    '{',
    '[]',
    '{"version":2,"writer":"x","entries":{}}',
    '{"version":1,"writer":"x","entries":{"a":1}}',
  ])('is refused and kept if it holds %j', async (content) => {
    const path = folder.file('e.json');
    await writeFile(path, content);
    await expect(openRecordFile(path)).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      message: /RELAY_STATE_FILE/,
    });
    expect(await readFile(path, 'utf8')).toBe(content);
  });

  it('stays with the relay that runs when another one fails to start', async () => {
    const file = folder.file('g.json');
    const environment = {
      RELAYER_ACCOUNT_ID: 'relayer.testnet',
      RELAYER_PRIVATE_KEY: developmentKey('relayer.testnet'),
      NEAR_RPC_URL: 'http://127.0.0.1:9',
      EXPECTED_ORIGIN: 'https://app.example',
    };
    const running = await startRelay(
      readRelayConfig({ ...environment, PORT: '0', RELAY_STATE_FILE: file }),
      log,
    );
    try {
      const { writer } = JSON.parse(await readFile(file, 'utf8'));
      const { port: PORT } = new URL(running.url);
      const second = readRelayConfig({ ...environment, PORT, RELAY_STATE_FILE: file });
      await expect(startRelay(second, log)).rejects.toThrow('is taken');
      expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ writer });
      const broken = folder.file('h.json');
      await writeFile(broken, '{');
      const third = readRelayConfig({ ...environment, PORT: '0', RELAY_STATE_FILE: broken });
      await expect(startRelay(third, log)).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
    } finally {
      await running.close();
    }
  });

  it('is refused where there is no folder for it', async () => {
    await expect(openRecordFile(folder.file('none/f.json'))).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
    });
  });
});
