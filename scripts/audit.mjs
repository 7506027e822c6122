// Asks the registry of npm whether a package of the lock file has a known vulnerability. Fails for a high or critical one.
// Prints a sentence where the registry gives no answer, and checks nothing.
import { spawnSync } from 'node:child_process';

const GRAVE = ['high', 'critical'];

const { stdout } = spawnSync('npm', ['audit', '--json'], { encoding: 'utf8', timeout: 60_000 });
const report = readJson(stdout);
if (!report?.vulnerabilities) {
  console.log("The lock file's packages were not audited: the registry gives no answer to npm audit.");
} else {
  const found = Object.values(report.vulnerabilities).filter(({ severity }) => GRAVE.includes(severity));
  for (const { name, severity, range } of found) console.error(`${name} ${range}: ${severity}`);
  if (found.length > 0) {
    console.error('npm audit names what each is about, and npm audit fix what mends it.');
    process.exitCode = 1;
  }
}

function readJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
