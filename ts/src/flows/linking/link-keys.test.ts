import { beforeEach, describe, expect, it } from 'vitest';
import type { LinkEntry } from '../../storage/records.js';
import type { FlowContext } from '../context.js';
import { ALICE, make, OWN, prepare, refused, TEMPORARY, unanswered } from '../testing/joining-device.js';
import { startDevice2LinkingFlow, stopDevice2LinkingFlow } from './device2.js';
import { heldKey } from './link-keys.js';
import { resumeLinks } from './resume-links.js';

beforeEach(prepare);

/** Which keys of a linking this page's memory holds. */
async function heldIn(context: FlowContext): Promise<string[]> {
  const entry = { accountId: ALICE, key: OWN, replaces: TEMPORARY, sealedBy: 'passkey' } as LinkEntry;
  const held = await Promise.allSettled(
    [TEMPORARY, OWN].map(
      async ({ publicKey }) => (await heldKey(context, entry, publicKey)).sealed.publicKey,
    ),
  );
  return held.flatMap((key) => (key.status === 'fulfilled' ? [key.value] : []));
}

describe('this page’s memory of the keys of a linking (core 4)', () => {
  it('has the temporary key while its code is shown, and none after a cancel [S5]', async () => {
    const { context, chain, sealed } = make();
    chain.mapping = null;
    await startDevice2LinkingFlow(context, {});
    expect(await heldIn(context)).toEqual([TEMPORARY.publicKey]);
    await stopDevice2LinkingFlow(context);
    expect([await heldIn(context), sealed.size]).toEqual([[], 0]);
  });

  type Made = ReturnType<typeof make>;
  it.each<[how: string, code: string, spoil: (made: Made) => void, accountId?: string]>([
    [
      'an account named it without adding it',
      'ACCOUNT_NOT_OWNED',
      ({ chain }) => {
        chain.keys.delete(TEMPORARY.publicKey);
      },
    ],
    [
      'the user cancelled',
      'CANCELLED',
      ({ decision }) => {
        decision.value = 'cancel';
      },
    ],
    [
      'the registry refused',
      'REGISTRATION_FAILED',
      ({ chain }) => {
        chain.takes = false;
      },
    ],
    [
      'the temporary key went from the account',
      'LINK_KEY_GONE',
      ({ chain }) => {
        chain.onSend = () => {
          chain.keys.delete(TEMPORARY.publicKey);
          throw refused('InvalidAccessKeyError');
        };
      },
    ],
    ['the key of option E was added and removed again', 'LINK_KEY_GONE', () => undefined, ALICE],
  ])('has none once %s', async (_, code, spoil, accountId) => {
    const made = make();
    spoil(made);
    expect(await made.link(accountId)).toMatchObject({ code });
    expect([await heldIn(made.context), made.sealed.size, made.journal.size]).toEqual([[], 0, 0]);
  });

  it('has none once the device is linked', async () => {
    const { context, link } = make();
    expect(await link()).toMatchObject({ success: true });
    expect(await heldIn(context)).toEqual([]);
  });

  it('keeps the keys of a linking that is still open, until it is completed', async () => {
    const { context, chain, journal, link } = make();
    chain.onSend = () => {
      throw unanswered();
    };
    expect(await link()).toMatchObject({ code: 'LINK_PENDING' });
    expect(await heldIn(context)).toEqual([TEMPORARY.publicKey, OWN.publicKey]);
    chain.onSend = () => undefined;
    expect(await resumeLinks(context, [...journal.values()])).toMatchObject({ committed: [ALICE] });
    expect(await heldIn(context)).toEqual([]);
  });
});
