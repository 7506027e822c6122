// Runs register, pay, link, recover and revoke on the real testnet. Usage: node --import tsx tests/testnet/main.ts [--local]
// NEAR_ACCOUNT_ID and NEAR_PRIVATE_KEY: the account that pays. NEAR_RPC_URL: the nodes. REGISTRY: a registry's account, or 'deploy'.
// --local: on a local chain of two providers, whose nodes lag each other; it starts and ends with the run.
import { parseArgs } from 'node:util';
import { startBalancedChain } from '../support/providers.js';
import { line, said } from '../support/report.js';
import { localNetwork } from './local.js';
import { checkNetwork, costsOf, type Network, near, networkFromEnvironment } from './network.js';
import { tell } from './story.js';

const KEPT_LINES = 20;

/** Runs the story and prints it; whether every step held. */
async function run(network: Network): Promise<boolean> {
  await checkNetwork(network);
  const { rpcUrls, funder, registry } = network;
  const { atMost, comesBack } = await costsOf(network);
  console.log(`
  nodes     ${rpcUrls.map((url) => new URL(url).origin).join(' ')}
  pays      ${funder.accountId}: at most ${near(atMost)} NEAR, of which ${near(comesBack)} come back at the end
  registry  ${registry ?? 'deployed for this run'}
`);
  const ending = new AbortController();
  process.once('SIGINT', () => {
    console.log('  Stopping after this step, then cleaning up. Ctrl-C again leaves everything as it is.');
    process.once('SIGINT', () => process.exit(1));
    ending.abort();
  });
  const relayLines: string[] = [];
  const { success, spentYocto } = await tell(network, {
    onStep: ({ title, success, ms, text }) => line(success ? '✓' : '✗', title, ms, text),
    onLine: (text) => relayLines.push(text),
    signal: ending.signal,
  });
  console.log(
    `\n${success ? 'Every step held.' : 'A step failed or was left out.'} Spent ${near(spentYocto)} NEAR.`,
  );
  if (!success) console.log(['The relay said:', ...relayLines.slice(-KEPT_LINES)].join('\n  '));
  return success;
}

async function runLocally(): Promise<boolean> {
  const chain = await startBalancedChain({ blockTimeMs: 600 });
  try {
    const registry = process.env.REGISTRY === 'deploy' ? { registry: null } : {};
    return await run({ ...localNetwork(chain.urls), ...registry });
  } finally {
    await chain.stop();
  }
}

try {
  const { values } = parseArgs({ options: { local: { type: 'boolean', default: false } } });
  const isGood = values.local ? await runLocally() : await run(networkFromEnvironment(process.env));
  process.exitCode = isGood ? 0 : 1;
} catch (error) {
  console.error(said(error));
  process.exitCode = 1;
}
