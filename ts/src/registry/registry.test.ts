import { base64urlnopad } from '@scure/base';
import { describe, expect, test } from 'vitest';
import { createRpcClient } from '../near/index.js';
import { LaggingChain } from '../near/testing/lagging-chain.js';
import { assertRegistersExisting } from './existing.js';
import { authenticatorsOf, checkCanRegister } from './registry.js';
import { OUR_METADATA } from './testing/our-registry.js';

const b64u = (length: number, byte: number) => base64urlnopad.encode(new Uint8Array(length).fill(byte));
const numbers = (length: number, byte: number) => Array<number>(length).fill(byte);

const challenge = {
  vrfInput: b64u(32, 1),
  vrfOutput: b64u(64, 2),
  vrfProof: b64u(80, 3),
  vrfPublicKey: b64u(32, 4),
  userId: 'alice.testnet',
  rpId: 'wallet.example',
  blockHeight: '12345',
  blockHash: b64u(32, 5),
  intentDigest: b64u(32, 6),
};
const credential = {
  id: 'AQ',
  rawId: 'AQ',
  type: 'public-key',
  authenticatorAttachment: 'platform',
  response: { clientDataJSON: 'AQ', attestationObject: 'AQ', transports: ['internal', 'hybrid'] },
};
const options = { userVerification: 'preferred', originPolicy: { all_subdomains: true } } as const;

/** Asks a node that answers with `answer`. */
async function check(answer: string, { registration = credential, logs = [] as readonly string[] } = {}) {
  const asked: unknown[] = [];
  const rpc = {
    callFunction: async (...args: unknown[]) => {
      asked.push(...args.slice(0, 3));
      return { bytes: new TextEncoder().encode(answer), logs };
    },
    callFunctionJson: async () => OUR_METADATA,
  };
  const context = { rpc, config: { contractId: 'registry.testnet' } } as never;
  const { signal } = new AbortController();
  return { verdict: await checkCanRegister(context, challenge, registration, options, signal), asked };
}

describe('check_can_register_user (core 5, core 7)', () => {
  test('gets the proof, the credential and the options, and no PRF output', async () => {
    const withPrf = {
      ...credential,
      clientExtensionResults: { prf: { results: { first: 'secret' } } },
      response: { ...credential.response, prf: 'secret' },
    };
    const { verdict, asked } = await check('{"verified":true,"user_exists":false}', {
      registration: withPrf,
    });
    const body = {
      vrf_data: {
        vrf_input_data: numbers(32, 1),
        vrf_output: numbers(64, 2),
        vrf_proof: numbers(80, 3),
        public_key: numbers(32, 4),
        user_id: 'alice.testnet',
        rp_id: 'wallet.example',
        block_height: 12345,
        block_hash: numbers(32, 5),
        intent_digest_32: numbers(32, 6),
      },
      webauthn_registration: credential,
      authenticator_options: { user_verification: 'preferred', origin_policy: { all_subdomains: true } },
    };
    expect(asked).toEqual(['registry.testnet', 'check_can_register_user', body]);
    expect(verdict.body).toEqual(body);
    expect(JSON.stringify(verdict)).not.toContain('secret');
  });

  test('omits transports and attachment for a credential that has neither', async () => {
    const { response, authenticatorAttachment: _, ...bare } = credential;
    const { transports: __, ...bareResponse } = response;
    const registration = { ...bare, response: bareResponse } as typeof credential;
    const { verdict } = await check('{"verified":true,"user_exists":false}', { registration });
    expect(verdict.body.webauthn_registration).toStrictEqual(registration);
  });

  test('resolves with the verdict and the last log line', async () => {
    const refused = await check('{"user_exists":true,"verified":false}', { logs: ['first', 'not fresh'] });
    expect(refused.verdict).toMatchObject({ verified: false, userExists: true, reason: 'not fresh' });
    const silent = await check('{"verified":true,"user_exists":false}');
    expect(silent.verdict).toMatchObject({
      verified: true,
      userExists: false,
      reason: 'the registry did not accept the passkey',
    });
  });

  test.each(['', 'null', '[]', '{}', '{"verified":1,"user_exists":false}', '{"verified":true}', '{'])(
    'refuses the malformed answer %j',
    async (answer) => {
      await expect(check(answer)).rejects.toMatchObject({ code: 'REGISTRATION_CHECK_FAILED' });
    },
  );
});

describe('a registry of a version of the interface (core 8)', () => {
  const at = (version: string) => {
    const metadata = { standards: [{ standard: 'latchkey-registry', version }] };
    return {
      rpc: { callFunctionJson: async () => metadata },
      config: { contractId: 'registry.testnet' },
    } as never;
  };

  test.each(['2.1.0', '2.2.0', '2.10.3'])('records existing passkeys: %s', async (version) => {
    await expect(assertRegistersExisting(at(version))).resolves.toBeUndefined();
  });

  test.each(['2.0.0', '2.0.9', '2', '2.x'])(
    'lacks that, and is told to be deployed again: %s',
    async (version) => {
      await expect(assertRegistersExisting(at(version))).rejects.toMatchObject({
        code: 'REGISTRY_LACKS',
        message:
          'The registry registry.testnet lacks a method to record a passkey that an account has already. ' +
          'Deploy the registry of this release there, or your own: no migration is needed.',
      });
    },
  );
});

describe('a registry on nodes of which all but one lag (core 7)', () => {
  function lagging() {
    const chain = new LaggingChain({ nodes: { 'https://rpc.example': [0, 8, 8] } });
    chain.write(({ views }) => views.set('contract_source_metadata', OUR_METADATA));
    chain.head += 100;
    const rpc = createRpcClient({ urls: chain.urls, fetch: chain.fetch });
    return { chain, rpc, at: { rpc, config: { contractId: 'registry.testnet' } } };
  }

  test('accepts a passkey whose challenge names a block that the first node asked has not seen', async () => {
    const { chain, rpc, at } = lagging();
    let namedHeight = Number.POSITIVE_INFINITY;
    chain.write(({ views }) =>
      views.set('check_can_register_user', (height: number) => ({
        verified: height >= namedHeight,
        user_exists: false,
      })),
    );
    chain.head += 100;
    const { header } = await rpc.block();
    namedHeight = header.height;
    const named = { ...challenge, blockHeight: String(header.height) };
    const { signal } = new AbortController();
    expect(await checkCanRegister(at, named, credential, options, signal)).toMatchObject({ verified: true });
  });

  test('does not call an account without devices that has one', async () => {
    const { chain, rpc, at } = lagging();
    chain.write(({ views }) => views.set('get_authenticators_by_user', []));
    chain.head += 100;
    const record = {
      credential_public_key: [1],
      transports: [],
      registered: '1',
      device_number: 1,
      near_public_key: null,
      vrf_public_keys: [],
    };
    chain.write(({ views }) => views.set('get_authenticators_by_user', [['AQ', record]]));
    chain.head += 3;
    await rpc.block();
    expect(await authenticatorsOf(at, 'alice.testnet')).toHaveLength(1);
  });
});
