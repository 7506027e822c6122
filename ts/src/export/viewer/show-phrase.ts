/** Shows a new phrase, once: warns, shows the words on a click, and closes when the user has typed two of them. */
import { guardClicks } from '../../confirm/guard.js';
import type { PhraseDelivery } from '../../workers/phrase-api.js';
import type { PhraseModel } from '../contract.js';
import type { ShowPhraseTexts } from '../phrase-viewer-texts.js';
import { button, type CommonLook, drawShell, element, facts, warningList } from './parts.js';
import { DECIDE_LIMIT_MS, startSession } from './session.js';
import { filled, WORDS, wordField, wordOf } from './word-fields.js';

/** The user's time to write twelve words by hand, and to type two of them. */
const HOLD_LIMIT_MS = 15 * 60_000;
const ASKED = 2;

export function showPhrase(
  model: Extract<PhraseModel, { readonly purpose: 'show' }>,
  look: CommonLook & { readonly texts: ShowPhraseTexts },
  page: MessagePort,
): void {
  const { texts } = look;
  let phrase: Uint8Array | undefined;
  let isSeen = false;
  const session = startSession(page, {
    limitMs: DECIDE_LIMIT_MS,
    onPort: (port) => {
      port.onmessage = take;
    },
    onFailed: fail,
    onClose: wipe,
  });

  const error = element('p', { className: 'error', role: 'alert', hidden: true });
  const list = element('ol', { className: 'words', ariaLabel: texts.words, hidden: true });
  const fields = element('div', { className: 'fields', hidden: true });
  const warnings = warningList(texts.warnings);
  const leave = button(texts.cancel, 'button', () => session.close('cancel'));
  const again = button(texts.show, 'button', () => draw());
  const back = button(texts.back, 'button', () => draw());
  const go = button(texts.continue, 'button primary', request);
  const written = button(texts.written, 'button primary', ask);
  const done = button(texts.done, 'button primary', check);
  const { dialog, title, lead, body, status, buttons } = drawShell(
    model,
    look,
    {
      title: texts.title,
      lead: texts.lead,
      label: texts.label,
      body: [
        error,
        warnings,
        list,
        fields,
        facts([
          [texts.account, model.accountId],
          [texts.network, model.networkId],
        ]),
      ],
      buttons: [leave, go],
    },
    () => session.close('cancel'),
  );
  const drawGo = (): void => {
    go.ariaDisabled = isSeen && !session.isWaiting ? null : 'true';
  };
  drawGo();
  // The wallet always frames this document; the guard needs to know whether the wallet itself is framed.
  const guard = guardClicks(dialog, {
    isFramed: parent !== top,
    onChange: (next) => {
      isSeen = next;
      drawGo();
    },
  });

  function request(): void {
    if (phrase || !guard.isArmed || !session.request()) return;
    drawGo();
    error.hidden = true;
    status.textContent = texts.busy;
  }

  function fail(message: string): void {
    drawGo();
    go.textContent = texts.again;
    status.textContent = '';
    error.textContent = message;
    error.hidden = false;
  }

  function take({ data }: MessageEvent<Partial<PhraseDelivery> | null>): void {
    if (!session.isWaiting || !(data?.phrase instanceof Uint8Array)) return;
    phrase = data.phrase;
    session.hold(HOLD_LIMIT_MS);
    guard.close();
    warnings.remove();
    draw();
    session.tell({ type: 'KEY_RECEIVED' });
  }

  /** Shows the words. */
  function draw(): void {
    if (!phrase) return;
    step(texts.wordsTitle, texts.wordsLead, written);
    const held = phrase;
    const items = Array.from({ length: WORDS }, (_, at) => element('li', {}, wordOf(held, at)));
    list.replaceChildren(...items);
    list.hidden = false;
    body.focus();
  }

  /** Takes the words off the screen; `next` is the button that goes on. */
  function step(heading: string, text: string, next: HTMLElement, previous: HTMLElement = leave): void {
    list.replaceChildren();
    list.hidden = true;
    fields.replaceChildren();
    fields.hidden = true;
    error.hidden = true;
    status.textContent = '';
    title.textContent = heading;
    lead.textContent = text;
    body.ariaLabel = heading;
    body.scrollTop = 0;
    buttons.replaceChildren(previous, next);
  }

  /** Asks for two of the words, each time others. */
  function ask(): void {
    if (!phrase) return;
    step(texts.checkTitle, texts.checkLead, done, back);
    fields.replaceChildren(
      ...drawn(ASKED).map((at) => wordField(filled(texts.word, at + 1), at, () => check())),
    );
    fields.hidden = false;
    fields.querySelector('input')?.focus();
  }

  function check(): void {
    if (!phrase) return;
    for (const field of fields.querySelectorAll('input')) {
      const at = Number(field.dataset.at);
      const isRight = field.value.trim().toLowerCase() === wordOf(phrase, at);
      field.ariaInvalid = isRight ? null : 'true';
      if (isRight) continue;
      error.textContent = filled(texts.wrong, at + 1);
      error.hidden = false;
      field.focus();
      return;
    }
    session.close('done');
  }

  function wipe(): void {
    guard.close();
    phrase?.fill(0);
    phrase = undefined;
    list.replaceChildren();
    fields.replaceChildren();
  }

  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'hidden' || list.hidden) return;
    step(texts.wordsTitle, texts.wordsLead, again);
    status.textContent = texts.hidden;
  });
  session.tell({ type: 'WALLET_UI_OPENED' });
}

/** This many different positions, in order, at random. */
function drawn(count: number): number[] {
  const order = Array.from(crypto.getRandomValues(new Uint32Array(WORDS)), (value, at) => ({ value, at }));
  const picked = order.sort((a, b) => a.value - b.value).slice(0, count);
  return picked.map(({ at }) => at).sort((a, b) => a - b);
}
