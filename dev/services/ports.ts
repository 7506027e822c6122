import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** A configured or default port, and the environment variable that changes it. */
export interface WantedPort {
  service: string;
  port: number;
  variable: string;
}

/** Reads a port from the environment: a whole number from 1 to 65535, else an error naming the variable. */
export function portFromEnvironment(service: string, variable: string, fallback: number): WantedPort {
  const text = process.env[variable];
  const port = text === undefined || text === '' ? fallback : Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`${variable} must be a port from 1 to 65535, not '${text}'.`);
  }
  return { service, port, variable };
}

/** Throws one error that names every port that is taken, or that two services want. */
export async function requireFreePorts(wanted: WantedPort[]): Promise<void> {
  const problems: string[] = [];
  for (const [index, { service, port, variable }] of wanted.entries()) {
    const rival = wanted.slice(0, index).find((other) => other.port === port);
    if (rival) {
      problems.push(
        `${service} and ${rival.service} both want port ${port}. Set ${variable} to another one.`,
      );
    } else if (await isTaken(port)) {
      problems.push(`Port ${port}, wanted by ${service}, is taken. Set ${variable} to another one.`);
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
