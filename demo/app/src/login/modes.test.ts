import { describe, expect, it } from 'vitest';
import { blockedBy } from './modes.js';

const input = (inputUsername: string, accountExists: boolean) => ({ inputUsername, accountExists });

describe('the login menu', () => {
  it('registers a free, non-empty name in a secure context', () => {
    expect(blockedBy('register', input('alice', false), true)).toBeUndefined();
    expect(blockedBy('register', input(' ', false), true)).toEqual({ hint: null });
    expect(blockedBy('register', input('alice', true), true)).toEqual({ hint: 'name taken' });
    expect(blockedBy('register', input('alice', false), false)).toEqual({ hint: 'HTTPS required' });
  });

  it('logs an existing account in', () => {
    expect(blockedBy('login', input('alice', true), true)).toBeUndefined();
    expect(blockedBy('login', input('alice', false), true)).toEqual({ hint: 'Account not found' });
    expect(blockedBy('login', input('', false), true)).toEqual({ hint: null });
  });
});
