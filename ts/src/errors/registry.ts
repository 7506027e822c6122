/** The error texts of the registry's contract. */
import { addTexts, LatchkeyError } from './latchkey-error.js';

export * from './latchkey-error.js';

const TEXTS = {
  CONTRACT_STATE_FAILED:
    'Contract state deserialization failed. This may be due to a contract upgrade. Please try again or contact support.',
  REGISTRY_UNKNOWN:
    '{registry} is not a registry that this wallet can use: {reason}. Check contractId, or update the wallet.',
  REGISTRY_LACKS: 'The registry {registry} lacks {feature}. {advice}',
} as const;

export type RegistryTexts = typeof TEXTS;

addTexts(TEXTS);

/** What the other registry on testnet lacks, each with advice for the operator. */
export const LACKING_IN_REGISTRY = {
  httpOrigins: {
    feature: 'passkeys of http pages',
    advice: 'Serve this page over https, or deploy your own registry.',
  },
  allowedHosts: {
    feature: 'a list of the hosts that may embed the wallet',
    advice: "Name them in the wallet's own configuration, or deploy your own registry.",
  },
} as const;

/** Logged once where a wallet or a relay meets that registry. */
export const OTHER_REGISTRY_TEXT =
  '{registry} is not a Latchkey registry. It works, with less protection: it keeps the deposit of a refused ' +
  'registration, does not compare what the user approved with the registration, lets any account remove a linking, ' +
  'and records no access key of a device. For real users, deploy your own registry (docs/concepts/registry.mdx).';

/** An error that names what the registry lacks. */
export function lacks(
  { contractId: registry }: { readonly contractId: string },
  what: keyof typeof LACKING_IN_REGISTRY,
): LatchkeyError {
  return new LatchkeyError('REGISTRY_LACKS', { values: { registry, ...LACKING_IN_REGISTRY[what] } });
}
