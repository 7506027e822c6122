/** Real assertions against the COSE keys of their attestations, extracted by the built WASM. */
import { readFileSync } from 'node:fs';
import { base64urlnopad, hex } from '@scure/base';
import { beforeAll, describe, expect, it } from 'vitest';
import * as signer from '../../wasm/signer/signer.js';
import type { WebAuthnAuthentication } from '../workers/signer-api.js';
import { ecdsaSignature, isSameKey, isSignedBy } from './assertion-signature.js';

interface Case {
  readonly name: string;
  readonly coseKey: Uint8Array;
  readonly authentication: WebAuthnAuthentication;
}
let cases: Case[];

const parse = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../tests/vectors/${name}`, import.meta.url), 'utf8'));
const read = (name: string) => parse(name).vectors;
/** The registry reads the same vectors: crates/webauthn/src/tests/vectors.rs. */
const forms: {
  readonly authenticatorData: string;
  readonly clientDataJSON: string;
  readonly cases: readonly { name: string; verifies: boolean; coseKey: string; signature: string }[];
} = parse('assertion-signatures.json');
const fromHex = (text: string) => base64urlnopad.encode(hex.decode(text));

beforeAll(() => {
  signer.initSync({ module: readFileSync(new URL('../../wasm/signer/signer_bg.wasm', import.meta.url)) });
  const w3c: Case[] = read('webauthn-w3c.json').map(
    // biome-ignore lint/suspicious/noExplicitAny: the shape of a vector file
    ({ name, registration, authentication: { signature, authenticatorData, clientDataJSON } }: any) => ({
      name,
      coseKey: signer.extractCosePublicKey(hex.decode(registration.attestationObject)),
      authentication: {
        id: 'AA',
        rawId: 'AA',
        type: 'public-key',
        response: {
          signature: fromHex(signature),
          authenticatorData: fromHex(authenticatorData),
          clientDataJSON: fromHex(clientDataJSON),
        },
      },
    }),
  );
  const node: Case[] = read('webauthn-node.json').map(
    // biome-ignore lint/suspicious/noExplicitAny: the shape of a vector file
    ({ algorithm, registration, authentication }: any) => ({
      name: `algorithm ${algorithm}`,
      coseKey: signer.extractCosePublicKey(base64urlnopad.decode(registration.response.attestationObject)),
      authentication,
    }),
  );
  cases = [...w3c, ...node];
});

describe('the signature of an assertion (core 5)', () => {
  it('verifies with its own key, for each requested algorithm', async () => {
    expect(cases.length).toBeGreaterThanOrEqual(10);
    expect(cases.map(({ name }) => name).join()).toMatch(/ES256.*algorithm/);
    for (const { name, coseKey, authentication } of cases)
      expect(await isSignedBy(authentication, coseKey), name).toBe(true);
  });

  it('verifies with keys and signatures only in the form of the standards', async () => {
    for (const { name, verifies, coseKey, signature } of forms.cases) {
      const response = {
        signature: fromHex(signature),
        authenticatorData: fromHex(forms.authenticatorData),
        clientDataJSON: fromHex(forms.clientDataJSON),
      };
      const authentication = { id: 'AA', rawId: 'AA', type: 'public-key' as const, response };
      expect(await isSignedBy(authentication, hex.decode(coseKey)), name).toBe(verifies);
    }
  });

  it('is no question for parts that are not base64url', async () => {
    const { coseKey, authentication } = cases[0] as Case;
    const response = { ...authentication.response, signature: '!' };
    await expect(isSignedBy({ ...authentication, response }, coseKey)).rejects.toThrow();
    expect(() => ecdsaSignature(response)).toThrow();
  });

  it('fails with any other key and over any other data', async () => {
    for (const [index, { name, coseKey, authentication }] of cases.entries()) {
      const other = cases[(index + 1) % cases.length] as Case;
      if (hex.encode(other.coseKey) !== hex.encode(coseKey))
        expect(await isSignedBy(authentication, other.coseKey), `${name} with the key of another`).toBe(
          false,
        );
      for (const part of ['signature', 'authenticatorData', 'clientDataJSON'] as const) {
        const bytes = base64urlnopad.decode(authentication.response[part]);
        bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
        const response = { ...authentication.response, [part]: base64urlnopad.encode(bytes) };
        expect(await isSignedBy({ ...authentication, response }, coseKey), `${name}, other ${part}`).toBe(
          false,
        );
      }
    }
  });

  it('fails with a malformed key: cut at any length, lengthened, or with a changed label byte', async () => {
    for (const { name, coseKey, authentication } of cases) {
      for (let length = 0; length < coseKey.length; length += 1)
        expect(await isSignedBy(authentication, coseKey.slice(0, length)), `${name} cut at ${length}`).toBe(
          false,
        );
      expect(await isSignedBy(authentication, Uint8Array.of(...coseKey, 0)), `${name} and more`).toBe(false);
      for (let at = 0; at < 10; at += 1) {
        const changed = coseKey.slice();
        changed[at] = (changed[at] ?? 0) ^ 0x41;
        expect(await isSignedBy(authentication, changed), `${name} changed at ${at}`).toBe(false);
      }
    }
  });
});

describe('two COSE keys', () => {
  /** The same map with its first entry, which takes two bytes (kty), at the end. */
  const turned = ([head = 0, label = 0, kty = 0, ...rest]: Uint8Array) =>
    Uint8Array.of(head, ...rest, label, kty);

  it('are one key in any order of their entries', () => {
    for (const { name, coseKey } of cases) {
      expect(isSameKey(coseKey, coseKey.slice()), name).toBe(true);
      expect(isSameKey(coseKey, turned(coseKey)), `${name}, turned`).toBe(true);
    }
    expect(isSameKey(Uint8Array.of(1), Uint8Array.of(1))).toBe(true);
  });

  it('differ by any bit', () => {
    for (const { name, coseKey } of cases) {
      for (let at = 0; at < coseKey.length; at += 1) {
        const changed = coseKey.slice();
        changed[at] = (changed[at] ?? 0) ^ 1;
        expect(isSameKey(coseKey, changed), `${name} changed at ${at}`).toBe(false);
      }
      expect(isSameKey(coseKey, coseKey.slice(1)), `${name}, cut`).toBe(false);
    }
  });
});
