// Shared by the benches: contenders take turns, so that a busy machine slows all of them alike, and a line shows the
// medians, their ratio and the target.

const WARM_UP_ROUNDS = 3;

/** The median time of each contender, in milliseconds; a contender may be async. */
export async function race(rounds, contenders) {
  const times = contenders.map(() => []);
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    for (const [index, run] of contenders.entries()) {
      const start = performance.now();
      const result = run();
      if (result instanceof Promise) await result;
      if (round >= 0) times[index].push(performance.now() - start);
    }
  }
  return times.map((list) => list.sort((a, b) => a - b)[rounds >> 1]);
}

/** Prints one line: name, our and the peer's median in milliseconds, their ratio, the target, ok or MISSED. */
export function report(name, ours, peer, target) {
  const ratio = ours / peer;
  const verdict = target === undefined ? '' : ratio <= target ? 'ok' : 'MISSED';
  const columns = [
    name.padEnd(52),
    ours.toFixed(3),
    peer.toFixed(3),
    ratio.toFixed(2),
    target?.toFixed(2) ?? '',
    verdict,
  ];
  console.log(columns.join('  ').trimEnd());
}
