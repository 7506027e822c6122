/** Opens the phrase viewer over this document, where a phrase is shown or entered. */
import { decideConfirmation, surroundings } from '../../confirm/decide.js';
import { LatchkeyError, RECOVERY_PHRASE_OFF } from '../../errors/account.js';
import type { PhraseModel } from '../../export/contract.js';
import { type KeyViewer, openViewer } from '../../export/open-viewer.js';
import { englishEnterPhrase, englishShowPhrase } from '../../export/phrase-viewer-texts.js';
import type { UserRecord } from '../../storage/records.js';
import type { ConfirmationWish } from '../../types.js';
import { assertSecureContext } from '../../webauthn/passkeys.js';
import type { FlowContext } from '../context.js';
import { confirmationSettings } from '../session/settings.js';
import { lookOf } from '../show-key.js';

/** The viewer's script, built as one file. Every bundler finds it by this form. */
const PHRASE_VIEWER = new URL('../../export/phrase-viewer.js', import.meta.url);

export const PHRASE_CALL_LIMIT_MS = 60_000;

/** Throws RECOVERY_PHRASE_OFF where scripts of the page could reach the words, as they could reach an exported key. */
export function assertPhrasesAllowed({ config }: Pick<FlowContext, 'config'>): void {
  assertSecureContext();
  if (!config.keyExport.sameOrigin) throw new LatchkeyError(RECOVERY_PHRASE_OFF);
}

type Purpose =
  | { readonly purpose: 'show'; readonly accountId: string }
  | { readonly purpose: 'enter'; readonly accountId?: string };

/**
 * Opens it for this purpose, in the look of the user's settings. The caller closes it. A page that covers it in its frame
 * gains nothing: a blind click leads to no step that needs no word.
 */
export async function openPhraseViewer(
  context: FlowContext,
  purpose: Purpose,
  {
    user,
    wish,
    signal,
  }: {
    readonly user?: UserRecord;
    readonly wish: ConfirmationWish | undefined;
    readonly signal: AbortSignal;
  },
): Promise<KeyViewer> {
  const { uiMode, theme } = decideConfirmation({
    type: 'showSecurePrivateKeyUi',
    settings: await confirmationSettings(context, user, wish),
    at: surroundings(),
    // The viewer takes the click itself.
    hasConfirmer: true,
  });
  const { phrase, ...look } = await lookOf(context);
  const texts =
    purpose.purpose === 'show' ? (phrase?.show ?? englishShowPhrase) : (phrase?.enter ?? englishEnterPhrase);
  const model: PhraseModel = {
    ...purpose,
    networkId: context.config.networkId,
    variant: uiMode === 'drawer' ? 'drawer' : 'modal',
    theme,
  };
  signal.throwIfAborted();
  const viewer = openViewer(PHRASE_VIEWER, model, { ...look, texts }, signal);
  try {
    await viewer.opened;
    return viewer;
  } catch (error) {
    viewer.close();
    throw error;
  }
}
