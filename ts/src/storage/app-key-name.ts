/**
 * The names of sealed app keys: `app-key[@<host>]:<account>:<receiver>:<public key>`. A key calls without any confirmation, so
 * a key made through a host belongs to that host alone.
 */

/** No account id contains a colon. A host's origin may, and so may be the beginning of another's. */
const NAME = /^app-key(?:@(.+))?:([^:]+):[^:]+:[^:]+:[^:]+$/;

/** The prefix of the names of the account's keys, up to the receiver. */
export function appKeyName(accountId: string, host?: string): string {
  return host === undefined ? `app-key:${accountId}:` : `app-key@${host}:${accountId}:`;
}

export interface AppKeyOwner {
  readonly accountId: string;
  /** Undefined for a key that was made through no host. */
  readonly host: string | undefined;
}

/** Whose key has this name; undefined for a name of something else. */
export function appKeyOwner(name: string): AppKeyOwner | undefined {
  const [, host, accountId] = NAME.exec(name) ?? [];
  return accountId === undefined ? undefined : { accountId, host };
}
