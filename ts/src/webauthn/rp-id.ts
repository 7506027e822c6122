import { LatchkeyError, RP_ID_MISMATCH } from '../errors/wallet.js';

export interface RpIdConfig {
  readonly rpIdOverride: string | null;
  readonly relatedOrigin: boolean;
}

/**
 * The rpId of this page: its host name, or the configured override. Throws for an override that the host neither
 * equals nor ends in (at a dot), unless declared as a related origin: a silent fallback would create passkeys under
 * the wrong rpId.
 */
export function resolveRpId({ rpIdOverride, relatedOrigin }: RpIdConfig, host: string): string {
  if (rpIdOverride === null) return host;
  const belongs = host === rpIdOverride || host.endsWith(`.${rpIdOverride}`);
  if (!belongs && !relatedOrigin) {
    throw new LatchkeyError(RP_ID_MISMATCH, { values: { rpId: rpIdOverride, host } });
  }
  return rpIdOverride;
}
