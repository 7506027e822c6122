// What near-api-js's builders make, for the connector to pass on.
import { actions, KeyPair, PublicKey } from 'near-api-js';

/** One transaction of each kind, made by near-api-js's builders, on the account `signer`. */
export function everyBuilder(signer: string, registry: string) {
  const key = KeyPair.fromRandom('ed25519').getPublicKey();
  const full = KeyPair.fromRandom('ed25519').getPublicKey();
  const child = `child.${signer}`;
  return [
    {
      receiverId: registry,
      actions: [actions.functionCall('set_greeting', { greeting: `by ${signer}` }, 30_000_000_000_000n, 0n)],
    },
    {
      receiverId: child,
      actions: [actions.createAccount(), actions.transfer(10n ** 22n), actions.addFullAccessKey(full)],
    },
    {
      receiverId: signer,
      actions: [
        actions.addFunctionCallAccessKey(key, registry, ['set_greeting'], 10n ** 23n),
        actions.deleteKey(key),
      ],
    },
  ];
}

export interface Given {
  /** The account that signs. */
  readonly account: string;
  readonly publicKey: string;
  readonly code: readonly number[];
  /** SHA-256 of the code. */
  readonly codeHash: readonly number[];
  readonly beneficiary: string;
}

/** One transaction for each builder. */
export function oneByOne({ account, publicKey, code, codeHash, beneficiary }: Given) {
  const key = PublicKey.from(publicKey);
  const [wasm, hash] = [Uint8Array.from(code), Uint8Array.from(codeHash)];
  const onItself = (...made: object[]) => ({ receiverId: account, actions: made });
  return {
    deployContract: onItself(actions.deployContract(wasm)),
    functionCall: onItself(actions.functionCall('tally', Uint8Array.of(0, 255), 30_000_000_000_000n, 3n)),
    createAccount: {
      receiverId: `child.${account}`,
      actions: [actions.createAccount(), actions.transfer(10n ** 22n), actions.addFullAccessKey(key)],
    },
    addFunctionCallAccessKey: onItself(
      actions.addFunctionCallAccessKey(key, beneficiary, ['go'], 10n ** 23n),
    ),
    deleteKey: onItself(actions.deleteKey(key)),
    stake: onItself(actions.stake(5n * 10n ** 24n, key)),
    globalByHash: onItself(actions.deployGlobalContract(wasm, 'codeHash')),
    // The connector 0.11.4 reads near-api-js's own form of this as one by its hash.
    globalByAccount: onItself({
      type: 'DeployGlobalContract',
      params: { code: wasm, deployMode: 'AccountId' },
    }),
    useByHash: onItself(actions.useGlobalContract({ codeHash: hash })),
    useByAccount: onItself(actions.useGlobalContract({ accountId: account })),
  };
}
