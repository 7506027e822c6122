import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainNames } from '../ts/src/plain-names.js';
import { type CallName, failsWith, forwardingWallet, type Wallet } from '../ts/src/wallet.js';
import { codeBlocks, compileExamples, examples, hiddenFailures } from './docs-examples.mjs';

const build = fileURLToPath(new URL('../build', import.meta.url));
mkdirSync(build, { recursive: true });
/** Inside the repository, so that the examples find the packages. */
const folder = mkdtempSync(join(build, 'examples-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('every example of the documentation compiles against the packages', () => {
  expect(examples().length).toBeGreaterThan(50);
  expect(compileExamples(folder)).toBe('');
});

describe('a call that resolves when it fails (demo 2)', () => {
  /** The names of those calls, as `ts/src/wallet.ts` tells them, with the plain names; and the facade's own call. */
  const names = ['adoptAccount'];
  beforeAll(async () => {
    const namesOfCalls = forwardingWallet(async (call) => call);
    for (const [name, call] of Object.entries({ ...namesOfCalls, ...plainNames() })) {
      const makeCall = call as (this: Wallet) => Promise<CallName>;
      if (failsWith(await makeCall.call(namesOfCalls)) !== 'rejection') names.push(name);
    }
  });

  const problems = (...lines: string[]) =>
    hiddenFailures({ path: 'docs/page.mdx', line: 7, code: lines.join('\n') }, names);

  it('shows its failure wherever the documentation makes it', () => {
    expect(names).toEqual(expect.arrayContaining(['executeAction', 'signAndSendTransactions', 'exportKey']));
    expect(names).not.toContain('getLinkedDevices');
    const calls = codeBlocks().filter(({ code }) => names.some((name) => code.includes(`${name}(`)));
    expect(calls.length).toBeGreaterThan(20);
    expect(calls.flatMap((block) => hiddenFailures(block, names))).toEqual([]);
  });

  it('is found with its page and line where the block reads no result', () => {
    expect(problems('wallet.preload();', 'const { fate } = await wallet.executeAction(payment);')).toEqual([
      'docs/page.mdx:8 executeAction',
    ]);
    expect(problems('export const pay = () =>', '  wallet.executeAction(payment);')).toHaveLength(1);
    expect(problems('const login = await loginPasskey(id); // an error')).toHaveLength(1);
    expect(problems('wallet.exportKey(id).catch(console.error);')).toHaveLength(1);
  });

  it.each([
    'await wallet.executeAction(payment);',
    'if (isSure) await wallet.executeAction(payment);',
    'else await executeAction(payment);',
    'wallet.executeAction(payment);',
    'const onClick = () => void executeAction(payment);',
  ])('is found where its result is dropped, though the block reads that of another: %s', (line) => {
    const login = ['const login = await wallet.loginPasskey(id);', 'if (!login.success) alert(login.error);'];
    expect(problems(...login, line)).toEqual(['docs/page.mdx:9 executeAction']);
  });

  it('is not found where the block reads the result', () => {
    expect(problems('const { error } = await wallet.loginPasskey(id);', 'show(error);')).toEqual([]);
    expect(problems('enter(() => wallet.loginPasskey(id)).then(({ success }) => success);')).toEqual([]);
    expect(problems('export async function connect(wallet) {', '  await wallet.getAppKeys(id);')).toEqual([]);
  });
});
