// Checks docs/maintainers/devnet.md: its program and its commands run, and its tables are complete.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BINARY, type Devnet, startDevnet } from './devnet.js';

const run = promisify(execFile);
const PROGRAM = fileURLToPath(new URL('guide.mjs', import.meta.url));
const DEFAULT_URL = 'http://127.0.0.1:3030';

let guide: string;
let devnet: Devnet;

/** The fenced blocks of one language. */
function blocks(language: string): string[] {
  return [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, text]) => text!,
  );
}

/** The names between backticks in the first column of the tables below a heading. */
function firstColumn(heading: string): string[] {
  const section = guide.split(/^## /m).find((text) => text.startsWith(`${heading}\n`))!;
  return [...section.matchAll(/^\| (`.+?) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
  );
}

beforeAll(async () => {
  guide = await readFile(new URL('../../docs/maintainers/devnet.md', import.meta.url), 'utf8');
  devnet = await startDevnet(['--no-registry', '--block-time', '50ms']);
});

afterAll(async () => {
  await devnet.stop();
});

describe('the guide', () => {
  it('shows a program that runs, word for word', async () => {
    expect(blocks('js')).toContain(await readFile(PROGRAM, 'utf8'));
    const { stdout } = await run(process.execPath, [PROGRAM], {
      env: { ...process.env, NEAR_RPC_URL: devnet.url },
    });
    expect(stdout).toMatch(/^transaction \w{43,44}\ndora\.testnet has 9 NEAR left\n$/);
  });

  it('shows requests that succeed, one after the other', async () => {
    const requests = blocks('sh').filter((block) => block.startsWith('curl '));
    expect(requests.length).toBeGreaterThan(3);
    for (const request of requests) {
      expect(request).toContain(DEFAULT_URL);
      const command = request
        .replaceAll(DEFAULT_URL, devnet.url)
        .replaceAll('curl ', 'curl --fail --silent ');
      const { stdout } = await run('sh', ['-ec', command]);
      for (const answer of stdout.split('\n').filter(Boolean)) {
        expect(JSON.parse(answer), request).not.toHaveProperty('error');
      }
    }
  });

  it('lists every option of the program, and no other', async () => {
    const { stdout } = await run(BINARY, ['--help']);
    const options = [...stdout.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm)].map(([, name]) => name!);
    const listed = ['Options', 'A chain like a node', 'Faults']
      .flatMap(firstColumn)
      .filter((name) => name.startsWith('--'))
      .map((name) => name.split(' ')[0]);
    expect(listed.sort()).toEqual(options.filter((name) => name !== '--help' && name !== '--version').sort());
  });

  it('lists methods that the chain knows', async () => {
    const methods = firstColumn('What it answers');
    expect(methods).toContain('send_tx');
    for (const method of methods) {
      const response = await fetch(devnet.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} }),
      });
      const { error } = await response.json();
      expect(error?.cause?.name, method).not.toBe('METHOD_NOT_FOUND');
    }
  });
});
