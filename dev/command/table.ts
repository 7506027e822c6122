import { join, relative } from 'node:path';
import type { Stack } from '../stack/stack.js';

/** A path as a reader of this terminal types it. */
const shortPath = (path: string): string => {
  const here = relative(process.cwd(), path);
  return here !== '' && !here.startsWith('..') ? here : path;
};

/** What to print once a stack runs: what is where, and how to end it. */
export function stackTable(stack: Stack, fresh: string): string {
  const { addresses, hosts, pids } = stack;
  const data = shortPath(stack.data);
  const chain = pids.chain === null ? '' : ` (pid ${pids.chain})`;
  const registry = `registry ${addresses.registry}${stack.hasDeployed ? ', deployed now' : ''}`;
  const rows: [name: string, value: string, more?: string][] = [
    ...(addresses.appOrigin === null ? [] : [['app', addresses.appOrigin] as [string, string]]),
    ['wallet', addresses.walletOrigin ?? 'in the app’s own page'],
    ['relay', addresses.relayUrl, `pays from ${stack.payer} (pid ${pids.relay})`],
    ['chain', addresses.rpcUrls[0] ?? '', `${registry}${chain}`],
    ...(addresses.explorerUrl === null ? [] : [['explorer', addresses.explorerUrl] as [string, string]]),
    ...hosts
      .filter((host) => host !== addresses.appOrigin)
      .map((host): [string, string, string] => ['host', host, 'may embed the wallet and call the relay']),
    ['data', data, `kept over runs; ${fresh} forgets it`],
    ['logs', join(data, 'logs')],
    ['process', String(process.pid)],
  ];
  const width = (column: 0 | 1) => Math.max(...rows.map((row) => row[column].length));
  const [names, values] = [width(0), width(1)];
  return rows
    .map(
      ([name, value, more]) =>
        `    ${name.padEnd(names)} ${more ? `${value.padEnd(values)}   ${more}` : value}`,
    )
    .join('\n');
}
