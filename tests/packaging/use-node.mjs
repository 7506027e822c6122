// The deployment on Node, in a clean folder with the packed packages: the commands that its Dockerfile and compose file run.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fail, good, root } from './tools.mjs';

const HOST = 'https://app.example';
/** A key that no chain knows: the relay starts with it, and is not ready. */
const KEY =
  'ed25519:3D4YudUahN1nawWogh8pAKSj92sUNMdbZGjn7kERKzYoTy8tnFQuwoGUC51DowKqorvkr2pytJSnwuSbsNVfqygr';

/** Starts a command, gives `use` its address, and ends it as a container's stop does. */
async function withProgram(project, command, env, listening, use) {
  const [program, ...args] = command;
  const child = spawn(program === 'node' ? process.execPath : program, args, {
    cwd: project,
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const errors = [];
  child.stderr.on('data', (chunk) => errors.push(String(chunk)));
  const ended = once(child, 'exit');
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const [, port] = listening.exec(line) ?? [];
      if (!port) continue;
      await use(`http://127.0.0.1:${port}`);
      child.kill('SIGTERM');
      const [code] = await ended;
      if (code !== 0) fail(`${command.join(' ')} ended with code ${code} at SIGTERM: ${errors.join('')}`);
      return;
    }
    fail(`${command.join(' ')} does not listen: ${errors.join('')}`);
  } finally {
    child.kill('SIGKILL');
  }
}

/** The command ends by itself with code 1, and says this. */
function endsWith(project, [, ...args], env, sentence) {
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: project, env, encoding: 'utf8' });
  if (status !== 1 || !stderr.includes(sentence)) fail(`${args.join(' ')} ended with ${status}: ${stderr}`);
}

export async function useNode(project) {
  for (const file of ['Dockerfile', 'compose.yaml'])
    cpSync(join(root, 'deploy/node', file), join(project, file));
  const { dependencies } = JSON.parse(readFileSync(join(root, 'deploy/node/package.json'), 'utf8'));
  for (const workspace of ['ts', 'server', 'react']) {
    const { name, version } = JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'));
    if (dependencies[name] !== version)
      fail(`deploy/node wants ${name} ${dependencies[name]}, not ${version}`);
  }
  const dockerfile = readFileSync(join(project, 'Dockerfile'), 'utf8');
  const relay = JSON.parse(/^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? fail('the Dockerfile has no CMD'));
  const compose = readFileSync(join(project, 'compose.yaml'), 'utf8');
  const wallet = JSON.parse(
    /command: (\["node".*\])$/m.exec(compose)?.[1] ?? fail('compose starts no wallet'),
  );

  const environment = {
    RELAYER_ACCOUNT_ID: 'relayer.testnet',
    RELAYER_PRIVATE_KEY: KEY,
    EXPECTED_ORIGIN: HOST,
    NEAR_RPC_URL: 'http://127.0.0.1:9',
    PORT: '0',
  };
  await withProgram(
    project,
    relay,
    environment,
    /^relay listening on http:\/\/127\.0\.0\.1:(\d+)$/,
    async (url) => {
      if ((await fetch(`${url}/healthz`)).status !== 200) fail('the relay is not healthy');
      if ((await fetch(`${url}/readyz`)).status !== 503) fail('the relay is ready without a chain');
    },
  );
  good('the relay of deploy/node starts from its Dockerfile’s command, and ends at SIGTERM');

  // This project has no client of Redis, which only a relay with REDIS_URL loads.
  const shared = { ...environment, REDIS_URL: 'redis://127.0.0.1:9' };
  endsWith(project, relay, shared, 'npm install @redis/client');
  good('a relay with REDIS_URL and without its client says what to install');

  const settings = {
    RELAY_URL: 'https://relay.example',
    ALLOWED_HOSTS: HOST,
    CROSS_ORIGIN: 'isolated',
    PORT: '0',
  };
  await withProgram(
    project,
    wallet,
    settings,
    /^wallet listening on http:\/\/127\.0\.0\.1:(\d+)$/,
    async (url) => {
      const page = await fetch(`${url}/wallet-service/?host=${encodeURIComponent(HOST)}`);
      if (page.status !== 200) fail(`the wallet's page answers ${page.status}`);
      const policy = page.headers.get('content-security-policy') ?? '';
      if (!policy.includes(`frame-ancestors ${HOST}`)) fail(`its policy is ${policy}`);
      if (page.headers.get('cross-origin-embedder-policy') !== 'require-corp')
        fail('the wallet is not isolated');
      const script = / src="([^"]+\.js)"/.exec(await page.text())?.[1] ?? fail('the page has no script');
      const served = await fetch(new URL(script, page.url));
      if (!/immutable/.test(served.headers.get('cache-control') ?? '')) fail(`${script} is not cached`);
      const missing = await fetch(`${url}/sdk/missing.js`);
      if (missing.status !== 404) fail('a missing file of the SDK is answered with a page');
    },
  );
  endsWith(project, wallet, { ...settings, PORT: 'x' }, 'PORT must be a whole number');
  endsWith(project, wallet, {}, 'without RELAY_URL and ALLOWED_HOSTS');
  good(
    'the wallet’s origin of deploy/node serves its page and files with their headers, and names missing variables',
  );
}
