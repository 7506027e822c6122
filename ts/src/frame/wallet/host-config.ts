/** What a host may set of the wallet (interop.md section 8, security of the frame, 3). */
import { type PasskeyManagerConfig, type ResolvedConfig, resolveConfig } from '../../config.js';
import { checkedSettings } from '../../confirm/settings-check.js';
import { LatchkeyError } from '../../errors/frame.js';
import type { ConfirmationConfig } from '../../types.js';
import type { HostConfig } from '../protocol/index.js';

export interface TakenConfig {
  /** How the host wants its requests confirmed. The user's own choices override it. */
  readonly confirmation: Partial<ConfirmationConfig>;
  /** The wallet's endpoints, where the host may set them and changes them; else undefined. */
  readonly changes: Partial<PasskeyManagerConfig> | undefined;
}

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
  if (!at.isConfigurable) refused.push(...changed.map(([field]) => field));
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
function neverSet(wanted: HostConfig, own: ResolvedConfig, rpId: string): string[] {
  const { networkId, rpIdOverride, authenticatorOptions, uiRegistry, assetsBaseUrl } = wanted;
  const refused: string[] = [];
  if (networkId !== undefined && networkId !== own.networkId) refused.push('networkId');
  if (rpIdOverride !== undefined && rpIdOverride.toLowerCase() !== rpId) refused.push('rpIdOverride');
  const options = {
    ...own.authenticatorOptions,
    ...(authenticatorOptions && definedFields(authenticatorOptions)),
  };
  if (!isSame(options, own.authenticatorOptions)) refused.push('authenticatorOptions');
  if (uiRegistry !== undefined) refused.push('uiRegistry');
  if (assetsBaseUrl !== undefined) refused.push('assetsBaseUrl');
  return refused;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function notAllowed(fields: readonly string[]): LatchkeyError {
  const reason = `only the wallet's operator sets ${fields.join(', ')}`;
  return new LatchkeyError('CONFIG_NOT_ALLOWED', { values: { reason }, details: { fields } });
}

function definedFields<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const defined = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
