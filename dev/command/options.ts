// The words of `latchkey-dev` and its variables, read into what a stack takes.
import { hostname } from 'node:os';
import { parseArgs } from 'node:util';
import { machineName, phoneName } from '../phone/machine-name.js';
import { type Payer, readAccount, readPayer } from '../services/payer.js';
import { defaultPort, type PortName, readPort, type WantedPort } from '../services/ports.js';
import type { StackOptions } from '../stack/stack.js';

/** The command was spelled wrong: its usage helps. */
export class UsageError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

export const DEFAULT_DATA = '.latchkey';
/** Where Vite serves an app, and where the templates of create-latchkey do. */
export const DEFAULT_HOSTS = ['http://localhost:5173', 'http://localhost:5180'];

export const USAGE = `Usage: latchkey-dev [options] [-- COMMAND ...]
       latchkey-dev fund ACCOUNT AMOUNT | key ACCOUNT | logs [SERVICE] [--follow]

Starts a local chain with the registry, a relay and a wallet origin, prints their addresses, and ends them on Ctrl-C. With a
COMMAND, such as \`-- vite\`, starts it next with the app's variables set; when either ends, so does the other.

Options
  --host ORIGIN          A page that may embed the wallet and call the relay. Repeatable.
                         Default: ${DEFAULT_HOSTS.join(' and ')}.
  --data DIR             Where chain, keys and logs are kept. Default: LATCHKEY_DATA, else ${DEFAULT_DATA}.
  --fresh                Forgets the chain and the relay's lock key that DIR keeps.
  --write-env FILE       Writes the app's variables to FILE, such as .env, for a tool that reads a file. Leaves a file that
                         latchkey-dev did not write.
  --same-origin          The wallet runs in the app's own page, without an origin of its own.
  --phone [--name NAME]  Serves all of it by https at <machine>.local, or NAME, for a phone in the same network. The one --host,
                         http://localhost:PORT, is the app; the phone opens it at --app-port.
  --relay-port N         Default: RELAY_PORT, else 3000. In the same way: --wallet-port (WALLET_PORT, 5174),
                         --chain-port (CHAIN_PORT, 3030), and for a phone --start-port (START_PORT, 5175) and
                         --app-port (APP_PORT, 5173).
  -h, --help             Prints this text.

Another chain, such as a node of near-sandbox or of testnet
  --rpc URL              Its node, or several, separated by commas. Default: LATCHKEY_RPC.
  --key ACCOUNT:KEY      The account that pays, and its full-access key, ed25519:…. Default: LATCHKEY_KEY, which stays out of
                         the shell's history.
  --registry ID          The registry's account: the paying one or one below it, where the registry is deployed if it is
                         missing, or any that has it. Default: LATCHKEY_REGISTRY, else registry.ACCOUNT.

Commands
  fund ACCOUNT AMOUNT    Pays AMOUNT NEAR to ACCOUNT, on the chain of the stack that runs on DIR or of --rpc, and prints its
                         balance. The local chain's testnet pays; elsewhere, the account of --key.
  key ACCOUNT            Prints the key of an account that the local chain starts with, such as relayer.testnet.
  logs [SERVICE]         Prints what chain, relay and wallet wrote in the running or the last stack of DIR, or one of them.
                         --follow: goes on until Ctrl-C.
`;

const CHAIN_OPTIONS = {
  rpc: { type: 'string' },
  key: { type: 'string' },
} as const;
const DATA_OPTIONS = {
  data: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;
const PORT_OPTIONS = {
  'relay-port': { type: 'string' },
  'wallet-port': { type: 'string' },
  'chain-port': { type: 'string' },
  'start-port': { type: 'string' },
  'app-port': { type: 'string' },
} as const;
const START_OPTIONS = {
  ...DATA_OPTIONS,
  ...CHAIN_OPTIONS,
  ...PORT_OPTIONS,
  registry: { type: 'string' },
  host: { type: 'string', multiple: true, default: [] as string[] },
  fresh: { type: 'boolean', default: false },
  'write-env': { type: 'string' },
  'same-origin': { type: 'boolean', default: false },
  phone: { type: 'boolean', default: false },
  name: { type: 'string' },
} as const;

/** What the command is to do. */
export type Task =
  | { readonly kind: 'help' }
  | {
      readonly kind: 'start';
      readonly options: StackOptions;
      /** The file that gets the app's variables; null for none. */
      readonly envFile: string | null;
      readonly command: readonly string[];
    }
  | {
      readonly kind: 'fund';
      readonly data: string;
      readonly accountId: string;
      readonly amountYocto: bigint;
      /** The chain that was named; null for that of the running stack. */
      readonly rpcUrl: string | null;
      readonly payer: Payer | null;
    }
  | { readonly kind: 'key'; readonly accountId: string }
  | {
      readonly kind: 'logs';
      readonly data: string;
      readonly service: string | null;
      readonly follow: boolean;
    };

/** Reads the arguments. Throws one sentence for what is wrong with them. */
export function readTask(argv: readonly string[], env: Environment): Task {
  const end = argv.indexOf('--');
  const words = end < 0 ? [...argv] : argv.slice(0, end);
  const command = end < 0 ? null : argv.slice(end + 1);
  const [first = ''] = words;
  const read = { fund: readFund, key: readKey, logs: readLogs }[first];
  if (read) {
    if (command) throw new UsageError(`${first} takes no command after --.`);
    return read(words.slice(1), env);
  }
  return readStart(words, command, env);
}

function readFund(args: string[], env: Environment): Task {
  const { values, positionals } = parseArgs({
    args,
    options: { ...DATA_OPTIONS, ...CHAIN_OPTIONS },
    allowPositionals: true,
  });
  if (values.help) return { kind: 'help' };
  const [account, amount, ...more] = positionals;
  if (account === undefined || amount === undefined || more.length > 0)
    throw new UsageError('fund takes an account and an amount in NEAR: fund alice.testnet 10.');
  const chain = readChain(values, env);
  return {
    kind: 'fund',
    data: dataOf(values, env),
    accountId: readAccount('fund’s ACCOUNT', account),
    amountYocto: readNear(amount),
    rpcUrl: chain?.rpcUrls[0] ?? null,
    payer: chain?.payer ?? null,
  };
}

function readKey(args: string[]): Task {
  const { values, positionals } = parseArgs({ args, options: DATA_OPTIONS, allowPositionals: true });
  if (values.help) return { kind: 'help' };
  const [account, ...more] = positionals;
  if (account === undefined || more.length > 0)
    throw new UsageError('key takes an account that the local chain starts with: key relayer.testnet.');
  return { kind: 'key', accountId: readAccount('key’s ACCOUNT', account) };
}

function readLogs(args: string[], env: Environment): Task {
  const { values, positionals } = parseArgs({
    args,
    options: { ...DATA_OPTIONS, follow: { type: 'boolean', short: 'f', default: false } },
    allowPositionals: true,
  });
  if (values.help) return { kind: 'help' };
  const [service = null, ...more] = positionals;
  if (more.length > 0 || (service !== null && !['chain', 'relay', 'wallet'].includes(service)))
    throw new UsageError(`logs takes chain, relay or wallet, not '${positionals.join(' ')}'.`);
  return { kind: 'logs', data: dataOf(values, env), service, follow: values.follow };
}

function readStart(args: string[], command: readonly string[] | null, env: Environment): Task {
  const { values, positionals } = parseArgs({ args, options: START_OPTIONS, allowPositionals: true });
  if (values.help) return { kind: 'help' };
  if (positionals.length > 0)
    throw new UsageError(
      `There is no command '${positionals[0]}'. A program of yours comes after --, as in -- ${positionals.join(' ')}.`,
    );
  if (command?.length === 0) throw new UsageError('Name a command after --, such as -- vite.');
  if (values.name !== undefined && !values.phone) throw new UsageError('--name goes with --phone.');
  const hosts = values.host.length > 0 ? values.host.map(readOrigin) : values.phone ? [] : DEFAULT_HOSTS;
  const chain = readChain(values, env);
  if (chain && values.fresh)
    throw new UsageError(
      '--fresh forgets a chain of this machine, and --rpc uses another one. Leave one of them out.',
    );
  const phone = values.phone ? readPhone(values.name, hosts, chain) : {};
  const options: StackOptions = {
    data: dataOf(values, env),
    fresh: values.fresh,
    hosts,
    ports: readPorts(values),
    sameOrigin: values['same-origin'],
    ...phone,
    ...(chain && { chain }),
  };
  return { kind: 'start', options, envFile: values['write-env'] ?? null, command: command ?? [] };
}

const dataOf = ({ data }: { data?: string | undefined }, env: Environment): string =>
  data || env.LATCHKEY_DATA || DEFAULT_DATA;

/** The origin of a page. Throws for another text, such as an address with a path. */
export function readOrigin(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text)
    return text;
  throw new Error(`--host takes an origin such as http://localhost:5180, without a path. It got '${text}'.`);
}

/** The name by which a phone finds this machine: the one given, or the machine's own. */
export const phoneNameOf = (name: string | undefined): string =>
  name === undefined ? machineName(hostname()) : phoneName(name);

function readPhone(name: string | undefined, hosts: readonly string[], chain: StackOptions['chain'] | null) {
  const [host = '', ...others] = hosts;
  const [, port] = /^http:\/\/localhost:(\d+)$/.exec(host) ?? [];
  if (port === undefined || others.length > 0)
    throw new Error(
      '--phone takes one --host, http://localhost:PORT: your app, which the phone opens by https at --app-port.',
    );
  const plain = chain?.rpcUrls.find((url) => !url.startsWith('https:'));
  if (plain !== undefined)
    throw new Error(`--phone needs a chain that a phone can reach by https, and --rpc names ${plain}.`);
  return { phone: phoneNameOf(name), app: { listensAt: Number(port) } };
}

interface ChainValues {
  readonly rpc?: string | undefined;
  readonly key?: string | undefined;
  readonly registry?: string | undefined;
}

/** The chain that options or variables name; null for one of this machine. */
function readChain({ rpc, key, registry }: ChainValues, env: Environment): StackOptions['chain'] | null {
  const [urls, urlsAre] = rpc ? [rpc, '--rpc'] : [env.LATCHKEY_RPC, 'LATCHKEY_RPC'];
  const [payer, payerIs] = key ? [key, '--key'] : [env.LATCHKEY_KEY, 'LATCHKEY_KEY'];
  const [contract, contractIs] = registry
    ? [registry, '--registry']
    : [env.LATCHKEY_REGISTRY, 'LATCHKEY_REGISTRY'];
  if (!urls) {
    if (key || registry)
      throw new UsageError(`${key ? '--key' : '--registry'} goes with --rpc, the chain to use.`);
    return null;
  }
  if (!payer)
    throw new UsageError(
      `${urlsAre} needs the account that pays there: --key ACCOUNT:ed25519:…, or LATCHKEY_KEY.`,
    );
  const rpcUrls = urls.split(/[\s,]+/).filter((url) => url !== '');
  for (const url of rpcUrls)
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw new Error(`${urlsAre} takes the http(s) address of a node, and '${url}' is none.`);
  return {
    rpcUrls,
    payer: readPayer(payerIs, payer),
    ...(contract && { registry: readAccount(contractIs, contract) }),
  };
}

function readPorts(values: Readonly<Record<string, unknown>>): NonNullable<StackOptions['ports']> {
  const names: PortName[] = ['relay', 'wallet', 'chain', 'start', 'app'];
  return Object.fromEntries(
    names.map((name): [PortName, WantedPort] => {
      const option = `--${name}-port`;
      const given = values[`${name}-port`];
      const wanted = { ...defaultPort(name), option };
      return [name, typeof given === 'string' ? { ...wanted, port: readPort(option, given) } : wanted];
    }),
  );
}

const NEAR_DECIMALS = 24;

/** An amount in NEAR, as a decimal number above 0, in yoctoNEAR. */
export function readNear(text: string): bigint {
  const [, whole = '', part = ''] = /^(\d{1,12})(?:\.(\d{1,24}))?$/.exec(text) ?? [];
  const yocto = BigInt(`${whole}${part.padEnd(NEAR_DECIMALS, '0')}` || '0');
  if (whole !== '' && yocto > 0n) return yocto;
  throw new Error(`AMOUNT is in NEAR, above 0, such as 10 or 0.5. It got '${text}'.`);
}

/** yoctoNEAR as NEAR, without zeros at its end. */
export function nearText(yocto: bigint): string {
  const digits = yocto.toString().padStart(NEAR_DECIMALS + 1, '0');
  return `${digits.slice(0, -NEAR_DECIMALS)}.${digits.slice(-NEAR_DECIMALS)}`.replace(/\.?0+$/, '');
}
