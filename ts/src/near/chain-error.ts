/** The chain's own error about a transaction (nearcore, `TxExecutionError`), in words. */

/** What a transaction needs and its network does not have: the network's protocol is too old for it, or has removed it. */
export type NetworkLack = {
  readonly lacks: 'not-yet' | 'no-longer';
  /** In one sentence. */
  readonly reason: string;
};

/** Names of nearcore's features (`ProtocolFeature`) that a transaction of this package can need. */
const FEATURES: ReadonlyMap<unknown, string> = new Map([
  ['GasKeys', 'gas keys'],
  ['PostQuantumSignatures', 'keys of ML-DSA-65'],
  ['UniversalAccounts', 'universal accounts'],
  ['DelegateV2', 'delegate actions of version 2'],
]);

/** The lack that an error tells; undefined for an error of another kind. */
export function networkLack(error: unknown): NetworkLack | undefined {
  const { name, data } = innermost(error);
  const feature = (data as { protocol_feature?: unknown } | null | undefined)?.protocol_feature;
  const named = FEATURES.get(feature) ?? String(feature);
  const notYet = (what: string): NetworkLack => ({
    lacks: 'not-yet',
    reason: `this network does not have ${what} yet`,
  });
  switch (name) {
    case 'UnsupportedProtocolFeature':
      return notYet(named);
    case 'TransferToUniversalAccountNotAllowed':
      return notYet('universal accounts');
    case 'InvalidTxError':
      return data === 'InvalidTransactionVersion' ? notYet('transactions of this form') : undefined;
    case 'RemovedProtocolFeature':
      return { lacks: 'no-longer', reason: `this network no longer has ${named}` };
    default:
      return undefined;
  }
}

const MAX_REASON_LENGTH = 300;

/** Says a lack of the network in a sentence, a contract's failure in its own words, and any other by its innermost name and fields. */
export function describeChainError(error: unknown): string {
  const { name = 'unknown failure', data } = innermost(error);
  const own = typeof data === 'string' ? data : data === undefined ? name : `${name} ${JSON.stringify(data)}`;
  return (networkLack(error)?.reason ?? own).slice(0, MAX_REASON_LENGTH);
}

/** The innermost name of a nested error, with what stands in it: fields, a contract's words, or a name without fields. */
function innermost(error: unknown): { readonly name?: string; readonly data?: unknown } {
  let at = error;
  let name: string | undefined;
  const found = (data: unknown) => ({ ...(name !== undefined && { name }), data });
  while (typeof at === 'object' && at !== null) {
    const [entry, ...others] = Object.entries(at).filter(([key]) => key !== 'index');
    // Names of errors start with a capital and `kind` leads to one; anything else describes the name before it.
    if (!entry || others.length > 0 || !/^([A-Z]|kind$)/.test(entry[0])) return found(at);
    if (entry[0] !== 'kind') name = entry[0];
    at = entry[1];
  }
  return found(typeof at === 'string' ? at : undefined);
}
