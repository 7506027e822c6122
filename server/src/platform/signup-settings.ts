/** The shipped check that decides whether a client may register, by the environment. */

import type { VerifySignup } from '../registration/signup.js';
import { TURNSTILE_URL, type TurnstileOptions, verifyTurnstile } from '../registration/turnstile.js';
import {
  readVoucherKey,
  screenVouchers,
  type VoucherPublicKey,
  verifyVouchers,
} from '../registration/voucher.js';
import { type EnvironmentReader, pattern, secret } from './environment.js';

export type SignupSettings =
  | { readonly kind: 'anyone' }
  | { readonly kind: 'voucher'; readonly publicKeys: readonly VoucherPublicKey[] }
  | ({ readonly kind: 'turnstile' } & TurnstileOptions);

const TURNSTILE_VARIABLES = ['TURNSTILE_HOSTNAMES', 'TURNSTILE_ACTION', 'TURNSTILE_URL'] as const;

export function readSignupSettings(reader: EnvironmentReader): SignupSettings | undefined {
  const { env } = reader;
  const [hasVouchers, hasTurnstile] = [env.SIGNUP_VOUCHER_KEY?.trim(), env.TURNSTILE_SECRET?.trim()];
  if (hasVouchers && hasTurnstile) {
    reader.report('TURNSTILE_SECRET', 'must not be set together with SIGNUP_VOUCHER_KEY');
  }
  if (!hasTurnstile) {
    for (const name of TURNSTILE_VARIABLES)
      if (env[name]?.trim()) reader.report(name, 'needs TURNSTILE_SECRET');
  }
  if (hasTurnstile) return readTurnstile(reader);
  if (!hasVouchers) return { kind: 'anyone' };
  const publicKeys = reader.read('SIGNUP_VOUCHER_KEY', (text) => split(text).map(readVoucherKey));
  return publicKeys && { kind: 'voucher', publicKeys };
}

/** The hook for these settings; undefined if anyone may register. */
export function verifySignupBy(settings: SignupSettings): VerifySignup | undefined {
  switch (settings.kind) {
    case 'anyone':
      return undefined;
    case 'voucher':
      return verifyVouchers(settings.publicKeys);
    case 'turnstile':
      return verifyTurnstile(settings);
  }
}

/** What of it the relay decides alone, before it asks any node; undefined if nothing. */
export function screenSignupBy(settings: SignupSettings): VerifySignup | undefined {
  return settings.kind === 'voucher' ? screenVouchers(settings.publicKeys) : undefined;
}

function readTurnstile(reader: EnvironmentReader): SignupSettings | undefined {
  const { env } = reader;
  const options = {
    secret: reader.read('TURNSTILE_SECRET', secret),
    hostnames: reader.read('TURNSTILE_HOSTNAMES', (text) => split(text).map(hostname)),
    action: env.TURNSTILE_ACTION?.trim()
      ? reader.read(
          'TURNSTILE_ACTION',
          pattern(/^[\w-]{1,32}$/, 'must be at most 32 letters, digits, - or _'),
        )
      : null,
    url: env.TURNSTILE_URL?.trim() ? reader.read('TURNSTILE_URL', httpUrl) : TURNSTILE_URL,
  };
  const { secret: key, hostnames, action, url } = options;
  if (!key || !hostnames || action === undefined || url === undefined) return undefined;
  return { kind: 'turnstile', secret: key, hostnames, action, url };
}

const split = (text: string): string[] => text.split(/[\s,]+/).filter((part) => part !== '');

const hostname = pattern(/^[a-z0-9.-]{1,253}$/, 'must be host names such as app.example.com');

function httpUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new Error('must be an http(s) URL');
}
