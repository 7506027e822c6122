/**
 * The only file that the phrase viewer's document runs, built as one classic script like the key viewer's. It accepts only
 * the first message of the window that frames it.
 */
import { CONNECT, type Connect, type PhraseModel } from './contract.js';
import type { EnterPhraseTexts, ShowPhraseTexts } from './phrase-viewer-texts.js';
import { enterPhrase } from './viewer/enter-phrase.js';
import type { CommonLook } from './viewer/parts.js';
import { refuseEverythingElse } from './viewer/policy.js';
import { showPhrase } from './viewer/show-phrase.js';

type Look = CommonLook & { readonly texts: ShowPhraseTexts & EnterPhraseTexts };

function onMessage({ source, data, ports }: MessageEvent<Partial<Connect<PhraseModel, Look>> | null>): void {
  const [page] = ports;
  if (source !== window.parent || data?.type !== CONNECT || !data.model || !data.look || !page) return;
  removeEventListener('message', onMessage);
  if (data.model.purpose === 'show') showPhrase(data.model, data.look, page);
  else enterPhrase(data.model, data.look, page);
}

refuseEverythingElse();
if (window.parent !== window) addEventListener('message', onMessage);
