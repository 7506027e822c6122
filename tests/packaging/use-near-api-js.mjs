// near-api-js in each version that the peer range of `latchkey` names. Alone: node tests/packaging/use-near-api-js.mjs
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { developmentKey } from '../../dev/dist/services/keys.js';
import { pack } from '../../scripts/pack.mjs';
import { isMain, manifestOf } from '../../scripts/release/lib.mjs';
import { fail, good, root, run } from './tools.mjs';

/** Protocols of a chain, with the dialect in which its nodes answer. */
const CHAINS = [
  ['85', 'older'],
  ['88', 'newer'],
];
const ALICE = 'alice.testnet';

/** Installs each version next to `latchkey`, and drives a chain of each protocol with it. */
export async function useNearApiJs(folder, tarball) {
  for (const range of manifestOf('ts').peerDependencies['near-api-js'].split(' || ')) {
    const project = join(folder, range);
    mkdirSync(project, { recursive: true });
    cpSync(fileURLToPath(new URL('near-api-js', import.meta.url)), project, { recursive: true });
    writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    const options = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
    run('npm', ['install', ...options, tarball, `near-api-js@${range}`], project);
    importsBoth(project);
    compileGuide(project, 'near-api-js');
    for (const [protocol, dialect] of CHAINS) {
      await withChain(['--protocol-version', protocol, '--rpc-dialect', dialect], (url) =>
        run('node', ['conformance.mjs', url, protocol, developmentKey(ALICE)], project),
      );
      good(`near-api-js ${range} transacts and views on a chain of protocol ${protocol}`);
    }
  }
}

function importsBoth(project) {
  const script = `
    const { Account, Signer } = await import('near-api-js');
    const { LatchkeyAccount, LatchkeySigner } = await import('latchkey/near-api-js');
    if (!(LatchkeyAccount.prototype instanceof Account)) throw new Error('another Account');
    if (!(LatchkeySigner.prototype instanceof Signer)) throw new Error('another Signer');
  `;
  run('node', ['--input-type=module', '-e', script], project);
}

/** The first example of a client's guide compiles. */
export function compileGuide(project, client) {
  const page = readFileSync(join(root, `docs/guides/${client}.mdx`), 'utf8');
  const [, example] = /```ts\n([\s\S]*?)```/.exec(page) ?? fail(`docs/guides/${client}.mdx has no example`);
  writeFileSync(join(project, `${client}.ts`), example);
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022'];
  run('node', [join(root, 'node_modules/typescript/bin/tsc'), ...options, `${client}.ts`], project);
  good(`latchkey/${client} imports next to ${client}, and its example compiles`);
}

/** Runs a local chain until `use`, which gets its address, has returned. */
async function withChain(options, use) {
  const program = join(process.env.CARGO_TARGET_DIR ?? join(root, 'target'), 'debug/latchkey-devnet');
  const accounts = ['--fund', `${ALICE}=100`, '--fund', 'bob.testnet=100'];
  const fixed = ['--port', '0', '--no-registry', '--block-time', '50ms', ...accounts];
  const chain = spawn(program, [...fixed, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    for await (const line of createInterface({ input: chain.stdout })) {
      const url = /^listening on (http:\S+)$/.exec(line)?.[1];
      if (url) return use(url);
    }
    fail('the chain does not listen');
  } finally {
    chain.kill();
  }
}

if (isMain(import.meta.url)) {
  const work = mkdtempSync(join(tmpdir(), 'latchkey-near-api-js-'));
  try {
    await useNearApiJs(work, pack('ts', work).tarball);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
