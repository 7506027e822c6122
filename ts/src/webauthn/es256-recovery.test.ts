import { base64urlnopad } from '@scure/base';
import { describe, expect, it } from 'vitest';
import { getAssertion, makePasskey } from '../../../dev/authenticators/passkey.js';
import { es256KeyOf, es256KeysOf } from './es256-recovery.js';

const RP = { rpId: 'wallet.example', origin: 'https://wallet.example' };
let count = 0;
const answerOf = (passkey: ReturnType<typeof makePasskey>) => {
  count += 1;
  return getAssertion({ ...RP, challenge: base64urlnopad.encode(new Uint8Array(32).fill(count)) }, passkey);
};

describe('the public key of a passkey, from its answers', () => {
  it('is told by two of them, whoever the passkey is', async () => {
    for (let round = 0; round < 20; round += 1) {
      const passkey = makePasskey();
      const key = await es256KeyOf(answerOf(passkey), answerOf(passkey));
      expect(key).toEqual(Uint8Array.from(passkey.publicKey));
    }
  });

  it('is one of two that fit a single answer', async () => {
    const passkey = makePasskey();
    const keys = await es256KeysOf(answerOf(passkey));
    expect(keys).toHaveLength(2);
    expect(keys).toContainEqual(Uint8Array.from(passkey.publicKey));
  });

  it('is not told by the answers of two passkeys, nor by a changed one', async () => {
    const [one, other] = [makePasskey(), makePasskey()];
    expect(await es256KeyOf(answerOf(one), answerOf(other))).toBeUndefined();
    const answer = answerOf(one);
    const changed = { ...answer.response, clientDataJSON: answerOf(one).response.clientDataJSON };
    expect(await es256KeyOf(answerOf(one), { ...answer, response: changed })).toBeUndefined();
  });

  it.each([
    ['EdDSA', new Uint8Array(64).fill(7)],
    ['RSA', new Uint8Array(256).fill(7)],
    ['nothing', new Uint8Array()],
  ])('is not told by a signature of %s', async (_, bytes) => {
    const answer = answerOf(makePasskey());
    const response = { ...answer.response, signature: base64urlnopad.encode(bytes) };
    expect(await es256KeysOf({ ...answer, response })).toEqual([]);
  });

  it('is not told by numbers that are no signature', async () => {
    const answer = answerOf(makePasskey());
    const large = [0x02, 33, 0, ...new Uint8Array(32).fill(0xff)];
    const signature = base64urlnopad.encode(Uint8Array.of(0x30, 70, ...large, ...large));
    expect(await es256KeysOf({ ...answer, response: { ...answer.response, signature } })).toEqual([]);
  });
});
