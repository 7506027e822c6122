import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createEmitter, STEPS } from '../events.js';
import { errorText, failedAs, isCancellation, LatchkeyError, toLatchkeyError } from './index.js';

describe('errors', () => {
  it('fills the placeholders of a text', () => {
    expect(errorText('ACCOUNT_EXISTS', { account: 'a.testnet' })).toBe(
      'Account a.testnet already exists. Please choose a different account ID.',
    );
  });

  it('leaves a dollar pattern in a value as it is', () => {
    expect(errorText('RELAY_REFUSED', { reason: 'costs $& more' })).toBe('costs $& more');
  });

  it('keeps a LatchkeyError and wraps any other error with its cause', () => {
    const ours = new LatchkeyError('NOT_LOGGED_IN');
    expect(toLatchkeyError(ours)).toBe(ours);
    const other = new TypeError('odd');
    const wrapped = toLatchkeyError(other, 'Login');
    expect([wrapped.code, wrapped.cause]).toEqual(['UNKNOWN', other]);
    expect(wrapped.message).toBe(
      'Login failed due to an unknown error. Please check your connection and try again.',
    );
  });

  it('wraps a failure in the text of a code, unless it is of a WASM, which says what failed', () => {
    const message = 'VRF challenge generation failed: no entropy';
    const ofWasm = new LatchkeyError('CRYPTO_FAILED', { message, details: { workerCode: 'NO_RANDOMNESS' } });
    expect(failedAs('VRF_CHALLENGE_FAILED', ofWasm).message).toBe(message);
    const alike = new LatchkeyError('WORKER_FAILED', { message });
    expect(failedAs('VRF_CHALLENGE_FAILED', alike).message).toBe(
      `VRF challenge generation failed: ${message}`,
    );
  });

  it('reports an abort as a cancellation', () => {
    expect(isCancellation(toLatchkeyError(new DOMException('stop', 'AbortError')))).toBe(true);
    expect(isCancellation(new LatchkeyError('UNKNOWN'))).toBe(false);
  });
});

describe('events', () => {
  it('have the steps of the specification', () => {
    const inOrder = (steps: object) =>
      Object.entries(steps)
        .filter(([, step]) => step > 0)
        .map(([phase]) => phase);
    expect(Object.values(STEPS).map(inOrder)).toEqual([
      [
        'webauthn-verification',
        'key-generation',
        'access-key-addition',
        'account-verification',
        'database-storage',
        'contract-registration',
        'registration-complete',
      ],
      ['preparation', 'webauthn-assertion', 'vrf-unlock', 'login-complete'],
      [
        'preparation',
        'user-confirmation',
        'contract-verification',
        'webauthn-authentication',
        'authentication-complete',
        'transaction-signing-progress',
        'transaction-signing-complete',
        'broadcasting',
        'action-complete',
      ],
      [
        'preparation',
        'webauthn-authentication',
        'sync-authenticators-onchain',
        'authenticator-saved',
        'account-recovery-complete',
      ],
      [
        'qr-code-generated',
        'scanning',
        'authorization',
        'polling',
        'addkey-detected',
        'registration',
        'linking-complete',
        'auto-login',
      ],
      ['preparation', 'viewer-opened', 'webauthn-authentication', 'key-delivered', 'viewer-closed'],
    ]);
  });

  it('carry the step number of the table', () => {
    const seen: unknown[] = [];
    const emit = createEmitter('action', (event) => seen.push(event));
    emit('broadcasting', 'progress', 'Sending', { data: { index: 0 } });
    expect(seen).toEqual([
      {
        flow: 'action',
        step: 8,
        phase: 'broadcasting',
        status: 'progress',
        message: 'Sending',
        data: { index: 0 },
      },
    ]);
  });

  it('number the steps of each flow from 1 without a gap, and failures 0', () => {
    for (const steps of Object.values(STEPS)) {
      const numbers = Object.values(steps).filter((step) => step > 0);
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      for (const [phase, step] of Object.entries(steps)) expect(step === 0).toBe(phase.endsWith('-error'));
    }
  });
});

describe('the table of texts', () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const read = (name: string): string => readFileSync(`${root}${name}`, 'utf8');
  const names = ['ts/src', 'react/src'].flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\.|testing\//.test(name))
      .map((name) => `${folder}/${name}`),
  );
  const isTable = (name: string): boolean => /^ts\/src\/errors[./]/.test(name);
  const tables = names.filter(isTable).map(read).join('\n');
  /** The code shipped to pages, without tests and tables. */
  const sources = names.filter((name) => !isTable(name)).map(read);

  it('has no unused code', () => {
    const codes = [...tables.matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(([, code = '']) => code);
    expect(codes.length).toBeGreaterThan(100);
    const everything = [...sources, tables].join('\n');
    expect(codes.filter((code) => !everything.includes(`'${code}'`))).toEqual([]);
  });

  it('contains each text once, and no other file repeats it', () => {
    // Joins a text over several lines; its longest piece between placeholders identifies it.
    const texts = [...tables.replace(/(['"]) \+\n\s+['"]/g, '').matchAll(/(['"])((?:(?!\1).){12,})\1,/g)];
    const pieces = texts.map(([, , text = '']) =>
      text.split(/\{\w+\}/).reduce((longest, piece) => (piece.length > longest.length ? piece : longest), ''),
    );
    expect(pieces.length).toBeGreaterThan(130);
    expect(texts.map(([, , text]) => text).filter((text, at, all) => all.indexOf(text) !== at)).toEqual([]);
    const telling = pieces.filter((piece) => piece.length >= 20 && !/^[A-Z_]+$/.test(piece));
    expect(telling.filter((piece) => sources.some((source) => source.includes(piece)))).toEqual([]);
  });
});
