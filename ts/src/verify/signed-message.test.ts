/** Signed messages: the published vectors, near-api-js on both sides, and everything that must be refused. */
import { readFileSync } from 'node:fs';
import { base58, base64 } from '@scure/base';
import fc from 'fast-check';
import { Account, JsonRpcProvider, KeyPair, KeyPairSigner } from 'near-api-js';
import { signMessage, verifyMessage } from 'near-api-js/nep413';
import { describe, expect, it } from 'vitest';
import { type AccessKeyView, type AccountView, createRpcClient } from '../near/index.js';
import { type Nep413Payload, nep413Hash } from './nep413.js';
import { type SignedMessageExpectation, verifySignedMessage } from './signed-message.js';

const { publicKey, cases, hash } = JSON.parse(
  readFileSync(new URL('../../../tests/vectors/nep413.json', import.meta.url), 'utf8'),
);
const ACCOUNT = 'alice.testnet';
const BLOCK = { block_height: 7, block_hash: '11111111111111111111111111111111' };

/** A chain with one answer to every question; `asked` lists the questions. */
function chain(
  permission: AccessKeyView['permission'] | null = 'FullAccess',
  account: AccountView | null = null,
) {
  const asked: unknown[] = [];
  const viewAccessKey: SignedMessageExpectation['rpc']['viewAccessKey'] = async (...question) => {
    asked.push(question);
    return permission && { nonce: 1, permission, ...BLOCK };
  };
  // Asked for an implicit account whose key is not there alone.
  const viewAccount: SignedMessageExpectation['rpc']['viewAccount'] = async () => account;
  return { viewAccessKey, viewAccount, asked };
}

type Case = { message: string; nonce: string; recipient: string; callbackUrl: string | null };

const payloadOf = ({ message, nonce, recipient, callbackUrl }: Case): Nep413Payload => ({
  message,
  nonce: base64.decode(nonce),
  recipient,
  ...(callbackUrl !== null && { callbackUrl }),
});

const [withUrl, withoutUrl] = cases;
const SIGNED = { accountId: ACCOUNT, publicKey, signature: withoutUrl.signature };

/** The verdict on the published signature without a callback URL, with changes. */
async function verdictOn(signed: unknown, expected: Partial<SignedMessageExpectation> = {}) {
  const rpc = chain();
  const verdict = await verifySignedMessage(signed, { rpc, ...payloadOf(withoutUrl), ...expected });
  return { ...verdict, asked: rpc.asked.length };
}

describe('the published vectors', () => {
  it('have the hash that we compute', async () => {
    const computed = await nep413Hash(payloadOf(hash));
    expect(Buffer.from(computed).toString('hex')).toBe(hash.sha256);
  });

  it.each(cases as (Case & { name: string; signature: string })[])('are verified: $name', async (vector) => {
    const rpc = chain();
    const signed = { accountId: ACCOUNT, publicKey, signature: vector.signature, state: 's' };
    expect(await verifySignedMessage(signed, { rpc, ...payloadOf(vector) })).toEqual({
      verified: true,
      accountId: ACCOUNT,
      publicKey,
    });
    expect(rpc.asked).toEqual([[ACCOUNT, publicKey, { finality: 'final', agreed: true, signal: undefined }]]);
  });

  it('do not verify one another', async () => {
    expect(await verdictOn({ ...SIGNED, signature: withUrl.signature })).toMatchObject({
      verified: false,
      reason: 'SIGNATURE_INVALID',
      asked: 0,
    });
    expect(await verdictOn(SIGNED, { callbackUrl: '' })).toMatchObject({ reason: 'SIGNATURE_INVALID' });
  });
});

describe('near-api-js', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 });
  const payload = fc.record(
    {
      message: text,
      nonce: fc.uint8Array({ minLength: 32, maxLength: 32 }),
      recipient: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
      callbackUrl: text,
    },
    { requiredKeys: ['message', 'nonce', 'recipient'] },
  );
  const change = fc.oneof(
    fc.record({ message: text }),
    fc.record({ recipient: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }) }),
    fc.record({ nonce: fc.uint8Array({ minLength: 32, maxLength: 32 }) }),
    fc.record({ callbackUrl: fc.option(text, { nil: undefined }) }),
    fc.constant({}),
  );
  const provider = new JsonRpcProvider({ url: 'http://127.0.0.1:9' });
  provider.viewAccessKey = (async () => ({ nonce: 1n, permission: 'FullAccess', ...BLOCK })) as never;

  it('signs messages that we verify, and verifies the same ones', async () => {
    const seen = { same: 0, other: 0 };
    await fc.assert(
      fc.asyncProperty(payload, change, async (made, changed) => {
        const key = KeyPair.fromRandom('ed25519');
        const signerAccount = new Account(ACCOUNT, provider, new KeyPairSigner(key));
        const signed = await signMessage({ signerAccount, payload: made });
        const expected = { ...made, ...changed };
        const [theirs, ours] = await Promise.all([
          verifyMessage({
            signerAccountId: ACCOUNT,
            signerPublicKey: signed.publicKey,
            payload: expected as typeof made,
            signature: signed.signature,
            provider,
          }).then(
            () => true,
            () => false,
          ),
          verifySignedMessage(
            {
              accountId: ACCOUNT,
              publicKey: signed.publicKey.toString(),
              signature: base64.encode(Uint8Array.from(signed.signature)),
            },
            { rpc: chain(), ...expected },
          ),
        ]);
        expect(ours.verified).toBe(theirs);
        seen[theirs ? 'same' : 'other'] += 1;
      }),
      { numRuns: 200 },
    );
    expect(seen.same).toBeGreaterThan(10);
    expect(seen.other).toBeGreaterThan(10);
  });

  it('also signs bare text, which is not a signature of the message', async () => {
    const key = KeyPair.fromRandom('ed25519');
    const { signature } = key.sign(new TextEncoder().encode('any other bytes'));
    const signed = {
      accountId: ACCOUNT,
      publicKey: key.getPublicKey().toString(),
      signature: base64.encode(Uint8Array.from(signature)),
    };
    expect(await verdictOn(signed, { message: 'any other bytes' })).toMatchObject({
      reason: 'SIGNATURE_INVALID',
    });
  });
});

describe("a wallet's answer", () => {
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'signed'],
    ['an array', []],
    ['no account', { publicKey, signature: SIGNED.signature }],
    ['a null signature, as a refused request has', { ...SIGNED, signature: null }],
    ['a signature as numbers', { ...SIGNED, signature: [1, 2] }],
  ])('is malformed: %s', async (_, signed) => {
    expect(await verdictOn(signed)).toMatchObject({ verified: false, reason: 'MALFORMED', asked: 0 });
  });

  it('always gets a verdict instead of an error', async () => {
    const any = fc.jsonValue();
    const sent = fc.oneof(
      any,
      fc.record({ accountId: any, publicKey: any, signature: any }),
      fc.record({
        accountId: fc.constant(ACCOUNT),
        publicKey: fc.oneof(fc.constant(publicKey), fc.string()),
        signature: fc.oneof(fc.base64String({ minLength: 88, maxLength: 88 }), fc.string()),
      }),
    );
    await fc.assert(
      fc.asyncProperty(sent, async (signed) => {
        expect(await verdictOn(signed)).toMatchObject({ verified: false, asked: 0 });
      }),
      { numRuns: 500 },
    );
  });

  it.each(['', 'a', 'Alice.testnet', 'alice..testnet', 'alice.testnet ', 'аlice.testnet', 'a'.repeat(65)])(
    'has no account id: %j',
    async (accountId) => {
      expect(await verdictOn({ ...SIGNED, accountId })).toMatchObject({
        reason: 'ACCOUNT_ID_INVALID',
        asked: 0,
      });
    },
  );

  it('must be of the expected account, if there is one', async () => {
    expect(await verdictOn(SIGNED, { accountId: ACCOUNT })).toMatchObject({ verified: true });
    expect(await verdictOn(SIGNED, { accountId: 'bob.testnet' })).toMatchObject({
      reason: 'ACCOUNT_MISMATCH',
      message: 'The message is signed for alice.testnet, expected was bob.testnet.',
      asked: 0,
    });
  });

  const raw = base58.decode(publicKey.slice('ed25519:'.length));
  it.each([
    ['without its prefix', publicKey.slice('ed25519:'.length)],
    ['of another curve', `secp256k1:${base58.encode(new Uint8Array(64).fill(3))}`],
    ['with an upper-case prefix', publicKey.replace('ed25519', 'ED25519')],
    ['with a space', `${publicKey} `],
    ['not in base58', publicKey.replace(/.$/, '0')],
    ['too short', `ed25519:${base58.encode(raw.slice(1))}`],
    ['too long', `ed25519:${base58.encode(Uint8Array.of(...raw, 1))}`],
    // Decoding takes quadratic time: the decoder must reject this text before it starts, or the test times out.
    ['far too long', `ed25519:${'z'.repeat(200_000)}`],
    ['zero, of order 4', `ed25519:${base58.encode(new Uint8Array(32))}`],
    ['the identity', `ed25519:${base58.encode(Uint8Array.of(1, ...new Uint8Array(31)))}`],
    ['not canonical', `ed25519:${base58.encode(new Uint8Array(32).fill(255))}`],
  ])('has no sound key: one %s', async (_, other) => {
    expect(await verdictOn({ ...SIGNED, publicKey: other })).toMatchObject({
      reason: 'PUBLIC_KEY_INVALID',
      asked: 0,
    });
  });

  const signature: string = SIGNED.signature;
  const bytes = base64.decode(signature);
  it.each([
    ['empty', ''],
    ['without padding', signature.replaceAll('=', '')],
    ['in base64url', signature.replaceAll('/', '_').replaceAll('+', '-')],
    ['in base58', base58.encode(bytes)],
    ['with a line break', `${signature.slice(0, 40)}\n${signature.slice(41)}`],
    // 64 bytes leave four bits of the last character unused, which must be zero.
    ['with bits past its end', signature.replace(/w==$/, 'x==')],
    ['of 63 bytes', base64.encode(bytes.slice(1))],
    ['of 65 bytes', base64.encode(Uint8Array.of(...bytes, 0))],
    ['with a scalar that is not reduced', base64.encode(bytes.map((byte, at) => (at === 63 ? 255 : byte)))],
    ['with an R of low order', base64.encode(Uint8Array.of(...new Uint8Array(32), ...bytes.slice(32)))],
  ])('has no sound signature: one %s', async (_, other) => {
    expect(other).not.toBe(signature);
    expect(await verdictOn({ ...SIGNED, signature: other })).toMatchObject({
      reason: 'SIGNATURE_MALFORMED',
      asked: 0,
    });
  });
});

describe('the expectation', () => {
  const half = '\ud800';
  it.each<[string, object]>([
    ['a nonce that is too short', { nonce: new Uint8Array(31) }],
    ['a nonce that is too long', { nonce: new Uint8Array(33) }],
    ['a nonce in base64', { nonce: withoutUrl.nonce }],
    ['a nonce as a list', { nonce: [...base64.decode(withoutUrl.nonce)] }],
    ['no nonce', { nonce: undefined }],
    ['no message', { message: undefined }],
    ['no recipient', { recipient: undefined }],
    ['an empty recipient', { recipient: '' }],
    ['half a character in the message', { message: half }],
    ['half a character in the recipient', { recipient: `x${half}` }],
    ['half a character in the callback URL', { callbackUrl: half }],
    ['an account of another form', { accountId: 'Alice' }],
  ])('must be signable: %s', async (_, changes) => {
    const verdict = await verdictOn(SIGNED, changes as Partial<SignedMessageExpectation>);
    expect(verdict).toMatchObject({ verified: false, reason: 'EXPECTATION_INVALID', asked: 0 });
    expect((verdict as { message: string }).message).toMatch(
      /^Nothing was checked: the expected \w+ must be /,
    );
  });

  it.each<[string, object]>([
    ['no callback URL as null', { callbackUrl: null }],
    ['no account as null', { accountId: null }],
    ['the nonce as an ArrayBuffer', { nonce: Uint8Array.from(base64.decode(withoutUrl.nonce)).buffer }],
  ])('may give %s', async (_, changes) => {
    expect(await verdictOn(SIGNED, changes)).toMatchObject({ verified: true });
  });

  it('distinguishes two texts that an encoder would merge', async () => {
    const key = KeyPair.fromRandom('ed25519');
    const replaced = { ...payloadOf(withoutUrl), message: '\ufffd' };
    const signed = {
      accountId: ACCOUNT,
      publicKey: key.getPublicKey().toString(),
      signature: base64.encode(Uint8Array.from(key.sign(await nep413Hash(replaced)).signature)),
    };
    expect(await verdictOn(signed, { message: '\ufffd' })).toMatchObject({ verified: true });
    expect(await verdictOn(signed, { message: half })).toMatchObject({ verified: false });
  });
});

describe('the key', () => {
  it.each<[string, AccessKeyView['permission'] | null, string]>([
    ['does not exist', null, 'KEY_NOT_FOUND'],
    [
      'may only call functions',
      { FunctionCall: { allowance: null, receiver_id: ACCOUNT, method_names: [] } },
      'KEY_NOT_FULL_ACCESS',
    ],
    ['has a permission newer than this client', { GasKeyFullAccess: {} }, 'KEY_NOT_FULL_ACCESS'],
  ])('does not speak for the account when it %s', async (_, permission, reason) => {
    expect(await verdictOn(SIGNED, { rpc: chain(permission) })).toMatchObject({ verified: false, reason });
  });

  it('proves the implicit account of its own, as long as nobody has made that account', async () => {
    const key = KeyPair.fromRandom('ed25519');
    const accountId = Buffer.from(key.getPublicKey().data).toString('hex');
    const signerAccount = new Account(
      accountId,
      new JsonRpcProvider({ url: 'http://127.0.0.1:9' }),
      new KeyPairSigner(key),
    );
    const payload = payloadOf(withoutUrl);
    const { callbackUrl: _, ...asked } = payload;
    const { signature } = await signMessage({ signerAccount, payload: asked });
    const signed = {
      accountId,
      publicKey: key.getPublicKey().toString(),
      signature: base64.encode(Uint8Array.from(signature)),
    };
    const verdict = (rpc: ReturnType<typeof chain>, more = {}) =>
      verifySignedMessage({ ...signed, ...more }, { rpc, ...payload });
    expect(await verdict(chain(null))).toMatchObject({ verified: true, accountId });
    // An account that is there may have removed its first key.
    const account = { amount: '1', locked: '0', code_hash: BLOCK.block_hash, storage_usage: 1, ...BLOCK };
    const missing = { verified: false, reason: 'KEY_NOT_FOUND' };
    expect(await verdict(chain(null, account))).toMatchObject(missing);
    expect(await verdict(chain(null), { accountId: 'e1'.repeat(32) })).toMatchObject(missing);
    expect(await verdict(chain(null), { accountId: ACCOUNT })).toMatchObject(missing);
  });

  it('is not found if the node does not know the account, however it reports that', async () => {
    for (const name of ['UNKNOWN_ACCOUNT', 'UNKNOWN_ACCESS_KEY']) {
      const error = {
        name: 'HANDLER_ERROR',
        cause: { name, info: {} },
        code: -32000,
        message: 'Server error',
      };
      const fetch = async () => Response.json({ jsonrpc: '2.0', id: '1', error });
      const rpc = createRpcClient({ urls: 'https://rpc.example', fetch });
      expect(await verifySignedMessage(SIGNED, { rpc, ...payloadOf(withoutUrl) })).toMatchObject({
        verified: false,
        reason: 'KEY_NOT_FOUND',
      });
    }
  });
});
