import { open, readFile } from 'node:fs/promises';
import { logFile, SERVICES } from '../stack/data.js';

const POLL_MS = 300;
/** A name of a service as long as the longest, and a line. */
export const serviceLine = (line: string, service: string): string => `${service.padEnd(6)} │ ${line}`;

/** The lines of the services, or of one, in the order of their times. Throws one sentence if no stack ever ran here. */
export async function readLogs(data: string, service: string | null): Promise<string[]> {
  const services = service === null ? SERVICES : [service];
  const found: { time: string; text: string }[] = [];
  let files = 0;
  for (const name of services) {
    const text = await readFile(logFile(data, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (text === null) continue;
    files += 1;
    for (const line of text.split('\n').filter(Boolean)) found.push(timed(line, name));
  }
  if (files === 0) throw new Error(`No stack has run on ${data}. latchkey-dev starts one there.`);
  return found.sort((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time))).map(({ text }) => text);
}

function timed(line: string, service: string): { time: string; text: string } {
  const [, time = '', rest = line] = /^(\S+Z) (.*)$/.exec(line) ?? [];
  return { time, text: serviceLine(rest, service) };
}

/** Prints each line that services add from now on, until `signal`. A new stack's files begin from their start. */
export async function followLogs(
  data: string,
  service: string | null,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const services = service === null ? SERVICES : [service];
  const ends = new Map<string, { offset: number; rest: string }>();
  for (const name of services) ends.set(name, { offset: await sizeOf(logFile(data, name)), rest: '' });
  while (!signal.aborted) {
    for (const name of services) {
      const end = ends.get(name) ?? { offset: 0, rest: '' };
      const size = await sizeOf(logFile(data, name));
      if (size < end.offset) Object.assign(end, { offset: 0, rest: '' });
      if (size === end.offset) continue;
      const lines = (end.rest + (await readFrom(logFile(data, name), end.offset, size))).split('\n');
      ends.set(name, { offset: size, rest: lines.pop() ?? '' });
      for (const line of lines) print(timed(line, name).text);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function sizeOf(file: string): Promise<number> {
  const handle = await open(file).catch(() => null);
  try {
    return (await handle?.stat())?.size ?? 0;
  } finally {
    await handle?.close();
  }
}

async function readFrom(file: string, start: number, end: number): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(end - start), 0, end - start, start);
    return buffer.subarray(0, bytesRead).toString('utf8');
  } finally {
    await handle.close();
  }
}
