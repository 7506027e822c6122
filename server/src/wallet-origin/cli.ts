#!/usr/bin/env node
/** The command `latchkey-wallet`: serves a wallet origin, configured by environment variables. */
import { parseArgs } from 'node:util';
import { INVALID_CONFIG, LatchkeyError } from 'latchkey/internal/server';
import type { Environment } from '../platform/environment.js';
import { runCommand } from '../platform/run-command.js';
import type { CrossOriginPreset } from './headers.js';
import { walletFolder as filesOf, serveSite } from './node.js';
import { type WalletSiteOptions, walletSite } from './site.js';

const USAGE = `Usage: latchkey-wallet

Serves a wallet origin: the wallet page of latchkey-react, its files and its headers. Environment variables configure it.

Variables
  RELAY_URL             The relay's address.
  ALLOWED_HOSTS         The origins that may embed the wallet, separated by commas, in addition to the registry's.
  WEBAUTHN_CONTRACT_ID  The registry. Default: the package's own, on testnet.
  NEAR_RPC_URL          The chain's nodes, separated by commas. Default: two providers of testnet.
  RELATED_ORIGINS       The origins in /.well-known/webauthn, trusted like the wallet itself. Default: the registry's.
  CROSS_ORIGIN          none (the default), popup-friendly or isolated.
  HOST, PORT            Where it listens. Default: 127.0.0.1 and 5174.

Options
  -h, --help            Prints this text.
`;

const NEEDED = ['RELAY_URL', 'ALLOWED_HOSTS'] as const;
const PRESETS: readonly string[] = ['none', 'popup-friendly', 'isolated'] satisfies CrossOriginPreset[];
/** The package with the wallet page. A variable, because that package is built after this one. */
const PAGE: string = 'latchkey-react/wallet';

async function main(argv: readonly string[], env: Environment): Promise<void> {
  const { values } = parseArgs({ args: [...argv], options: { help: { type: 'boolean', short: 'h' } } });
  if (values.help) return void console.log(USAGE.trimEnd());
  const options = readOptions(env);
  const site = walletSite({ ...options, files: filesOf(await pageFolder()) });
  const host = env.HOST || '127.0.0.1';
  const { port, close } = await serveSite(site, Number(env.PORT || 5174), host);
  console.log(`wallet listening on http://${host}:${port}`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void close());
}

function readOptions(env: Environment): Omit<WalletSiteOptions, 'files'> {
  const missing = NEEDED.filter((name) => listOf(env[name]).length === 0);
  if (missing.length > 0)
    throw unusable(`The wallet's origin cannot start without ${missing.join(' and ')}.`);
  const crossOrigin = env.CROSS_ORIGIN || 'none';
  if (!isPreset(crossOrigin))
    throw unusable(`CROSS_ORIGIN must be ${PRESETS.join(', ')}, not ${crossOrigin}.`);
  return {
    config: {
      relayer: { url: env.RELAY_URL ?? '' },
      allowedHosts: listOf(env.ALLOWED_HOSTS),
      ...(env.WEBAUTHN_CONTRACT_ID && { contractId: env.WEBAUTHN_CONTRACT_ID }),
      ...(env.NEAR_RPC_URL && { rpcUrl: listOf(env.NEAR_RPC_URL) }),
    },
    crossOrigin,
    ...(env.RELATED_ORIGINS && { relatedOrigins: listOf(env.RELATED_ORIGINS) }),
  };
}

/** The folder of the built wallet page. */
async function pageFolder(): Promise<string> {
  const { walletFolder } = await import(PAGE).catch((cause: unknown) => {
    throw unusable('The wallet page is missing: npm install latchkey-react react react-dom', cause);
  });
  return walletFolder;
}

const listOf = (text: string | undefined): string[] => (text ?? '').split(/[\s,]+/).filter(Boolean);
const isPreset = (text: string): text is CrossOriginPreset => PRESETS.includes(text);
const unusable = (reason: string, cause?: unknown): LatchkeyError =>
  new LatchkeyError(INVALID_CONFIG, { values: { reason }, cause });

await runCommand(main, USAGE);
