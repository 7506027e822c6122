import { readFile } from 'node:fs/promises';
import { Account, actions, JsonRpcProvider, KeyPair, KeyPairSigner, PublicKey } from 'near-api-js';
import { verifyMessage } from 'near-api-js/nep413';
import { AccountDoesNotExistError } from 'near-api-js/rpc-errors';
import { developmentKey } from '../../dev/services/keys.js';
import { administerRegistry, steadyNode } from '../../dev/services/registry.js';
import { REGISTRY } from '../../dev/services/services.js';
import { builtContract } from './contracts.js';

/** A NEP-413 message with the signature that a wallet gave. */
export interface SignedMessage {
  accountId: string;
  publicKey: string;
  /** Standard base64. */
  signature: string;
  message: string;
  recipient: string;
  /** 32 bytes, standard base64. */
  nonce: string;
}

/** The contract that {@link Oracle.deployApp} deploys. */
export const APP = 'app.testnet';

/**
 * Maximum challenge age in blocks for tests that exceed it. At a block each 100 ms it leaves 15 seconds for steps that must be in
 * time.
 */
export const SHORT_BLOCK_AGE = 150;

/** An authenticator record of the registry. */
export interface StoredAuthenticator {
  device_number: number;
  near_public_key: string;
  expected_rp_id: string;
  vrf_public_keys: unknown[];
}

/** The chain as near-api-js sees it, without any code of the wallet. */
export interface Oracle {
  /** near-api-js's own client of the node, for further questions. */
  readonly provider: JsonRpcProvider;
  /** The greeting of the registry, or of another contract. */
  greeting(contractId?: string): Promise<string>;
  /** Deploys the registry's code once more, as a contract of which only the greeting counts: {@link APP}. Once for all calls. */
  deployApp(): Promise<void>;
  accountExists(accountId: string): Promise<boolean>;
  /** In yoctoNEAR; 0 if there is no such account. */
  balance(accountId: string): Promise<bigint>;
  /** The account's full-access keys, `ed25519:…`. */
  fullAccessKeys(accountId: string): Promise<string[]>;
  authenticators(accountId: string): Promise<[credentialId: string, StoredAuthenticator][]>;
  /** The signer, receiver and success of a final transaction. */
  transaction(hash: string, signerId: string): Promise<{ receiverId: string; succeeded: boolean }>;
  height(): Promise<number>;
  /** Makes this many blocks now. */
  fastForward(blocks: number): Promise<void>;
  /** Throws unless the signature is the account's own over exactly this message. */
  verifyMessage(signed: SignedMessage): Promise<void>;
  /** Calls the registry, signed with this key (a genesis account's development key); returns when final. */
  callAs(accountId: string, methodName: string, args: object, key?: `ed25519:${string}`): Promise<void>;
  /** The account as another wallet has it, with this key (a genesis account's development key). */
  accountAs(accountId: string, key?: `ed25519:${string}`): Account;
  /**
   * Creates `<prefix>.testnet` with 1 NEAR, as another wallet does, and returns the account as that wallet has it.
   * `payer`: a handle of `testnet`, by default that with its first key. `more`: further keys with full access.
   */
  makeAccountElsewhere(prefix: string, payer?: Account, more?: readonly string[]): Promise<AccountElsewhere>;
  /** As the registry's owner, lets an origin's pages embed the wallet: the registry checks the page of each ceremony. */
  allowHost(origin: string): Promise<void>;
  /** Sets how many blocks old a challenge may be, as the registry's owner. */
  setMaxBlockAge(blocks: number): Promise<void>;
}

/** An account that another wallet made. */
export interface AccountElsewhere {
  readonly accountId: string;
  /** That wallet's handle of the account. */
  readonly account: Account;
}

/** Reads the local chain at this address as a node of it does that does not lag and has no faults. */
export const localOracle = (chainUrl: string): Oracle => oracle(steadyNode(chainUrl));

/** Reads the chain at this address, and the registry on it, with near-api-js. */
export function oracle(chainUrl: string, registry = REGISTRY): Oracle {
  const provider = new JsonRpcProvider({ url: chainUrl });
  const view = async <T>(method: string, args: object, contractId = registry): Promise<T> =>
    (await provider.callFunction({ contractId, method, args: args as never })) as T;

  const accountAs: Oracle['accountAs'] = (accountId, key = developmentKey(accountId)) =>
    new Account(accountId, provider, KeyPairSigner.fromSecretKey(key));
  const callAs: Oracle['callAs'] = async (accountId, methodName, args, key) => {
    await accountAs(accountId, key).callFunction({
      contractId: registry,
      methodName,
      args,
      waitUntil: 'FINAL',
    });
  };

  const administer = (methodName: string, args: object) =>
    administerRegistry(chainUrl, methodName, args, registry);

  let deploying: Promise<void> | undefined;
  const deployApp = async () => {
    const key = KeyPair.fromString(developmentKey(APP));
    await accountAs('testnet').signAndSendTransaction({
      receiverId: APP,
      actions: [
        actions.createAccount(),
        actions.transfer(10n * 10n ** 24n),
        actions.addFullAccessKey(key.getPublicKey()),
        actions.deployContract(await readFile(builtContract('registry.wasm'))),
      ],
      waitUntil: 'FINAL',
    });
    await accountAs(APP).callFunction({ contractId: APP, methodName: 'init', args: {}, waitUntil: 'FINAL' });
  };

  const account = async (accountId: string) => {
    try {
      return await provider.viewAccount({ accountId });
    } catch (error) {
      if (error instanceof AccountDoesNotExistError) return undefined;
      throw error;
    }
  };

  return {
    provider,
    greeting: (contractId) => view('get_greeting', {}, contractId),
    deployApp: async () => {
      // A chain that was reset has lost it.
      const isThere = await view('get_greeting', {}, APP).then(
        () => true,
        () => false,
      );
      if (isThere) return;
      deploying ??= deployApp().finally(() => {
        deploying = undefined;
      });
      await deploying;
    },
    accountExists: async (accountId) => (await account(accountId)) !== undefined,
    balance: async (accountId) => BigInt((await account(accountId))?.amount ?? 0),
    fullAccessKeys: async (accountId) => {
      const { keys } = await provider.viewAccessKeyList({ accountId });
      return keys
        .filter((key) => key.access_key.permission === 'FullAccess')
        .map((key) => String(key.public_key));
    },
    authenticators: (accountId) => view('get_authenticators_by_user', { user_id: accountId }),
    transaction: async (txHash, accountId) => {
      const outcome = (await provider.viewTransactionStatus({ txHash, accountId, waitUntil: 'FINAL' })) as {
        status?: object;
        transaction?: { receiver_id: string };
      };
      return {
        receiverId: outcome.transaction?.receiver_id ?? '',
        succeeded: outcome.status !== undefined && 'SuccessValue' in outcome.status,
      };
    },
    height: async () => (await provider.viewBlock({ finality: 'final' })).header.height,
    fastForward: async (blocks) => {
      // near-api-js knows the methods of a node, and this one is the local chain's.
      await provider.sendJsonRpc('sandbox_fast_forward' as 'block', { delta_height: blocks } as never);
    },
    verifyMessage: ({ accountId, publicKey, signature, message, recipient, nonce }) =>
      verifyMessage({
        signerAccountId: accountId,
        signerPublicKey: publicKey,
        signature: Buffer.from(signature, 'base64'),
        payload: { message, recipient, nonce: Buffer.from(nonce, 'base64') },
        provider,
      }),
    accountAs,
    callAs,
    makeAccountElsewhere: async (prefix, payer = accountAs('testnet'), more = []) => {
      const key = KeyPair.fromRandom('ed25519');
      const accountId = `${prefix}.testnet`;
      await payer.signAndSendTransaction({
        receiverId: accountId,
        actions: [
          actions.createAccount(),
          actions.transfer(10n ** 24n),
          ...[key.getPublicKey(), ...more.map((text) => PublicKey.fromString(text))].map((each) =>
            actions.addFullAccessKey(each),
          ),
        ],
        // The wallet's look-ups read final blocks.
        waitUntil: 'FINAL',
      });
      return { accountId, account: accountAs(accountId, key.toString() as `ed25519:${string}`) };
    },
    allowHost: (origin) => administer('add_allowed_host', { origin }),
    setMaxBlockAge: async (blocks) => {
      const settings = await view<object>('get_vrf_settings', {});
      await administer('set_vrf_settings', { settings: { ...settings, max_block_age: blocks } });
    },
  };
}
