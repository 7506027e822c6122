import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** A configured or default port, and the environment variable that changes it. */
export interface WantedPort {
  service: string;
  port: number;
  variable: string;
  /** The option of a command that changes it too, such as `--relay-port`. */
  option?: string;
}

/** The ports of a stack: of its services, of an app that the caller serves, and of the page that a phone opens first. */
export type PortName = 'app' | 'relay' | 'chain' | 'wallet' | 'start';

export const DEFAULT_PORTS = {
  app: ['app', 'APP_PORT', 5173],
  relay: ['relay', 'RELAY_PORT', 3000],
  chain: ['chain', 'CHAIN_PORT', 3030],
  wallet: ['wallet', 'WALLET_PORT', 5174],
  start: ['start page', 'START_PORT', 5175],
} as const satisfies Record<PortName, readonly [service: string, variable: string, port: number]>;

/** The port of a service by its variable or default. */
export function defaultPort(name: PortName): WantedPort {
  const [service, variable, port] = DEFAULT_PORTS[name];
  return portFromEnvironment(service, variable, port);
}

/** Reads a port from the environment: a whole number from 1 to 65535, else an error naming the variable. */
export function portFromEnvironment(service: string, variable: string, fallback: number): WantedPort {
  const text = process.env[variable] || String(fallback);
  return { service, port: readPort(variable, text), variable };
}

/** The port in a text: a whole number from 1 to 65535, else an error that names where the text is from. */
export function readPort(source: string, text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new Error(`${source} must be a port from 1 to 65535, not '${text}'.`);
}

/** Throws one error that names every port that is taken, or that two services want. */
export async function requireFreePorts(wanted: WantedPort[]): Promise<void> {
  const problems: string[] = [];
  for (const [index, { service, port, variable, option }] of wanted.entries()) {
    const way =
      option === undefined
        ? `Set ${variable} to another one.`
        : `Set ${option} or ${variable} to another one.`;
    const rival = wanted.slice(0, index).find((other) => other.port === port);
    if (rival) {
      problems.push(`${service} and ${rival.service} both want port ${port}. ${way}`);
    } else if (await isTaken(port)) {
      problems.push(`Port ${port}, wanted by ${service}, is taken. ${way}`);
    }
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** Below the ephemeral ports of operating systems, and without those that browsers block. */
const OURS = { first: 11_000, count: 20_000 };

/** A free port that the system does not assign to another program meanwhile. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = OURS.first + randomInt(OURS.count);
    if (!(await isTaken(port))) return port;
  }
}

// `localhost` may mean either address, so a port counts as free only when both are.
async function isTaken(port: number): Promise<boolean> {
  for (const host of ['127.0.0.1', '::1']) {
    const error = await tryToListen(port, host);
    if (error?.code === 'EADDRINUSE') return true;
    if (error?.code === 'EACCES') throw error;
  }
  return false;
}

function tryToListen(port: number, host: string): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
