/**
 * The shapes of @hot-labs/near-connect that this adapter takes and gives, written down from its 0.11 declarations (`resolveAuth`
 * from the newer ones of its repository), so that no user of the kit has to install it. tests/e2e/near-connect.spec.ts drives the package itself.
 */

import type { AccessKeyPermission, Action } from '../types.js';

export type Network = 'mainnet' | 'testnet';

/** Bytes, or a text of their standard base64. */
type Bytes = Uint8Array | string;

/** An action as a connector passes it on. */
export type ConnectorAction =
  | { readonly type: 'CreateAccount' }
  | { readonly type: 'DeployContract'; readonly params: { readonly code: Bytes } }
  | {
      readonly type: 'FunctionCall';
      readonly params: {
        readonly methodName: string;
        readonly args: object;
        readonly gas: string;
        readonly deposit: string;
      };
    }
  | { readonly type: 'Transfer'; readonly params: { readonly deposit: string } }
  | { readonly type: 'Stake'; readonly params: { readonly stake: string; readonly publicKey: string } }
  | {
      readonly type: 'AddKey';
      readonly params: {
        readonly publicKey: string;
        readonly accessKey: {
          readonly nonce?: number | bigint | string | null | undefined;
          readonly permission:
            | 'FullAccess'
            | {
                readonly receiverId: string;
                readonly allowance?: string | null | undefined;
                readonly methodNames?: readonly string[] | null | undefined;
              }
            | GasKeyPermissions;
        };
      };
    }
  | { readonly type: 'DeleteKey'; readonly params: { readonly publicKey: string } }
  | { readonly type: 'DeleteAccount'; readonly params: { readonly beneficiaryId: string } }
  | {
      readonly type: 'UseGlobalContract';
      readonly params: {
        /** The hash in base58. */
        readonly contractIdentifier: { readonly accountId: string } | { readonly codeHash: string };
      };
    }
  | {
      readonly type: 'DeployGlobalContract';
      readonly params: { readonly code: Bytes; readonly deployMode: 'CodeHash' | 'AccountId' };
    }
  | NewerAction<'DeterministicStateInit'>
  | NewerAction<'TransferToGasKey'>
  | NewerAction<'WithdrawFromGasKey'>
  | NewerAction<'UniversalStateInit'>;

/** An action that the connector has no words for yet, and passes on: its parameters are the wallet's own fields. */
interface NewerAction<T extends Action['type']> {
  readonly type: T;
  readonly params: Omit<Extract<Action, { readonly type: T }>, 'type'>;
}

/** Gas keys in the wallet's own words, since the connector has none. */
export type GasKeyPermissions = Extract<
  AccessKeyPermission,
  { readonly GasKeyFullAccess: unknown } | { readonly GasKeyFunctionCall: unknown }
>;

/** The connector types actions of near-api-js too, and turns them into {@link ConnectorAction} itself. */
export type AnyAction = ConnectorAction | { readonly type?: undefined };

export interface ConnectedAccount {
  readonly accountId: string;
  readonly publicKey?: string;
}

export interface ConnectorSignedMessage {
  readonly accountId: string;
  readonly publicKey: string;
  /** Standard base64. */
  readonly signature: string;
}

export interface FunctionCallKey {
  readonly contractId: string;
  readonly publicKey: string;
  readonly allowMethods:
    | { readonly anyMethod: true }
    | { readonly anyMethod: false; readonly methodNames: readonly string[] };
  readonly gasAllowance?:
    | { readonly kind: 'unlimited' }
    | { readonly kind: 'limited'; readonly amount: string }
    | undefined;
}

export interface MessageParams {
  readonly message: string;
  readonly recipient: string;
  readonly nonce: Uint8Array;
}

interface OnNetwork {
  readonly network?: Network | undefined;
}

interface Signing extends OnNetwork {
  readonly signerId?: string | undefined;
}

export interface SignInParams extends OnNetwork {
  readonly addFunctionCallKey?: FunctionCallKey | undefined;
}

export interface ConnectorTransaction {
  readonly receiverId: string;
  readonly actions: readonly AnyAction[];
}

/** What a page asks the account to authorize (NEP-641). */
export interface ResolveAuthParams extends OnNetwork {
  /** Default the wallet's own. */
  readonly chainId?: string | undefined;
  readonly payload: string;
}

/** The calls that a connector makes. */
export interface ConnectorCalls {
  signIn(params?: SignInParams): Promise<ConnectedAccount[]>;
  signInAndSignMessage(
    params: SignInParams & { readonly messageParams: MessageParams },
  ): Promise<(ConnectedAccount & { readonly signedMessage: ConnectorSignedMessage })[]>;
  signOut(params?: OnNetwork): Promise<void>;
  getAccounts(params?: OnNetwork): Promise<ConnectedAccount[]>;
  /** Resolves with the chain's outcome, in its own field names. */
  signAndSendTransaction(params: Signing & ConnectorTransaction): Promise<never>;
  signAndSendTransactions(
    params: Signing & { readonly transactions: readonly ConnectorTransaction[] },
  ): Promise<never[]>;
  signMessage(params: Signing & MessageParams): Promise<ConnectorSignedMessage>;
  signDelegateActions(
    params: Signing & { readonly delegateActions: readonly ConnectorTransaction[] },
  ): Promise<{ readonly signedDelegateActions: string[] }>;
  /** For connectors after 0.11.4. `authorization` is JSON, which `latchkey/verify` resolves. */
  resolveAuth(
    params: ResolveAuthParams,
  ): Promise<{ readonly accountId: string; readonly authorization: string }>;
}

/** The entry of a wallet in a connector's manifest. */
export interface WalletManifest {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly icon: string;
  readonly website: string;
  readonly version: string;
  readonly executor: string;
  readonly type: 'sandbox' | 'injected';
  readonly platform: string[];
  readonly permissions: { readonly storage?: boolean; readonly allowsOpen?: string[] };
  readonly features: {
    readonly signMessage: boolean;
    readonly signTransaction: boolean;
    readonly signAndSendTransaction: boolean;
    readonly signAndSendTransactions: boolean;
    readonly signInWithoutAddKey: boolean;
    readonly signInAndSignMessage: boolean;
    readonly signInWithFunctionCallKey: boolean;
    readonly signDelegateActions: boolean;
    readonly resolveAuth: boolean;
    readonly mainnet: boolean;
    readonly testnet: boolean;
  };
}

/** A wallet as a connector takes it from a page. */
export interface NearConnectWallet extends ConnectorCalls {
  readonly manifest: WalletManifest;
}
