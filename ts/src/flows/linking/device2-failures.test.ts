import { beforeEach, describe, expect, it, vi } from 'vitest';
import { CRYPTO_FAILED, LatchkeyError, PASSKEY_EXISTS, SESSION_EXPIRED } from '../../errors/account.js';
import { HOST_NOT_IN_REGISTRY } from '../../errors/frame.js';
import type { LinkEntry } from '../../storage/records.js';
import {
  ALICE,
  createPasskey,
  make,
  OWN,
  prepare,
  refused,
  TEMPORARY,
  UNDER_PRF,
  unanswered,
  untilDone,
} from '../testing/joining-device.js';
import { signalUnknownCredential as signalled } from '../testing/stub-browser.js';
import { abandon } from './device2-join.js';

beforeEach(prepare);

describe('a linking in a page that the registry would refuse (frame 8)', () => {
  it('shows no code and makes neither a key nor a passkey', async () => {
    const { context, link, sealed, events } = make();
    const assertHost = () => Promise.reject(new LatchkeyError(HOST_NOT_IN_REGISTRY));
    Object.assign(context, { assertHost });
    expect(await link()).toMatchObject({ code: 'HOST_NOT_IN_REGISTRY' });
    expect(events.map(({ phase }) => phase)).not.toContain('qr-code-generated');
    expect(sealed.size).toBe(0);
    expect(createPasskey).not.toHaveBeenCalled();
  });
});

describe('a failed linking (core 8)', () => {
  type Made = ReturnType<typeof make>;
  const crypto = new LatchkeyError(CRYPTO_FAILED, { values: { reason: 'no key' } });
  const cases: readonly [code: string, message: string, spoil: (made: Made) => void, accountId?: string][] = [
    [
      'CANCELLED',
      'User cancelled link-device confirmation (Option F)',
      ({ decision }) => {
        decision.value = 'cancel';
      },
    ],
    [
      'CANCELLED',
      'User cancelled link-device confirmation',
      ({ decision, context }) => {
        decision.value = 'cancel';
        Object.assign(context.config.confirmationConfig, { behavior: 'requireClick' });
      },
      ALICE,
    ],
    [
      'VRF_DERIVATION_FAILED',
      'Failed to derive VRF keypair from PRF for real account',
      ({ worker }) => {
        worker.deriveKeypairFromPrf = crypto;
      },
    ],
    [
      'VRF_DERIVATION_FAILED',
      'Failed to derive VRF keypair from PRF for Option E',
      ({ worker }) => {
        worker.deriveKeypairFromPrf = crypto;
      },
      ALICE,
    ],
    [
      'CRYPTO_FAILED',
      'Failed to derive NEAR keypair in step 1',
      ({ worker }) => {
        worker.deriveAndSeal = crypto;
      },
    ],
    [
      'PASSKEY_SYNCED',
      `A passkey of ${ALICE} is on this device already, synced from another one. Recover the account with it: no linking is needed.`,
      () => {
        createPasskey.mockRejectedValueOnce(
          new LatchkeyError(PASSKEY_EXISTS, { values: { account: ALICE } }),
        );
      },
    ],
    [
      'REGISTRATION_FAILED',
      'Missing temporary private key or account ID for key replacement',
      ({ store }) => {
        store.sealedKeys.get = async () => undefined;
      },
    ],
    [
      'REGISTRATION_FAILED',
      'Key replacement failed: The chain rejected the transaction: InvalidSignature',
      ({ chain }) => {
        chain.onSend = () => {
          throw refused('InvalidSignature');
        };
      },
    ],
    [
      'LINK_KEY_GONE',
      `The key of this device is no longer on ${ALICE}`,
      ({ chain }) => {
        chain.onSend = () => {
          chain.keys.delete(TEMPORARY.publicKey);
          throw refused('InvalidAccessKeyError');
        };
      },
    ],
    [
      'INSUFFICIENT_BALANCE',
      `${ALICE} has 0.001 NEAR free, and this needs 0.04665 NEAR`,
      ({ chain }) => {
        chain.balance = `1${'0'.repeat(21)}`;
      },
    ],
    [
      'INSUFFICIENT_BALANCE',
      `${ALICE} has 0.001 NEAR free, and this needs 0.02 NEAR`,
      ({ chain }) => {
        chain.onSend = () => {
          throw refused('NotEnoughBalance', { balance: `1${'0'.repeat(21)}`, cost: `2${'0'.repeat(22)}` });
        };
      },
    ],
    [
      'SIGNING_FAILED',
      'Failed to sign registration transaction',
      ({ chain, worker }) => {
        chain.onSend = () => {
          worker.signWithSealedKey = crypto;
        };
      },
    ],
    [
      'REGISTRATION_FAILED',
      'WebAuthn credential not available after VRF migration',
      ({ store, journal }) => {
        store.journal.open = async (entry) =>
          journal.set(entry.accountId, Object.assign(entry, { request: {} })).size > 0;
      },
    ],
    [
      'REGISTRATION_FAILED',
      'The registry did not accept this device: it gave no reason',
      ({ chain }) => {
        chain.verified = false;
      },
    ],
    [
      'REGISTRATION_FAILED',
      'The registry did not accept this device: not fresh',
      ({ chain }) => {
        chain.takes = false;
      },
    ],
    [
      'ACCOUNT_NOT_OWNED',
      `${ALICE} names the key of this device, but has not added it`,
      ({ chain }) => {
        chain.keys.delete(TEMPORARY.publicKey);
      },
    ],
  ];

  it.each(cases)('reports %s: %s', async (code, message, spoil, accountId) => {
    const made = make();
    spoil(made);
    const end = await made.link(accountId);
    expect(end).toMatchObject({ code });
    expect('message' in end && end.message).toContain(message);
    expect(made.events.at(-1)).toMatchObject({ status: 'error', step: 0, error: { code } });
    expect(made.sealed.size).toBe(0);
    expect(made.store.commitEntry).not.toHaveBeenCalled();
  });

  it.each([
    ['the passkey of option E', 1, 'User cancelled link-device confirmation', ALICE],
    ['a new passkey of option E', 2, 'User cancelled link-device confirmation (Option E regen)', ALICE],
    ['the passkey of option F', 1, 'User cancelled link-device confirmation (Option F)', undefined],
  ])('says exactly what the user cancelled: %s', async (_, cancelledAt, message, accountId) => {
    const { context, link, chain, store, journal } = make();
    let asked = 0;
    const show = async () => {
      asked += 1;
      return asked === cancelledAt ? 'cancel' : 'confirm';
    };
    Object.assign(context, { confirmer: () => ({ show }) });
    Object.assign(context.config.confirmationConfig, { behavior: 'requireClick' });
    if (accountId) chain.keys.add(OWN.publicKey);
    // The first passkey is too old for the registry once its code is shown.
    store.journal.open = async (entry) => {
      chain.height += 300;
      return journal.set(entry.accountId, entry).size > 0;
    };
    const end = await link(accountId);
    expect([end, asked]).toEqual([{ code: 'CANCELLED', message }, cancelledAt]);
  });

  it('reports SESSION_EXPIRED when every new passkey comes too late', async () => {
    const { link, chain } = make();
    chain.verified = false;
    chain.onSend = (step) => {
      if (step === 'registration') chain.height += 300;
    };
    expect(await link()).toMatchObject({ code: 'SESSION_EXPIRED', message: 'Session expired' });
  });

  it('logs only a warning when the cleanup fails too, and keeps the first error', async () => {
    const { link, chain, store, warn, worker } = make();
    chain.onSend = () => {
      worker.status = new Error('the worker is gone');
      store.journal.entry = async () => {
        throw new Error('the disk is gone');
      };
      throw refused('InvalidSignature');
    };
    store.sealedKeys.drop.mockRejectedValueOnce(new Error('the disk is gone'));
    expect(await link()).toMatchObject({ code: 'REGISTRATION_FAILED' });
    expect(warn.mock.calls.map(([text]) => text)).toEqual([
      'Device linking could not look for what is left',
      'Device linking could not drop the temporary key',
    ]);
  });

  it('stops polling when the code expires', async () => {
    const { context, link, chain } = make();
    chain.mapping = null;
    const looks: number[] = [];
    const begin = Date.now();
    const { callFunction } = context.rpc;
    vi.spyOn(context.rpc, 'callFunction').mockImplementation((contract, method) => {
      expect(method).toBe('get_device_linking_account');
      looks.push(Date.now() - begin);
      return callFunction(contract, method);
    });
    expect(await link()).toEqual({ code: 'SESSION_EXPIRED', message: 'Device linking session expired' });
    // Every 3 s for 15 minutes. The clock goes on while a real digest is computed.
    const gaps = looks.slice(1).map((look, index) => look - (looks[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(3_000);
    expect(Math.max(...gaps)).toBeLessThan(6_000);
    expect(looks.at(-1)).toBeGreaterThan(14.5 * 60_000);
    const polled = looks.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(looks).toHaveLength(polled);
  });
});

describe('a device that slept while its code was shown (core 8)', () => {
  /** Lets the device sleep between two looks while the chain makes this many blocks; then the registry shows `mapping`. */
  function sleeping(blocks: number, mapping: unknown = null) {
    const made = make();
    made.chain.mapping = null;
    const { context, chain } = made;
    const { callFunction } = context.rpc;
    let looks = 0;
    vi.spyOn(context.rpc, 'callFunction').mockImplementation((...asked) => {
      looks += 1;
      if (looks === 3) Object.assign(chain, { height: chain.height + blocks, mapping });
      return callFunction(...asked);
    });
    return made;
  }

  it.each([undefined, ALICE])(
    'hears at the first look that a scan may have come and gone (%s)',
    async (accountId) => {
      const { link, chain, journal } = sleeping(201);
      chain.keys.delete(TEMPORARY.publicKey);
      const begin = Date.now();
      expect(await link(accountId)).toEqual({
        code: 'SESSION_EXPIRED',
        message:
          'This device was asleep or offline for too long to know whether the code was scanned. Show a new code.',
      });
      expect(Date.now() - begin).toBeLessThan(30_000);
      expect(journal.size).toBe(0);
    },
  );

  it('goes on where the registry would still show a scan', async () => {
    const { link, events } = sleeping(200);
    expect(await link()).toMatchObject({ message: 'Device linking session expired' });
    expect(events.at(0)).toMatchObject({ phase: 'qr-code-generated' });
  });

  it('joins by a scan that it slept through, where the key is still there', async () => {
    const { link } = sleeping(201, [ALICE, 1]);
    expect(await link()).toMatchObject({ success: true, nearAccountId: ALICE });
  });
});

describe('a key that was added and removed again between two looks (core 4, kit 4)', () => {
  const SOON_MS = 30_000;

  it('ends the linking at the look that finds the mapping of the account that the user named', async () => {
    const { link, journal } = make();
    const begin = Date.now();
    expect(await link(ALICE)).toMatchObject({ code: 'LINK_KEY_GONE' });
    expect(Date.now() - begin).toBeLessThan(SOON_MS);
    expect(journal.size).toBe(0);
  });

  it('ends nothing because of the mapping of another account', async () => {
    const { link, chain } = make();
    chain.mapping = ['mallory.testnet', 1];
    expect(await link(ALICE)).toMatchObject({ code: 'SESSION_EXPIRED' });
  });

  it('ends the linking where the mapping ends before the last look', async () => {
    const { context, link, chain, events } = make();
    chain.keys.delete(TEMPORARY.publicKey);
    const { viewAccessKey } = context.rpc;
    vi.spyOn(context.rpc, 'viewAccessKey').mockImplementation((...asked) => {
      chain.mapping = null;
      return viewAccessKey(...asked);
    });
    const begin = Date.now();
    expect(await link()).toMatchObject({ code: 'ACCOUNT_NOT_OWNED' });
    expect(Date.now() - begin).toBeLessThan(SOON_MS);
    const waits = events.filter(({ phase }) => phase === 'polling').map(({ data }) => data?.nearAccountId);
    expect(new Set(waits)).toEqual(new Set([undefined, ALICE]));
  });
});

describe('a lagging node', () => {
  it('does not undo the linking of a passkey whose key another node has already shown', async () => {
    const { link, chain, context } = make();
    chain.keys.add(OWN.publicKey);
    const { viewAccessKeyList } = context.rpc;
    let lists = 0;
    Object.assign(context.rpc, {
      viewAccessKeyList: async (account: string) => {
        lists += 1;
        return lists > 2 ? viewAccessKeyList(account) : { keys: [] };
      },
    });
    expect(await link(ALICE)).toMatchObject({ success: true });
    expect(chain.sent).toEqual(['registration']);
  });

  /** Makes the next answer of the key list come from a block before the key was added. */
  const lagOnce = ({ context }: ReturnType<typeof make>) => {
    const { viewAccessKeyList } = context.rpc;
    Object.assign(context.rpc, {
      viewAccessKeyList: async () => {
        Object.assign(context.rpc, { viewAccessKeyList });
        return { keys: [] };
      },
    });
  };

  it('does not end an earlier linking: the next start continues with its passkey', async () => {
    const made = make();
    const { link, chain, journal } = made;
    chain.keys.add(OWN.publicKey);
    chain.onSend = () => {
      throw unanswered();
    };
    expect(await link(ALICE)).toMatchObject({ code: 'LINK_PENDING' });
    expect(journal.size).toBe(1);
    chain.onSend = () => undefined;
    lagOnce(made);
    expect(await link(ALICE)).toMatchObject({ success: true });
    expect(createPasskey).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['shows the key at last', {}],
    [
      'never shows it, and something was sent',
      { registration: { hash: 'hash', borshBytes: Uint8Array.of(2) } },
    ],
  ])('does not make a failed linking be dropped when it %s', async (_, sent) => {
    const made = make();
    const { context, chain, journal } = made;
    const entry = {
      kind: 'link',
      accountId: ALICE,
      key: OWN,
      replaces: null,
      ...sent,
    } as unknown as LinkEntry;
    journal.set(ALICE, entry);
    if (!('registration' in sent)) {
      chain.keys.add(OWN.publicKey);
      lagOnce(made);
    }
    let isOver = false;
    void abandon(context, entry, new LatchkeyError(SESSION_EXPIRED)).then(() => {
      isOver = true;
    });
    await untilDone(() => isOver);
    expect(journal.get(ALICE)).toBe(entry);
    expect(made.warn).not.toHaveBeenCalled();
  });

  it('is believed after several looks, and a linking that came to nothing is dropped', async () => {
    const { context, journal } = make();
    const entry = { kind: 'link', accountId: ALICE, key: OWN, replaces: null } as unknown as LinkEntry;
    journal.set(ALICE, entry);
    void abandon(context, entry, new LatchkeyError(SESSION_EXPIRED));
    await untilDone(() => journal.size === 0);
    expect(journal.size).toBe(0);
  });

  it('does not bring back the swapped key: the key on the account keeps signing', async () => {
    const { link, chain, context, journal } = make();
    const { viewAccessKeyList } = context.rpc;
    let isLagging = false;
    Object.assign(context.rpc, {
      viewAccessKeyList: async (account: string) =>
        isLagging
          ? { keys: [{ public_key: TEMPORARY.publicKey, access_key: { permission: 'FullAccess' } }] }
          : viewAccessKeyList(account),
    });
    chain.onSend = (step) => {
      if (step === 'swap') isLagging = true;
      // Another device took the number meanwhile.
      if (step === 'registration' && chain.counter === 1) {
        chain.counter = 2;
        chain.verified = false;
      }
    };
    const openedAnew: unknown[] = [];
    Object.assign(context.store.journal, {
      update: async (entry: LinkEntry, change: Partial<LinkEntry>) => {
        journal.set(entry.accountId, { ...entry, ...change });
        if (change.deviceNumber === 3) openedAnew.push(change);
      },
    });
    await link();
    expect(openedAnew).toMatchObject([{ replaces: { publicKey: OWN.publicKey, ...UNDER_PRF } }]);
  });
});

describe('a key that is removed while its passkey is being registered', () => {
  it('ends the linking with LINK_KEY_GONE and leaves no entry to continue', async () => {
    const { link, chain, journal } = make();
    chain.keys.add(OWN.publicKey);
    chain.onSend = () => void chain.keys.delete(OWN.publicKey);
    expect(await link(ALICE)).toMatchObject({ code: 'LINK_KEY_GONE' });
    expect(journal.size).toBe(0);
  });
});

describe('the passkey of a linking that failed (core 4)', () => {
  const unknown = { rpId: 'localhost', credentialId: 'credential' };

  it('is forgotten by the browser where the registry refused it before anything was sent', async () => {
    const { link, chain } = make();
    chain.takes = false;
    expect(await link()).toMatchObject({ code: 'REGISTRATION_FAILED' });
    expect(chain.sent).not.toContain('registration');
    expect(signalled).toHaveBeenCalledExactlyOnceWith(unknown);
  });

  it('is forgotten where its key went from the account before its registration was sent', async () => {
    const { link, chain } = make();
    chain.onSend = () => {
      chain.keys.delete(TEMPORARY.publicKey);
      throw refused('InvalidAccessKeyError');
    };
    expect(await link()).toMatchObject({ code: 'LINK_KEY_GONE' });
    expect(signalled).toHaveBeenCalledExactlyOnceWith(unknown);
  });

  it('is kept while its key is the one on the account, also where a newer passkey takes its place', async () => {
    const { link, chain } = make();
    chain.verified = false;
    let registrations = 0;
    chain.onSend = (step) => {
      if (step !== 'registration') return;
      registrations += 1;
      chain.height += 300;
      expect(signalled).not.toHaveBeenCalled();
    };
    expect(await link()).toMatchObject({ code: 'SESSION_EXPIRED' });
    expect(registrations).toBeGreaterThan(1);
    expect(signalled).not.toHaveBeenCalled();
  });

  it.each<[how: string, end: () => unknown]>([
    ['nobody says what became of its registration', unanswered],
    ['its key is refused after its registration was sent', () => refused('InvalidAccessKeyError')],
  ])('is kept where %s', async (_, end) => {
    const { link, chain } = make();
    chain.onSend = (step) => {
      if (step !== 'registration') return;
      chain.keys.delete(OWN.publicKey);
      throw end();
    };
    expect(await link()).toMatchObject({ code: expect.stringMatching(/^LINK_/) });
    expect(createPasskey).toHaveBeenCalledTimes(1);
    expect(signalled).not.toHaveBeenCalled();
  });
});
