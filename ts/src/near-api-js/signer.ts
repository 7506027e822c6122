/** A near-api-js Signer whose key is in a Latchkey wallet. */
import { base64 } from '@scure/base';
import {
  type Account,
  baseDecode,
  baseEncode,
  type DelegateAction,
  encodeSignedDelegate,
  KeyType,
  actions as near,
  type Provider,
  PublicKey,
  Signature,
  type SignedMessage,
  SignedTransaction,
  Signer,
  Transaction,
} from 'near-api-js';
import { carriedBytes } from '../client-errors.js';
import {
  BATCH_SIGNING_FAILED,
  BYTES_NOT_SIGNED,
  errorOf,
  LatchkeyError,
  NOT_LOGGED_IN,
  OTHER_ACCOUNT,
  OTHER_KEY,
  OTHER_NETWORK,
  OTHER_TRANSACTION,
  SIGNED_BEFORE,
} from '../errors/account.js';
import type { ActionInput, ActionResult, SignDelegateResult, WaitUntil } from '../types.js';
import type { Wallet } from '../wallet.js';
import { toActionInputs } from './actions.js';

/** The calls that signing needs. A PasskeyManager has them, with its wallet in the page or in a frame. */
export type SigningWallet = Pick<
  Wallet,
  | 'getLoginState'
  | 'signTransactionsWithActions'
  | 'signAndSendTransactions'
  | 'signNEP413Message'
  | 'signDelegateActions'
> & { readonly config: { readonly networkId: string } };

/** What a {@link LatchkeySigner} signs with. */
export interface LatchkeySignerArgs {
  readonly wallet: SigningWallet;
  /** The account that is logged in there. */
  readonly accountId: string;
  /** Tells its network, and whether it knows an earlier transaction. */
  readonly provider: Provider;
}

const SIGNATURE_BYTES = 64;

type TransactionToSign = Parameters<Account['signAndSendTransactions']>[0]['transactions'][number];
type SignTransactionReturn = Awaited<ReturnType<Signer['signTransaction']>>;
type SignDelegateActionReturn = Awaited<ReturnType<Signer['signDelegateAction']>>;

/**
 * Signs near-api-js's transactions and messages, each with one prompt. The wallet chooses nonce and block of a
 * transaction; everything else that it returns is compared with the request. Errors are LatchkeyErrors: CANCELLED
 * when the user declines.
 */
export class LatchkeySigner extends Signer {
  readonly accountId: string;
  readonly #wallet: SigningWallet;
  readonly #provider: Provider;
  /** The transaction that carried each list of actions. near-api-js passes the same list when it repeats a refused one. */
  readonly #signed = new WeakMap<object, string>();

  constructor({ wallet, accountId, provider }: LatchkeySignerArgs) {
    super();
    this.accountId = accountId;
    this.#wallet = wallet;
    this.#provider = provider;
  }

  /** The key of this device. Throws NOT_LOGGED_IN where the wallet has none. */
  override async getPublicKey(): Promise<PublicKey> {
    const { publicKey } = await this.#wallet.getLoginState(this.accountId);
    if (!publicKey) throw new LatchkeyError(NOT_LOGGED_IN);
    return PublicKey.from(publicKey);
  }

  /** Throws BYTES_NOT_SIGNED: the user cannot see what bytes mean. */
  protected override async signBytes(): Promise<Uint8Array> {
    throw new LatchkeyError(BYTES_NOT_SIGNED);
  }

  /**
   * Signs with one prompt, unsent. The transaction that it returns has a nonce and a block of the wallet's choice. Asked
   * again with the same list of actions while the chain does not know the first, it throws SIGNED_BEFORE without a prompt.
   */
  override async signTransaction(asked: Transaction): Promise<SignTransactionReturn> {
    const actions = toActionInputs(asked.actions);
    this.#assertOwn(asked.signerId);
    await this.#assertKey(asked.publicKey);
    await this.#assertNetwork(this.#provider);
    await this.#assertNotSigned(asked.actions);
    const [answer] = await this.#wallet.signTransactionsWithActions({
      nearAccountId: this.accountId,
      transactions: [{ receiverId: asked.receiverId, actions }],
    });
    if (!answer) throw new LatchkeyError(BATCH_SIGNING_FAILED);
    const { borshBytes, hash } = answer.signedTransaction;
    const signedTransaction = asAsked(asked, borshBytes);
    this.#signed.set(asked.actions, hash);
    return { txHash: baseDecode(hash), signedTransaction };
  }

  /**
   * Signs a delegate (NEP-366) with one prompt, with its own nonce and last block. Throws INVALID_ACTION where that nonce is
   * not above the key's by 1 to 1000, or that block is more than 86400 ahead.
   */
  override async signDelegateAction(asked: DelegateAction): Promise<SignDelegateActionReturn> {
    const [signed] = await this.signDelegateActions([asked]);
    if (!signed) throw new LatchkeyError(BATCH_SIGNING_FAILED);
    return signed;
  }

  /** Signs several delegates with one prompt: all of them, or none. Their nonces differ. */
  async signDelegateActions(asked: readonly DelegateAction[]): Promise<SignDelegateActionReturn[]> {
    const delegateActions = asked.map(({ receiverId, actions, nonce, maxBlockHeight }) => ({
      receiverId,
      actions: toActionInputs(actions),
      nonce: String(nonce),
      maxBlockHeight: String(maxBlockHeight),
    }));
    for (const { senderId, publicKey } of asked) {
      this.#assertOwn(senderId);
      await this.#assertKey(publicKey);
    }
    await this.#assertNetwork(this.#provider);
    const nearAccountId = this.accountId;
    const results = await this.#wallet.signDelegateActions({ nearAccountId, delegateActions });
    return asked.map((delegate, index) => delegateAsAsked(delegate, results[index]));
  }

  /** Signs a message (NEP-413) with one prompt. */
  override async signNep413Message(
    accountId: string,
    { message, recipient, nonce, callbackUrl }: Parameters<Signer['signNep413Message']>[1],
  ): Promise<SignedMessage> {
    this.#assertOwn(accountId);
    const signed = await this.#wallet.signNEP413Message({
      nearAccountId: accountId,
      params: {
        message,
        recipient,
        nonce: carriedBytes('nonce', nonce),
        ...(callbackUrl != null && { callbackUrl }),
      },
    });
    const { publicKey, signature } = signed;
    if (!signed.success || !publicKey || !signature) throw errorOf(signed);
    return { accountId, publicKey: PublicKey.from(publicKey), signature: base64.decode(signature) };
  }

  /**
   * Signs with one prompt and sends, in order. The wallet signs again inside the same approval when another tab or
   * device took a nonce. Returns one result for each; throws when nothing was signed.
   */
  async signAndSend(
    accountId: string,
    provider: Provider,
    transactions: readonly TransactionToSign[],
    waitUntil: WaitUntil | undefined,
  ): Promise<readonly ActionResult[]> {
    const inputs: { receiverId: string; actions: ActionInput[] }[] = transactions.map(
      ({ receiverId, actions }) => ({ receiverId, actions: toActionInputs(actions) }),
    );
    this.#assertOwn(accountId);
    await this.#assertNetwork(provider);
    return this.#wallet.signAndSendTransactions({
      nearAccountId: accountId,
      transactions: inputs,
      options: waitUntil === undefined ? {} : { waitUntil },
    });
  }

  #assertOwn(asked: string): void {
    const account = this.accountId;
    if (asked !== account) throw new LatchkeyError(OTHER_ACCOUNT, { values: { asked, account } });
  }

  async #assertKey(key: PublicKey): Promise<void> {
    const [asked, publicKey] = [key.toString(), (await this.getPublicKey()).toString()];
    if (asked !== publicKey) throw new LatchkeyError(OTHER_KEY, { values: { asked, publicKey } });
  }

  async #assertNetwork(provider: Provider): Promise<void> {
    const { networkId } = this.#wallet.config;
    const asked = await provider.getNetworkId();
    if (asked !== networkId) throw new LatchkeyError(OTHER_NETWORK, { values: { asked, networkId } });
  }

  /** An application that sends the same list a second time asks the user again, once the first has arrived. */
  async #assertNotSigned(actions: object): Promise<void> {
    const txHash = this.#signed.get(actions);
    if (txHash === undefined) return;
    const isKnown = await this.#provider
      .viewTransactionStatus({ txHash, accountId: this.accountId, waitUntil: 'NONE' })
      .then(
        ({ final_execution_status: reached }) => reached !== 'NONE',
        () => false,
      );
    if (!isKnown) throw new LatchkeyError(SIGNED_BEFORE, { values: { transactionId: txHash } });
  }
}

/** The requested transaction, as the wallet signed it. Throws OTHER_TRANSACTION if more than nonce and block differ, or the signature. */
function asAsked(asked: Transaction, borshBytes: Uint8Array): SignedTransaction {
  const { transaction, signature } = SignedTransaction.decode(Uint8Array.from(borshBytes));
  const { nonce, blockHash } = transaction;
  const data = signature.ed25519Signature?.data;
  if (!data) throw new LatchkeyError(OTHER_TRANSACTION);
  const ours = new Transaction({ ...asked, nonce, blockHash: Uint8Array.from(blockHash) });
  const signed = new SignedTransaction({
    transaction: ours,
    signature: new Signature({ keyType: KeyType.ED25519, data: Uint8Array.from(data) }),
  });
  if (baseEncode(signed.encode()) !== baseEncode(borshBytes)) throw new LatchkeyError(OTHER_TRANSACTION);
  return signed;
}

/** The requested delegate, as the wallet signed it. Throws OTHER_TRANSACTION if anything but the signature differs. */
function delegateAsAsked(
  asked: DelegateAction,
  result: SignDelegateResult | undefined,
): SignDelegateActionReturn {
  if (!result?.success || result.hash === null || result.signedDelegate === null) {
    throw errorOf(result);
  }
  const bytes = base64.decode(result.signedDelegate);
  const signature = new Signature({ keyType: KeyType.ED25519, data: bytes.slice(-SIGNATURE_BYTES) });
  const { signedDelegate } = near.signedDelegate({ delegateAction: asked, signature });
  if (!signedDelegate || baseEncode(encodeSignedDelegate(signedDelegate)) !== baseEncode(bytes)) {
    throw new LatchkeyError(OTHER_TRANSACTION);
  }
  return { delegateHash: baseDecode(result.hash), signedDelegate };
}
