/** What a host may set of the wallet (interop.md section 8, security of the frame, 3). */

import { type PasskeyManagerConfig, type ResolvedConfig, resolveConfig } from '../../config.js';
import { checkedSettings } from '../../confirm/settings-check.js';
import { definedFields } from '../../defined-fields.js';
import { CONFIG_NOT_ALLOWED, LatchkeyError } from '../../errors/frame.js';
import type { ConfirmationConfig } from '../../types.js';
import type { HostConfig } from '../protocol/index.js';

export interface TakenConfig {
  /** How the host wants its requests confirmed. The user's own choices override it. */
  readonly confirmation: Partial<ConfirmationConfig>;
  /** The wallet's endpoints, where the host may set them and changes them; else undefined. */
  readonly changes: Partial<PasskeyManagerConfig> | undefined;
}

/** Characters of a value that a refusal shows. */
const MAX_SHOWN = 120;

/**
 * Reads what the host sets. Theme and confirmation settings are its wishes; everything else must equal what the
 * wallet already has, unless the operator lets this host configure it. Throws CONFIG_NOT_ALLOWED, which names every
 * refused field, and INVALID_CONFIG for confirmation settings that do not exist.
 */
export function readHostConfig(
  wanted: HostConfig,
  own: PasskeyManagerConfig,
  at: { readonly rpId: string; readonly isConfigurable: boolean },
): TakenConfig {
  const { theme, confirmationConfig, rpcUrl, contractId, relayer, vrfWorkerConfigs } = wanted;
  const resolved = resolveConfig(own);
  const changes: Partial<PasskeyManagerConfig> = definedFields({
    rpcUrl,
    contractId,
    relayer: relayer && { ...own.relayer, ...definedFields(relayer) },
    shamir3pass: vrfWorkerConfigs?.shamir3pass,
  });
  const merged = resolveConfig({ ...own, ...changes });
  const refused = neverSet(wanted, resolved, at.rpId);
  const changed = CONFIGURABLE.filter(([, read]) => !isSame(read(merged), read(resolved)));
  if (!at.isConfigurable) {
    refused.push(...changed.map(([field, read]) => ({ field, page: read(merged), wallet: read(resolved) })));
  }
  if (refused.length > 0) throw notAllowed(refused);
  return {
    confirmation: checkedSettings({ ...confirmationConfig, ...(theme && { theme }) }),
    changes: changed.length > 0 ? changes : undefined,
  };
}

const CONFIGURABLE: readonly (readonly [field: string, read: (config: ResolvedConfig) => unknown])[] = [
  ['rpcUrl', ({ rpcUrls }) => rpcUrls],
  ['contractId', ({ contractId }) => contractId],
  ['relayer', ({ relayer }) => relayer],
  ['vrfWorkerConfigs', ({ shamir3pass }) => shamir3pass],
];

/**
 * What no host may change, whatever the operator allows: the names of another chain, the passkeys of another wallet,
 * passkeys for more origins, and foreign code.
 */
function neverSet(wanted: HostConfig, own: ResolvedConfig, rpId: string): Refused[] {
  const { networkId, rpIdOverride, authenticatorOptions, uiRegistry, assetsBaseUrl } = wanted;
  const refused: Refused[] = [];
  const refuse = (field: string, page: unknown, wallet: unknown) => refused.push({ field, page, wallet });
  if (networkId !== undefined && networkId !== own.networkId) refuse('networkId', networkId, own.networkId);
  if (rpIdOverride !== undefined && rpIdOverride.toLowerCase() !== rpId)
    refuse('rpIdOverride', rpIdOverride, rpId);
  const options = {
    ...own.authenticatorOptions,
    ...(authenticatorOptions && definedFields(authenticatorOptions)),
  };
  if (!isSame(options, own.authenticatorOptions))
    refuse('authenticatorOptions', options, own.authenticatorOptions);
  if (uiRegistry !== undefined) refuse('uiRegistry', uiRegistry, undefined);
  if (assetsBaseUrl !== undefined) refuse('assetsBaseUrl', assetsBaseUrl, undefined);
  return refused;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** A field that a host may not set, with the host's value and the wallet's own. */
interface Refused {
  readonly field: string;
  readonly page: unknown;
  readonly wallet: unknown;
}

function notAllowed(refused: readonly Refused[]): LatchkeyError {
  const named = refused.map(
    ({ field, page, wallet }) => `${field} (this page: ${shown(page)}; the wallet: ${shown(wallet)})`,
  );
  const reason = `only the wallet's operator sets ${named.join(', ')}`;
  return new LatchkeyError(CONFIG_NOT_ALLOWED, {
    values: { reason },
    details: { fields: refused.map(({ field }) => field) },
  });
}

/** Of an address the origin alone: the rest may hold the key of the operator's provider. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.replace(/(https?:\/\/)([^/"?#]+)[/?#][^"]*/g, '$1$2/…').slice(0, MAX_SHOWN);
}
