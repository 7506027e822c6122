// The soak from the command line. Usage: node --import tsx tests/soak/main.ts [minutes] [--seed N] [--redis]
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { redisServer, startRedis } from '../support/relay/redis.js';
import { runSoak } from './soak.js';

const DEFAULT_MINUTES = 10;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, redis: { type: 'boolean', default: false } },
});
const minutes = Number(positionals[0] ?? DEFAULT_MINUTES);
const seed = Number(values.seed ?? randomInt(2 ** 32));
if (!(minutes > 0) || !Number.isInteger(seed) || seed < 0) {
  console.error('Usage: node --import tsx tests/soak/main.ts [minutes] [--seed whole number] [--redis]');
  process.exit(2);
}

console.log(`seed ${seed}, ${minutes} minutes`);
const end = performance.now() + minutes * 60_000;
const seconds = () => `${Math.round(performance.now() / 1000)} s`.padStart(6);
const path = values.redis ? redisServer() : null;
if (values.redis && path === null) process.exit(2);
const redis = path === null ? null : await startRedis(path);
const report = await runSoak({
  seed,
  goesOn: () => performance.now() < end,
  atATime: 24,
  relays: 2,
  keys: 4,
  ...(redis && { redisUrl: redis.url }),
  clientsPerEnding: 150,
  clientsPerWeather: 25,
  onProgress: (line) => console.log(`${seconds()}  ${line}`),
});
await redis?.stop();
const violations = [...report.violations];
if (report.granted === 0) violations.push('no registration was granted, which proves nothing: soak longer');
console.log(`
clients       ${list(report.clients)}
answers       ${list(report.answers)}
chain         ${list(report.faults)}
relays ended  ${list(report.endings)}; the longest stop took ${report.longestStopSeconds.toFixed(1)} s
wishes        ${list({ granted: report.granted, refused: report.refused, 'open at the end': report.openAtTheEnd })}
transactions  ${list({ executed: report.executed, 'made no account and were paid back': report.paidBack })}
spent         ${near(report.spentYocto)} NEAR, of which ${near(report.burntYocto)} burnt for gas
`);
for (const violation of violations) console.error(`VIOLATION  ${violation}`);
console.log(`${violations.length === 0 ? 'good' : `${violations.length} violations`} (seed ${seed})`);
process.exitCode = violations.length === 0 ? 0 : 1;

function list(counts: object): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}

/** NEAR with every digit, down to the yocto. */
function near(yocto: bigint): string {
  return `${yocto / 10n ** 24n}.${String(yocto % 10n ** 24n).padStart(24, '0')}`;
}
