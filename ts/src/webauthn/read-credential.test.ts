import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { readAsserted, readCreated } from './read-credential.js';

const ID = 'AQID-_8';
const RAW_ID = Uint8Array.of(1, 2, 3, 251, 255);
const part = (byte: number) => new Uint8Array(300).fill(byte);
const text = (byte: number) => Buffer.from(part(byte)).toString('base64url');

const attestation = {
  clientDataJSON: part(1).buffer,
  attestationObject: part(2).buffer,
  getTransports: () => ['internal'],
};
const made = {
  type: 'public-key',
  id: ID,
  rawId: RAW_ID.buffer,
  authenticatorAttachment: 'platform',
  getClientExtensionResults: () => ({}),
  response: attestation,
};
const REGISTRATION = {
  type: 'public-key',
  id: ID,
  rawId: ID,
  authenticatorAttachment: 'platform',
  response: { clientDataJSON: text(1), attestationObject: text(2), transports: ['internal'] },
};

const assertion = {
  clientDataJSON: part(1).buffer,
  authenticatorData: part(2).buffer,
  signature: part(3).buffer,
  userHandle: part(4).buffer,
};
const throwing = () => {
  throw new TypeError('Illegal invocation');
};

describe('a credential that was made (core 5)', () => {
  it.each<[string, object]>([
    ['as the browser gives it', made],
    ['without a prototype', Object.assign(Object.create(null), made)],
    ['without a type', { ...made, type: undefined }],
    ['with a toJSON that throws', { ...made, toJSON: throwing }],
    ['without extension results', { ...made, getClientExtensionResults: undefined }],
    ['with extension results that throw', { ...made, getClientExtensionResults: throwing }],
    ['with undefined extension results', { ...made, getClientExtensionResults: () => undefined }],
    ['with a padded id', { ...made, id: `${ID}=` }],
    ['with an id with more padding', { ...made, id: `${ID}==` }],
    ['with an id in the other alphabet', { ...made, id: 'AQID+/8=' }],
    ['without an id', { ...made, id: undefined }],
    ['without a rawId', { ...made, rawId: undefined }],
    ['with its attachment in capitals', { ...made, authenticatorAttachment: 'PLATFORM' }],
    ['of another realm', runInNewContext('({ ...made })', { made })],
    [
      'with parts of another realm',
      { ...made, rawId: runInNewContext('Uint8Array.of(1, 2, 3, 251, 255).buffer') },
    ],
    ['with lists of numbers', { ...made, rawId: [...RAW_ID] }],
    [
      'as JSON',
      {
        ...made,
        rawId: ID,
        getClientExtensionResults: undefined,
        clientExtensionResults: {},
        response: { clientDataJSON: text(1), attestationObject: text(2), transports: ['internal'] },
      },
    ],
  ])('%s is read', (_, credential) => {
    expect(readCreated(credential)).toMatchObject({ registration: REGISTRATION, prf: { kind: 'none' } });
  });

  it.each([undefined, throwing, () => undefined, () => null])(
    'has no transports where it tells none',
    (tell) => {
      const response = { ...attestation, getTransports: tell };
      expect(readCreated({ ...made, response }).registration.response.transports).toEqual([]);
    },
  );

  it('has its attachment as the standard writes it, or none', () => {
    const attachment = (authenticatorAttachment: unknown) =>
      readCreated({ ...made, authenticatorAttachment }).registration.authenticatorAttachment;
    expect(attachment('crossPlatform')).toBe('cross-platform');
    expect(attachment(null)).toBeUndefined();
    expect(attachment('?')).toBeUndefined();
  });

  it.each([true, false, undefined])('says whether it is found without its name: %s', (rk) => {
    const credential = { ...made, getClientExtensionResults: () => ({ credProps: { rk } }) };
    expect(readCreated(credential).isDiscoverable).toBe(rk);
  });

  it('does not say whether it is found where the browser says something else', () => {
    const credential = { ...made, getClientExtensionResults: () => ({ credProps: { rk: 'yes' } }) };
    expect(readCreated(credential)).not.toHaveProperty('isDiscoverable');
  });

  it('has its outputs in JSON too', () => {
    const clientExtensionResults = {
      prf: { results: { first: text(8).slice(0, 43), second: text(9).slice(0, 43) } },
    };
    const { prf } = readCreated({ ...made, getClientExtensionResults: undefined, clientExtensionResults });
    expect(prf.kind).toBe('outputs');
  });

  it('has no outputs in its registration', () => {
    const outputs = { first: part(8).slice(0, 32), second: part(9).slice(0, 32) };
    const { registration, prf } = readCreated({
      ...made,
      getClientExtensionResults: () => ({ prf: { results: outputs } }),
    });
    expect(prf).toMatchObject({ kind: 'outputs' });
    expect(Object.keys(registration).sort()).toEqual(Object.keys(REGISTRATION).sort());
  });

  it.each<[string, object, string]>([
    [
      'no attestation object',
      { ...made, response: { ...attestation, attestationObject: undefined } },
      'no attestationObject',
    ],
    ['no client data', { ...made, response: { ...attestation, clientDataJSON: null } }, 'no clientDataJSON'],
    ['no response', { ...made, response: undefined }, 'no clientDataJSON'],
    ['no id', { ...made, id: undefined, rawId: undefined }, 'no id'],
    ['two ids', { ...made, id: 'AQIE' }, 'an id that is not its rawId'],
    ['another type', { ...made, type: 'password' }, 'type password'],
    ['a long type', { ...made, type: 'x'.repeat(33) }, `type ${'x'.repeat(32)}`],
    ['an id that is padded in its middle', { ...made, id: 'AQID=-_8' }, 'an id that is not its rawId'],
  ])('is refused by name with %s', (_, credential, reason) => {
    expect(() => readCreated(credential)).toThrow(
      expect.objectContaining({
        code: 'INVALID_CREDENTIAL',
        message: `The browser returned an incomplete credential: ${reason}`,
      }),
    );
  });
});

describe('an assertion (core 5)', () => {
  it('is read in other forms too', () => {
    const authentication = {
      type: 'public-key',
      id: ID,
      rawId: ID,
      response: {
        clientDataJSON: text(1),
        authenticatorData: text(2),
        signature: text(3),
        userHandle: text(4),
      },
    };
    const credential = { ...made, authenticatorAttachment: undefined, response: assertion };
    expect(readAsserted(credential).authentication).toEqual(authentication);
    const signature = [...part(3)];
    expect(readAsserted({ ...credential, response: { ...assertion, signature } }).authentication).toEqual(
      authentication,
    );
  });

  it.each([null, undefined, new ArrayBuffer(0), ''])('has no user handle where it is %j', (userHandle) => {
    const { response } = readAsserted({ ...made, response: { ...assertion, userHandle } }).authentication;
    expect(response).not.toHaveProperty('userHandle');
  });

  it('is refused by name without a signature', () => {
    expect(() => readAsserted(made)).toThrow(
      'The browser returned an incomplete credential: no authenticatorData',
    );
  });
});
