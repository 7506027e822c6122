// The recovery phrase: its key comes to the account, and its words let a new passkey in.
import { generateSeedPhrase, parseSeedPhrase } from 'near-seed-phrase';
import type { FaultFlow, Outcome } from './harness.js';
import {
  assertNoComplaint,
  complain,
  fund,
  inNewSession,
  keysOnChain,
  loggedIn,
  registered,
} from './steps.js';
import type { World } from './world.js';

const CONFIG = { keyExport: { sameOrigin: true } };

const keyOf = (words: string): string => parseSeedPhrase(words).publicKey;
const paperOf = (world: World) => world.call(async ({ paper }) => paper);

/** The keys of the phrases that this case's user has written down. */
async function writtenKeys(world: World): Promise<string[]> {
  const { written } = await paperOf(world);
  return written.slice(Number(world.notes.get('written'))).map(keyOf);
}

/** Writes a phrase down, unless the account's list of devices has the key of one that an earlier try showed. */
async function addPhrase(world: World): Promise<Outcome> {
  const login = await loggedIn(world);
  if (!login.success) return login;
  const { accountId: nearAccountId, notes } = world;
  const written = await writtenKeys(world);
  if (written.length > 0) {
    const { recoveryKeys = [] } = await world.call(({ manager }) => manager.getLinkedDevices(nearAccountId));
    const found = recoveryKeys.find((key) => written.includes(key));
    if (found !== undefined) {
      notes.set('added', found);
      return { success: true };
    }
  }
  const added = await world.call(({ manager }) =>
    manager.addRecoveryKey({ nearAccountId, options: { waitUntil: 'FINAL' } }),
  );
  if (added.errorCode === 'RECOVERY_KEY_NOT_ADDED' && added.publicKey !== null) {
    // The user throws these words away.
    notes.set('refused', `${notes.get('refused') ?? ''} ${added.publicKey}`);
  }
  if (added.success && added.publicKey !== null) notes.set('added', added.publicKey);
  return added;
}

/** The chain has the key of the words that the user keeps, and no key without words. */
async function verifyAdded(world: World): Promise<void> {
  const { stack, accountId, notes } = world;
  const before = (notes.get('before') ?? '').split(' ');
  const keys = await keysOnChain(stack, accountId);
  const made = keys.filter((key) => !before.includes(key));
  const [written, { recoveryKeys = [] }, devices] = await Promise.all([
    writtenKeys(world),
    world.call(({ manager }) => manager.getLinkedDevices(accountId)),
    stack.oracle.authenticators(accountId),
  ]);
  const added = notes.get('added') ?? '';
  if (!made.includes(added)) throw new Error(`the account has ${made}, and the user was told ${added}`);
  if (!before.every((key) => keys.includes(key))) throw new Error(`a key of ${before} is gone from ${keys}`);
  for (const key of made) {
    if (!written.includes(key)) throw new Error(`nobody has the words of ${key}`);
    if (!recoveryKeys.includes(key)) throw new Error(`the list of devices does not name ${key}`);
    if ((notes.get('refused') ?? '').includes(key))
      throw new Error(`the user was told that the words of ${key} open nothing`);
  }
  if (devices.length !== 1) throw new Error(`${devices.length} devices`);
}

/** Makes an account with the key of a phrase, whose passkey this browser lacks. */
async function withPhrase(world: World): Promise<void> {
  const { funders, oracle } = world.stack;
  const prefix = world.accountId.split('.')[0] ?? '';
  const { seedPhrase, publicKey } = generateSeedPhrase();
  const { accountId } = await funders.during((funder) =>
    oracle.makeAccountElsewhere(prefix, funder, [publicKey]),
  );
  world.accountId = accountId;
  world.notes.set('before', (await keysOnChain(world.stack, accountId)).join(' '));
  (await paperOf(world)).typed = seedPhrase;
}

async function restore(world: World): Promise<Outcome> {
  const { accountId: nearAccountId, notes } = world;
  if (notes.has('tried')) {
    // An earlier try may have let the passkey in, and only its answer was lost.
    const login = await loggedIn(world);
    if (login.success) return login;
  }
  notes.set('tried', 'yes');
  const restored = await world.call(({ manager }) => manager.recoverWithPhrase({ nearAccountId }));
  const { read } = await paperOf(world);
  const wrong = read.find((text) =>
    /not a word|do not belong|does not have their key|full access/.test(text),
  );
  if (wrong !== undefined) complain(world, `the viewer said of the right words: ${wrong}`);
  return restored.success ? loggedIn(world) : restored;
}

/** One new key, of one new device; the words open the account as before. */
async function verifyRestored(world: World): Promise<void> {
  assertNoComplaint(world);
  const { stack, accountId, notes } = world;
  const before = (notes.get('before') ?? '').split(' ');
  const [keys, devices, own] = await Promise.all([
    keysOnChain(stack, accountId),
    stack.oracle.authenticators(accountId),
    world.call(({ manager }) => manager.getLoginState(accountId)),
  ]);
  const made = keys.filter((key) => !before.includes(key));
  if (keys.length !== before.length + 1 || made[0] !== own.publicKey)
    throw new Error(`the account has ${keys}, had ${before}, and this device has ${own.publicKey}`);
  const named = devices.map(([, { near_public_key: key }]) => key);
  if (named.length !== 1 || named[0] !== own.publicKey) throw new Error(`the registry names ${named}`);
}

export const PHRASE_FLOWS: readonly FaultFlow[] = [
  {
    name: 'a recovery phrase, written down',
    config: CONFIG,
    setUp: async (world) => {
      await registered(world);
      await fund(world);
    },
    prepare: async (world) => {
      await inNewSession(world);
      const { written } = await paperOf(world);
      world.notes.set('written', String(written.length));
      world.notes.set('before', (await keysOnChain(world.stack, world.accountId)).join(' '));
    },
    run: addPhrase,
    verify: verifyAdded,
  },
  {
    name: 'an account opened again by its phrase',
    config: CONFIG,
    prepare: withPhrase,
    run: restore,
    verify: verifyRestored,
  },
];
