import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { MAX_REGISTRABLE_LENGTH } from '../near/account-id.js';
import { prfMissing, prfSalts, takePrf, wipe, wipeAnswer } from './prf.js';
import { resolveRpId } from './rp-id.js';
import { displayName, newUserHandle, ownerFromUserHandle, userName } from './user-handle.js';
import { classifyWebAuthnError, wasNeverShown } from './webauthn-error.js';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const utf8 = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe('PRF salts (core 9)', () => {
  it('equal the shared vectors', () => {
    const { first, second } = prfSalts('alice.testnet');
    expect(hex(first)).toBe('63686163686132302d73616c743a616c6963652e746573746e65740000000000');
    expect(hex(second)).toBe('656432353531392d73616c743a616c6963652e746573746e6574000000000000');
  });

  it('are cut at 32 bytes', () => {
    const { first } = prfSalts('a-very-long-account-name-indeed.testnet');
    expect(new TextDecoder().decode(first)).toBe('chacha20-salt:a-very-long-accoun');
  });
});

describe('PRF outputs (core 5, core 8)', () => {
  const results = (prf: unknown) => ({ prf });
  const good = (byte = 1) => new Uint8Array(32).fill(byte).buffer;
  const base64 = (alphabet: 'base64' | 'base64url', byte: number) =>
    Buffer.alloc(32, byte).toString(alphabet);

  it('are taken without a copy', () => {
    const [first, second] = [good(), good(2)];
    const answer = takePrf(results({ enabled: true, results: { first, second } }));
    if (answer.kind !== 'outputs') throw new Error('no outputs');
    expect(answer.outputs.first.buffer).toBe(first);
    expect(answer.outputs.second.buffer).toBe(second);
  });

  it.each<[string, (byte: number) => unknown]>([
    ['a view', (byte) => new DataView(good(byte))],
    ['a buffer of another realm', (byte) => runInNewContext(`new Uint8Array(32).fill(${byte}).buffer`)],
    ['a view of another realm', (byte) => runInNewContext(`new Uint8Array(32).fill(${byte})`)],
    ['a list of numbers', (byte) => Array(32).fill(byte)],
    ['base64url', (byte) => base64('base64url', byte + 250)],
    ['base64 with its padding', (byte) => base64('base64', byte + 250)],
  ])('may be %s', (_, form) => {
    const answer = takePrf(results({ results: { first: form(1), second: form(2) } }));
    expect(answer).toMatchObject({ kind: 'outputs' });
  });

  it.each([{ enabled: true }, { enabled: false }, {}, undefined, null, { results: {} }, { results: null }])(
    'are none in %j, whatever it says of them',
    (prf) => {
      const reason = 'Missing PRF results from credential, use a PRF-enabled Authenticator';
      expect(takePrf(results(prf))).toEqual({ kind: 'none', reason });
    },
  );

  it.each([
    ['missing', undefined, 'Missing PRF result: second'],
    ['all zero', new Uint8Array(32).buffer, 'PRF result too weak: second'],
    ['too short', new Uint8Array(31).fill(1).buffer, 'PRF result too weak: second'],
    ['too long', new Uint8Array(33).fill(1).buffer, 'PRF result too weak: second'],
    ['a digest in hex', 'ab'.repeat(32), 'PRF result too weak: second'],
    ['no byte', Array(32).fill(256), 'PRF result too weak: second'],
  ])('are half, and wiped, when the second is %s', (_, second, reason) => {
    const first = good();
    expect(takePrf(results({ results: { first, second } }))).toEqual({ kind: 'half', reason });
    expect(takePrf(results({ results: { first: second, second: good() } }))).toEqual({
      kind: 'half',
      reason: reason.replace('second', 'first'),
    });
    expect(new Uint8Array(first).every((byte) => byte === 0)).toBe(true);
    if (second instanceof ArrayBuffer) expect(new Uint8Array(second).every((byte) => byte === 0)).toBe(true);
  });

  it('may agree in most bytes, and have zeros', () => {
    const [first, second] = [good(), good()];
    new Uint8Array(second).fill(0, 31);
    expect(takePrf(results({ results: { first, second } })).kind).toBe('outputs');
  });

  it('are none when both are all zero', () => {
    const [first, second] = [good(0), good(0)];
    expect(takePrf(results({ results: { first, second } }))).toEqual({
      kind: 'none',
      reason: 'PRF result too weak: first',
    });
  });

  it('are none when both are the same', () => {
    const [first, second] = [good(), good()];
    expect(takePrf(results({ results: { first, second } }))).toEqual({
      kind: 'none',
      reason: 'PRF results are equal',
    });
    expect(new Uint8Array(second).every((byte) => byte === 0)).toBe(true);
  });

  it("name the missing part in the causes of the user's error text", () => {
    const error = prfMissing('Missing PRF result: second');
    expect(error.details).toEqual({});
    expect(error).toMatchObject({
      code: 'PRF_MISSING',
      message: expect.stringMatching(/^Operation failed/),
      cause: {
        message: 'PRF outputs missing from serialized credential',
        cause: { message: 'Missing PRF result: second' },
      },
    });
  });

  it('may come from the same prompt again', () => {
    expect(prfMissing(undefined, true).details).toEqual({ again: true });
  });

  it('leave nothing in a buffer that had to be copied', () => {
    const shared = new Uint8Array(64).fill(5, 0, 32).fill(6, 32);
    const numbers = Array(32).fill(7);
    takePrf(results({ results: { first: shared.subarray(0, 32), second: shared.subarray(32) } }));
    takePrf(results({ results: { first: numbers, second: good() } }));
    expect([...shared, ...numbers].every((byte) => byte === 0)).toBe(true);
  });

  it('are wiped, even if some were transferred before', () => {
    const kept = new Uint8Array(32).fill(1);
    const given = new Uint8Array(32).fill(1);
    structuredClone(given.buffer, { transfer: [given.buffer] });
    wipe(kept, given, undefined);
    expect(kept.every((byte) => byte === 0)).toBe(true);
  });

  it('are wiped with their answer', () => {
    const outputs = { first: new Uint8Array(32).fill(1), second: new Uint8Array(32).fill(2) };
    wipeAnswer({ kind: 'none', reason: '' });
    wipeAnswer({ kind: 'outputs', outputs });
    expect([...outputs.first, ...outputs.second].every((byte) => byte === 0)).toBe(true);
  });
});

describe('user handles (core 5)', () => {
  it('name the device from the second on', () => {
    expect(userName('alice.testnet', 1)).toBe('alice.testnet');
    expect(userName('alice.testnet', 2)).toBe('alice.testnet (2)');
    expect(displayName('alice.w3a.testnet', 1)).toBe('alice');
    expect(displayName('alice.w3a.testnet', 3)).toBe('alice (device 3)');
  });

  it('are never equal: each ends in 36 random bits [S34]', () => {
    const texts = Array.from({ length: 1000 }, () => textOf(newUserHandle('alice.testnet', 2)));
    expect(new Set(texts).size).toBe(1000);
    for (const text of texts) expect(text).toMatch(/^alice\.testnet \(2\)~[\w-]{6}$/);
    const tails = texts.map((text) => text.slice(-6));
    for (let at = 0; at < 6; at += 1) expect(new Set(tails.map((tail) => tail[at])).size).toBeGreaterThan(50);
  });

  it('fit into 64 bytes for the longest id that can register, on its last device', () => {
    const longest = `${'a'.repeat(MAX_REGISTRABLE_LENGTH - '.testnet'.length)}.testnet`;
    expect(newUserHandle(longest, 255)).toHaveLength(64);
  });

  it('convert back to account and device, also without their random part, as older passkeys have them', () => {
    for (const [accountId, deviceNumber] of [
      ['alice.testnet', 1],
      ['alice.testnet', 12],
    ] as const) {
      expect(ownerFromUserHandle(newUserHandle(accountId, deviceNumber))).toEqual({
        accountId,
        deviceNumber,
      });
      expect(ownerFromUserHandle(utf8(userName(accountId, deviceNumber)))).toEqual({
        accountId,
        deviceNumber,
      });
    }
    for (const text of [
      'alice.testnet~abcde',
      'alice.testnet~abcdefg',
      'alice.testnet~abcdef~abcdef',
      '~abcdef',
      'alice.testnet~abcdef\n',
    ])
      expect(ownerFromUserHandle(utf8(text)), text).toBeUndefined();
  });

  it('convert back to account and device', () => {
    const owner = (text: string) => ownerFromUserHandle(utf8(text));
    expect(owner('alice.testnet (12)')).toEqual({ accountId: 'alice.testnet', deviceNumber: 12 });
    expect(owner('alice.testnet')).toEqual({ accountId: 'alice.testnet', deviceNumber: 1 });
    for (let deviceNumber = 2; deviceNumber <= 255; deviceNumber += 1)
      expect(owner(`alice.testnet (${deviceNumber})`)).toEqual({ accountId: 'alice.testnet', deviceNumber });
    for (const text of ['someone@example.com', '', 'alice.testnet (1234)', 'alice.testnet (2) (3)', '(2)'])
      expect(owner(text), text).toBeUndefined();
  });

  it.each(['0', '1', '02', '002', '256', '999', '٢', '+2', ''])(
    'name no device by the number "%s"',
    (number) => {
      expect(ownerFromUserHandle(utf8(`alice.testnet (${number})`))).toBeUndefined();
    },
  );

  it('are not ours with bytes that are not in the id', () => {
    const handle = utf8('alice.testnet');
    for (const bytes of [[0xef, 0xbb, 0xbf], [0xff], [0]])
      expect(ownerFromUserHandle(Uint8Array.of(...bytes, ...handle)), `${bytes}`).toBeUndefined();
  });
});

describe('the rpId', () => {
  const at = (rpIdOverride: string | null, host: string, relatedOrigin = false) =>
    resolveRpId({ rpIdOverride, relatedOrigin }, host);

  it("is the host's name, or a parent of it at a dot", () => {
    expect(at(null, 'wallet.example.com')).toBe('wallet.example.com');
    expect(at('example.com', 'wallet.example.com')).toBe('example.com');
    expect(at('example.com', 'example.com')).toBe('example.com');
  });

  it('is refused when the host does not end in it at a dot', () => {
    expect(() => at('example.com', 'evilexample.com')).toThrow(/example\.com .* evilexample\.com/);
    expect(() => at('other.com', 'wallet.example.com')).toThrow(/other\.com/);
  });

  it('may differ for a declared related origin', () => {
    expect(at('other.com', 'wallet.example.com', true)).toBe('other.com');
  });
});

describe('failed passkey requests (core 4, core 8)', () => {
  const code = (error: unknown) => classifyWebAuthnError(error, 'a.testnet').code;
  const dom = (name: string, message = '') => new DOMException(message, name);

  it('are distinguished although they share NotAllowedError', () => {
    expect(
      code(
        dom(
          'NotAllowedError',
          'The operation is not allowed at this time because the page does not have focus.',
        ),
      ),
    ).toBe('PAGE_NOT_FOCUSED');
    expect(code(dom('NotAllowedError', 'CredentialsContainer request is not allowed.'))).toBe(
      'PAGE_NOT_FOCUSED',
    );
    expect(code(dom('OperationError', 'A request is already pending.'))).toBe('REQUEST_PENDING');
    expect(code(dom('NotAllowedError', 'A request is already pending.'))).toBe('REQUEST_PENDING');
    expect(
      code(
        dom('NotAllowedError', "The 'publickey-credentials-create' feature is not enabled in this document."),
      ),
    ).toBe('WEBAUTHN_FAILED');
    expect(code(dom('NotAllowedError', 'The operation either timed out or was not allowed.'))).toBe(
      'CANCELLED',
    );
  });

  it.each([
    [dom('AbortError'), 'CANCELLED'],
    [new Error('user cancelled the request'), 'CANCELLED'],
    [dom('InvalidStateError'), 'PASSKEY_EXISTS'],
    [new Error('one of the credentials already registered with the relying party'), 'PASSKEY_EXISTS'],
    [dom('SecurityError', 'the relying party ID is not a suffix'), 'WEBAUTHN_FAILED'],
    [undefined, 'CANCELLED'],
    [null, 'CANCELLED'],
    [{}, 'CANCELLED'],
    [{ name: 'NotAllowedError', message: 'no' }, 'CANCELLED'],
    [{ name: 'InvalidStateError' }, 'PASSKEY_EXISTS'],
    [{ message: 'A request is already pending.' }, 'REQUEST_PENDING'],
    [runInNewContext("Object.assign(new Error('no'), { name: 'AbortError' })"), 'CANCELLED'],
    [new Error('Promise timed out after 60000ms'), 'CANCELLED'],
    [new Error('This request has been cancelled by the user.'), 'CANCELLED'],
    ['the vault is locked', 'WEBAUTHN_FAILED'],
    [dom('UnknownError', 'an unknown error'), 'WEBAUTHN_FAILED'],
  ])('%s is %s', (error, expected) => {
    expect(code(error)).toBe(expected);
  });

  it('name the account that already has a passkey', () => {
    expect(classifyWebAuthnError(dom('SecurityError', 'not a suffix'), '', 'example.org').message).toBe(
      'The passkey request failed: this page may not use the rpId example.org (not a suffix)',
    );
    expect(classifyWebAuthnError(dom('InvalidStateError'), 'a.testnet').message).toBe(
      "A passkey for 'a.testnet' already exists. Please try logging in instead.",
    );
  });

  it('keep what the browser threw', () => {
    for (const error of [
      dom('NotAllowedError', 'the page does not have focus'),
      dom('OperationError', 'A request is already pending.'),
      dom('InvalidStateError'),
      dom('AbortError'),
      dom('DataError'),
    ])
      expect(classifyWebAuthnError(error, 'a.testnet').cause).toBe(error);
  });

  it('were never shown where the page has no focus, or another request is open', () => {
    const shown = (error: unknown) => !wasNeverShown(classifyWebAuthnError(error, 'a.testnet'));
    expect(shown(dom('NotAllowedError', 'the page does not have focus'))).toBe(false);
    expect(shown(dom('OperationError', 'A request is already pending.'))).toBe(false);
    expect(shown(dom('NotAllowedError'))).toBe(true);
  });

  it('say what they said, in whatever form', () => {
    const text = (error: unknown) => classifyWebAuthnError(error, 'a.testnet').message;
    expect(text({ name: 'DataError', message: 'the vault is locked' })).toBe(
      'The passkey request failed: the vault is locked',
    );
    expect(text({ name: 'DataError' })).toBe('The passkey request failed: DataError');
    expect(text('the vault is locked')).toBe('The passkey request failed: the vault is locked');
  });

  it('of Firefox on Windows may mean that Windows passes no PRF on', () => {
    const userAgent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0';
    vi.stubGlobal('navigator', { userAgent });
    const cause = dom('UnknownError');
    const error = classifyWebAuthnError(cause, 'a.testnet');
    expect(code(dom('SecurityError'))).toBe('WEBAUTHN_FAILED');
    vi.unstubAllGlobals();
    expect(error).toMatchObject({
      code: 'PRF_UNSUPPORTED',
      message: expect.stringContaining('update Windows'),
      cause,
    });
  });
});
