/** Structured logs: one JSON object per line. Callers name each field, so that no secret slips in. */

const LEVELS = ['info', 'warn', 'error', 'silent'] as const;

/** A field may quote a chain node, which may send megabytes. */
const MAX_FIELD_LENGTH = 4000;

export type LogLevel = (typeof LEVELS)[number];
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Log {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

export function isLogLevel(text: string): text is LogLevel {
  return (LEVELS as readonly string[]).includes(text);
}

/** A log that passes each line of level `lowest` and above to `write`. */
export function createLog(write: (line: string) => void, lowest: LogLevel = 'info'): Log {
  const at =
    (level: Exclude<LogLevel, 'silent'>) =>
    (event: string, fields: LogFields = {}) => {
      if (LEVELS.indexOf(level) < LEVELS.indexOf(lowest)) return;
      write(JSON.stringify({ time: new Date().toISOString(), level, event, ...fields }, clip));
    };
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

function clip(_name: string, value: unknown): unknown {
  const isLong = typeof value === 'string' && value.length > MAX_FIELD_LENGTH;
  return isLong ? `${value.slice(0, MAX_FIELD_LENGTH)}…` : value;
}
