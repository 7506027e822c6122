/** The built signer WASM, with what an approval gives it. */
import { readFileSync } from 'node:fs';
import { base58, base64urlnopad, hex } from '@scure/base';
import { expect } from 'vitest';
import * as signer from '../../../wasm/signer/signer.js';
import type { Action, TransactionRequest } from '../../types.js';

export const vector = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../../tests/vectors/${name}`, import.meta.url), 'utf8'));

export const ACCOUNT = 'alice.testnet';
export const RP_ID = 'wallet.example';
export const BLOCK_HASH = base58.encode(new Uint8Array(32).fill(3));
export const prfFirst = () => Uint8Array.from({ length: 32 }, (_, index) => index);
export const prfSecond = () => Uint8Array.from({ length: 32 }, (_, index) => index + 32);
export const otherPrf = () => new Uint8Array(32).fill(9);

export function loadSigner(): void {
  signer.initSync({ module: readFileSync(new URL('../../../wasm/signer/signer_bg.wasm', import.meta.url)) });
}

export interface TransactionCase {
  name: string;
  transaction: {
    signerId: string;
    receiverId: string;
    nonce: string;
    blockHash: string;
    actions: (Action & { code?: number[] })[];
  };
  borsh: string;
  hash: string;
  signature: string;
}

export const bytes = (value: string) => new TextEncoder().encode(value);
export const utf8 = (value: Uint8Array) => new TextDecoder().decode(value);
export const hexOf = (publicKey: string) => hex.encode(base58.decode(publicKey.slice('ed25519:'.length)));
export const derived = () => signer.deriveAndEncrypt(ACCOUNT, prfFirst(), prfSecond());

export function prepare(
  transactions: readonly TransactionRequest[],
  more: { delegateForBlocks?: string; delegateMaxHeights?: string[] } = {},
) {
  return signer.prepareTransactions({
    signerAccountId: ACCOUNT,
    publicKey: derived().publicKey,
    rpId: RP_ID,
    transactions: transactions as signer.TransactionRequest[],
    ...more,
  });
}

/** `end`: a number of blocks, or the height of the last block as text. */
export function prepareDelegate(transactions: readonly TransactionRequest[], end: number | string = 600) {
  const delegateMaxHeights = transactions.map(() => String(end));
  return prepare(
    transactions,
    typeof end === 'number' ? { delegateForBlocks: String(end) } : { delegateMaxHeights },
  );
}

const output = new Uint8Array(64).fill(9);
export const outputHalf = output.subarray(0, 32);
/** A challenge with consistent fields and no valid proof, which only the registry checks. */
export async function challengeFor(intentDigest: string, userId = ACCOUNT) {
  const blockHash = new Uint8Array(32).fill(3);
  const height = new Uint8Array(8);
  new DataView(height.buffer).setBigUint64(0, 12345n, true);
  const input = concat(
    bytes('web3_authn_challenge_v4'),
    bytes(userId),
    bytes(RP_ID),
    height,
    blockHash,
    base64urlnopad.decode(intentDigest),
  );
  return {
    vrfInput: base64urlnopad.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', input))),
    vrfOutput: base64urlnopad.encode(output),
    vrfProof: base64urlnopad.encode(new Uint8Array(80)),
    vrfPublicKey: base64urlnopad.encode(new Uint8Array(32)),
    userId,
    rpId: RP_ID,
    blockHeight: '12345',
    blockHash: base64urlnopad.encode(blockHash),
    intentDigest,
  };
}

export async function approvalOf(digest: string) {
  return {
    encryptedPrivateKey: derived().encryptedPrivateKey,
    challenge: await challengeFor(digest),
    clientDataJson: clientData(outputHalf),
  };
}

export function approve(
  handle: number,
  { challenge, clientDataJson, encryptedPrivateKey }: Awaited<ReturnType<typeof approvalOf>>,
  prf = prfFirst(),
) {
  signer.approve(handle, prf, challenge, clientDataJson, encryptedPrivateKey);
}

export function clientData(challenge: Uint8Array, type = 'webauthn.get', origin = `https://${RP_ID}`) {
  return bytes(
    JSON.stringify({ type, challenge: base64urlnopad.encode(challenge), origin, crossOrigin: false }),
  );
}

/** NEP-413: the tag, then borsh of message, nonce, recipient and the optional callback URL. */
export function nep413Payload(fields: {
  message: string;
  nonce: Uint8Array;
  recipient: string;
  callbackUrl: string;
}) {
  const u32 = (value: number) => new Uint8Array(new Uint32Array([value]).buffer);
  const borshText = (value: string) => concat(u32(bytes(value).length), bytes(value));
  return concat(
    u32(2 ** 31 + 413),
    borshText(fields.message),
    fields.nonce,
    borshText(fields.recipient),
    Uint8Array.of(1),
    borshText(fields.callbackUrl),
  );
}

function concat(...parts: Uint8Array[]) {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

export function thrownBy(run: () => unknown): Error & { code?: string } {
  try {
    run();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('nothing was thrown');
}

export function expectCode(run: () => unknown, code: string) {
  expect(thrownBy(run).code).toBe(code);
}
