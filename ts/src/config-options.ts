/** The names of the configuration's options. One that is misspelt is refused: left alone, it would do nothing. */
import type { DeviceLinkingConfig, PasskeyManagerConfig, Shamir3passConfig } from './config.js';
import type { IframeWalletConfig } from './frame/config.js';
import { isRecord } from './is-record.js';

/** Every name of a type, and no other. */
export type NamesOf<T> = { readonly [Name in keyof T]-?: true };
/** Whether a name is an option's. */
type Names = Readonly<Record<string, boolean>>;
type GroupOf<Name extends keyof PasskeyManagerConfig> = NonNullable<PasskeyManagerConfig[Name]>;

const LOCK: NamesOf<Shamir3passConfig> = {
  p: true,
  relayServerUrl: true,
  applyServerLockRoute: true,
  removeServerLockRoute: true,
};
const RELAYER: NamesOf<GroupOf<'relayer'>> = { url: true, accountId: true };
const VRF_WORKER: NamesOf<GroupOf<'vrfWorkerConfigs'>> = { shamir3pass: true };
const AUTHENTICATOR: NamesOf<GroupOf<'authenticatorOptions'>> = {
  userVerification: true,
  originPolicy: true,
};
const LINKING: NamesOf<DeviceLinkingConfig> = { tempKeyDeleteDelayMs: true };
const KEY_EXPORT: NamesOf<GroupOf<'keyExport'>> = { sameOrigin: true };
const FRAME: NamesOf<IframeWalletConfig> = {
  walletOrigin: true,
  walletServicePath: true,
  sdkBasePath: true,
  rpIdOverride: true,
  connectTimeoutMs: true,
  requestTimeoutMs: true,
  enableSafariGetWebauthnRegistrationFallback: true,
};
const CONFIG: NamesOf<PasskeyManagerConfig> = {
  network: true,
  rpcUrl: true,
  rpcAgreement: true,
  networkId: true,
  contractId: true,
  explorerUrl: true,
  relayer: true,
  shamir3pass: true,
  vrfWorkerConfigs: true,
  authenticatorOptions: true,
  rpIdOverride: true,
  relatedOrigin: true,
  confirmationConfig: true,
  deviceLinking: true,
  keyExport: true,
  iframeWallet: true,
  logger: true,
  logLevel: true,
};

/**
 * One sentence for each option that does not exist; it lists those that do. An undefined value counts as absent. `others`
 * changes which names the configuration itself has.
 */
export function optionProblems(config: PasskeyManagerConfig | undefined, others: Names = {}): string[] {
  return [
    ...unknownIn('the configuration', config, { ...CONFIG, ...others }),
    ...unknownIn('relayer', config?.relayer, RELAYER),
    ...unknownIn('shamir3pass', config?.shamir3pass, LOCK),
    ...unknownIn('vrfWorkerConfigs', config?.vrfWorkerConfigs, VRF_WORKER),
    ...unknownIn('vrfWorkerConfigs.shamir3pass', config?.vrfWorkerConfigs?.shamir3pass, LOCK),
    ...unknownIn('authenticatorOptions', config?.authenticatorOptions, AUTHENTICATOR),
    ...unknownIn('deviceLinking', config?.deviceLinking, LINKING),
    ...unknownIn('keyExport', config?.keyExport, KEY_EXPORT),
    ...unknownIn('iframeWallet', config?.iframeWallet, FRAME),
  ];
}

/** The options of a manager alone, of a configuration that has others too. */
export function managerOptions(config: PasskeyManagerConfig): PasskeyManagerConfig {
  const own = Object.entries(config).filter(([name]) => Object.hasOwn(CONFIG, name));
  return { relayer: config.relayer, ...Object.fromEntries(own) };
}

function unknownIn(place: string, given: unknown, names: Names): string[] {
  if (!isRecord(given)) return [];
  const known = Object.keys(names).filter((name) => names[name]);
  const unknown = Object.keys(given).filter((name) => given[name] !== undefined && !known.includes(name));
  return unknown.map((name) => `${place} has no option ${name}; its options are ${known.join(', ')}`);
}
