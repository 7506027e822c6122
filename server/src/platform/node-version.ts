import { INVALID_CONFIG, LatchkeyError } from 'latchkey/internal/server';

/** The oldest Node that runs this package: `engines` in its package.json. */
const OLDEST = [20, 19] as const;

/** Throws INVALID_CONFIG, which names both versions, on an older Node. */
export function assertNodeVersion(version: string = process.versions.node): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  const reason = `Latchkey's servers and commands need Node ${OLDEST.join('.')} or later, and this is ${version}`;
  throw new LatchkeyError(INVALID_CONFIG, { values: { reason } });
}
