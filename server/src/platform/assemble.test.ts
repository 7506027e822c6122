/** What a relay says when it is assembled. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../observe/log.js';
import { assembleRelay } from './assemble.js';
import { readRelayConfig } from './config.js';
import type { Environment } from './environment.js';
import { loadRelayModule } from './wasm.js';

const GOOD: Environment = {
  RELAYER_ACCOUNT_ID: 'relayer.testnet',
  RELAYER_PRIVATE_KEY:
    'ed25519:3D4YudUahN1nawWogh8pAKSj92sUNMdbZGjn7kERKzYoTy8tnFQuwoGUC51DowKqorvkr2pytJSnwuSbsNVfqygr',
  EXPECTED_ORIGIN: 'http://localhost:5173',
};

/** The names of the warnings of a relay with this environment. */
function warningsOf(env: Environment): string[] {
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line), 'warn');
  const parts = { lock: null, socketAddress: () => '127.0.0.1', log, metrics: null };
  assembleRelay(readRelayConfig({ ...GOOD, ...env }), parts);
  return lines.map((line) => (JSON.parse(line) as { event: string }).event);
}

describe('a relay that starts (core 9)', () => {
  beforeAll(() => loadRelayModule());

  it('warns if a new account cannot pay for its first call, as with the default balance', () => {
    expect(warningsOf({})).toContain('small_initial_balance');
    expect(warningsOf({ ACCOUNT_INITIAL_BALANCE: '30000000000000000000000' })).toContain(
      'small_initial_balance',
    );
    expect(warningsOf({ ACCOUNT_INITIAL_BALANCE: '100000000000000000000000' })).not.toContain(
      'small_initial_balance',
    );
  });

  it('does not warn of it if the relay pays for its users’ calls', () => {
    expect(
      warningsOf({ DELEGATE_CALLS: 'w3a-v1.testnet:set_greeting', DELEGATE_SPEND_CAP_NEAR: '100' }),
    ).not.toContain('small_initial_balance');
  });
});
