import { describe, expect, it, vi } from 'vitest';
import { CANCELLED, LatchkeyError, POPUP_UNAVAILABLE } from '../errors/frame.js';
import { sleep } from '../sleep.js';
import { skipWaits } from '../testing/skip-waits.js';
import type { Credentials } from './credentials.js';
import { withOtherWays } from './other-ways.js';
import type { AssertedPasskey } from './read-credential.js';

skipWaits();

const asserted = { authentication: { id: 'a' }, prf: { kind: 'none' } } as unknown as AssertedPasskey;
const publicKey = { challenge: new Uint8Array(32) };
const { signal } = new AbortController();

function place(...answers: (Error | AssertedPasskey)[]) {
  let asked = 0;
  const get = vi.fn(async () => {
    const answer = answers[Math.min(asked, answers.length - 1)];
    asked += 1;
    if (answer instanceof Error) throw answer;
    return answer as AssertedPasskey;
  });
  return { create: get as unknown as Credentials['create'], get };
}
/** A place that fails after so long. */
const after = (ms: number, error: Error): Credentials => ({
  ...place(asserted),
  get: () => new Promise((_, reject) => setTimeout(() => reject(error), ms)),
});
const refusal = (message: string) => new DOMException(message, 'NotAllowedError');
const ancestors = refusal('The origin of the document is not the same as its ancestors.');
const unavailable = (isBlocked: boolean) => new LatchkeyError(POPUP_UNAVAILABLE, { details: { isBlocked } });

describe('a ceremony with other ways (frame 4, frame 10)', () => {
  it.each([
    'The origin of the document is not the same as its ancestors.',
    "Invalid 'sameOriginWithAncestors' value",
    "The 'publickey-credentials-create' feature is not enabled in this document. Permissions Policy may be used.",
    'A user activation is required to create a credential in a cross-origin iframe.',
  ])('moves on when the browser or an extension refuses the frame: %s', async (message) => {
    const here = place(refusal(message));
    const there = place(asserted);
    expect(await withOtherWays(here, [there]).get(publicKey, signal)).toBe(asserted);
    expect(here.get).toHaveBeenCalledTimes(1);
  });

  it('is what it was where there is no other way', () => {
    const here = place(asserted);
    expect(withOtherWays(here, [])).toBe(here);
    expect(withOtherWays(here, [here]).hasOtherWays).toBe(true);
  });

  it('moves on when the browser refuses to make a passkey', async () => {
    const there = place(asserted);
    const ways = withOtherWays(place(ancestors), [there]);
    expect(await ways.create(publicKey as unknown as PublicKeyCredentialCreationOptions, signal)).toBe(
      asserted,
    );
  });

  it.each([
    'The document is not focused.',
    'CredentialsContainer request is not allowed.',
    'CredentialContainer request is not allowed.',
  ])('waits twice for the focus before it moves on: %s', async (message) => {
    const unfocused = refusal(message);
    const there = place(asserted);
    const late = place(unfocused, unfocused, asserted);
    expect(await withOtherWays(late, [there]).get(publicKey, signal)).toBe(asserted);
    expect(there.get).not.toHaveBeenCalled();
    const never = place(unfocused);
    expect(await withOtherWays(never, [there]).get(publicKey, signal)).toBe(asserted);
    expect(never.get).toHaveBeenCalledTimes(3);
    expect(there.get).toHaveBeenCalledTimes(1);
  });

  it.each([
    [
      "a user's no",
      refusal('The operation either timed out or was not allowed. See: https://www.w3.org/TR/webauthn-2/'),
    ],
    ["a user's no (Safari)", refusal('This request has been cancelled by the user.')],
    ['a wrong rpId', new DOMException('The relying party ID is not a suffix.', 'SecurityError')],
  ])('does not ask again after %s', async (_, error) => {
    const there = place(asserted);
    await expect(withOtherWays(after(300, error), [there]).get(publicKey, signal)).rejects.toBe(error);
    expect(there.get).not.toHaveBeenCalled();
  });

  it.each([
    ["Chromium's words for a no", refusal('The operation either timed out or was not allowed.')],
    ['no answer at all', new LatchkeyError(CANCELLED)],
    ['an unknown refusal', refusal('Not in frames.')],
  ])('moves on when it ends before any prompt could show, with %s', async (_, error) => {
    const there = place(asserted);
    await sleep(1_000);
    expect(await withOtherWays(place(error), [there]).get(publicKey, signal)).toBe(asserted);
  });

  it('does not move on after a fast failure that is no refusal', async () => {
    const there = place(asserted);
    const error = new DOMException('One of the credentials already registered', 'InvalidStateError');
    await expect(withOtherWays(place(error), [there]).get(publicKey, signal)).rejects.toBe(error);
    expect(there.get).not.toHaveBeenCalled();
  });

  it("moves on to the bridge when no window could open, but not after a user's no in one", async () => {
    const bridge = place(asserted);
    const ways = (popup: Credentials) => withOtherWays(place(ancestors), [popup, bridge]);
    expect(await ways(place(unavailable(true))).get(publicKey, signal)).toBe(asserted);
    expect(bridge.get).toHaveBeenCalledTimes(1);
    for (const error of [refusal('The operation either timed out or was not allowed.'), unavailable(false)]) {
      await expect(ways(place(error)).get(publicKey, signal)).rejects.toBe(error);
    }
    expect(bridge.get).toHaveBeenCalledTimes(1);
  });

  it('reports the blocked window when there is no further way', async () => {
    await expect(
      withOtherWays(place(ancestors), [place(unavailable(true))]).get(publicKey, signal),
    ).rejects.toMatchObject({ code: 'POPUP_UNAVAILABLE' });
  });

  it('stops once it was aborted', async () => {
    const ended = new AbortController();
    const there = place(asserted);
    const here: Credentials = {
      ...place(asserted),
      get: async () => {
        ended.abort(new LatchkeyError(CANCELLED));
        throw ancestors;
      },
    };
    await expect(withOtherWays(here, [there]).get(publicKey, ended.signal)).rejects.toThrow();
    expect(there.get).not.toHaveBeenCalled();
  });
});
