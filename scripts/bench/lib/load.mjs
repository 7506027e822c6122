// For load benches: percentiles, a pool of clients, memory and processor time of a process.
import { readFileSync } from 'node:fs';

/** The value below which `share` of the sorted numbers lies. */
export function percentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** Resident memory of a process, in MiB (Linux). */
export function residentMiB(pid) {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(kilobytes) / 1024;
}

/** Processor time of a process so far, in seconds (Linux, 100 ticks a second). */
export function processorSeconds(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) / 100;
}

/** Runs jobs, `parallel` at a time; returns the sorted times in milliseconds and the total in seconds. */
export async function runPool(jobs, parallel, run) {
  const times = [];
  const start = performance.now();
  const next = jobs.values();
  const worker = async () => {
    for (const job of next) {
      const began = performance.now();
      await run(job);
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return { times: times.sort((a, b) => a - b), seconds: (performance.now() - start) / 1000 };
}

/** Prints rows under their headings; the first column is left-aligned, the others right-aligned. */
export function printTable(headings, rows) {
  const cells = [headings, ...rows.map((row) => row.map(String))];
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  for (const row of cells) {
    const line = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]),
    );
    console.log(line.join('  '));
  }
}
