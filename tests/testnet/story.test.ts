import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BalancedChain, startBalancedChain } from '../support/providers.js';
import { localNetwork } from './local.js';
import { costsOf } from './network.js';
import { tell } from './story.js';

/** Blocks are fast, so a challenge may be this many blocks old: two minutes, as on a real chain. */
const CHAIN = { blockTimeMs: 100, maxBlockAge: 1200 };
const TIMEOUT_MS = 240_000;

const STORY = [
  'Start the relay',
  'Register',
  'Pay',
  'Link a device',
  'Recover',
  'Revoke the device',
  'Give back',
];
const NO_ID = new Set(['Start the relay', 'Recover']);

describe('the story of a run on testnet', () => {
  let chain: BalancedChain;
  beforeAll(async () => {
    chain = await startBalancedChain(CHAIN);
  });
  afterAll(() => chain?.stop());

  it.each([
    ['a registry of its own', null, ['Deploy a registry', ...STORY, 'Remove the registry']],
    ['the registry that is there', 'w3a-v1.testnet', STORY],
  ])(
    'holds on two providers of nodes that lag, with %s, tells every transaction, hides the key, and keeps to its costs',
    async (_name, registry, titles) => {
      const network = { ...localNetwork(chain.urls), registry, maxBlockAge: CHAIN.maxBlockAge };
      const lines: string[] = [];
      const { steps, success, spentYocto } = await tell(network, { onLine: (line) => lines.push(line) });
      expect(steps.filter((step) => !step.success)).toEqual([]);
      expect(success).toBe(true);
      expect(steps.map(({ title }) => title)).toEqual(titles);
      for (const { title, text } of steps)
        if (!NO_ID.has(title)) expect(text).toMatch(/transactions? [1-9A-HJ-NP-Za-km-z]{43,44}/);
      expect(lines.join()).toContain('listening on');
      expect(JSON.stringify([steps, lines])).not.toContain(
        network.funder.privateKey.slice('ed25519:'.length),
      );
      const { atMost, comesBack } = await costsOf(network);
      expect(spentYocto).toBeGreaterThan(0n);
      expect(spentYocto).toBeLessThanOrEqual(atMost - comesBack);
    },
    TIMEOUT_MS,
  );

  it(
    'takes off what it made when a step fails or the user stops it',
    async () => {
      const network = { ...localNetwork(chain.urls), registry: null };
      // The registry refuses a maximum age of 0.
      const failed = await tell({ ...network, maxBlockAge: 0 });
      expect(failed.steps.map(({ title, success }) => [title, success])).toEqual([
        ['Deploy a registry', false],
        ['Remove the registry', true],
      ]);
      const stopped = await tell(network, { signal: AbortSignal.abort() });
      expect(stopped.steps.map(({ title, success }) => [title, success])).toEqual([
        ['Deploy a registry', true],
        ['Remove the registry', true],
      ]);
      for (const { success, spentYocto } of [failed, stopped]) {
        expect(success).toBe(false);
        expect(spentYocto).toBeLessThan(10n ** 23n);
      }
    },
    TIMEOUT_MS,
  );
});
