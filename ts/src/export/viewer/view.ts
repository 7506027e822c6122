/** The key viewer's markup. */
import type { ViewerModel } from '../contract.js';
import type { ViewerLook } from '../viewer-texts.js';
import { button, drawShell, element, facts, warningList } from './parts.js';

/** Trusted events only: a scripted click or key press does nothing. */
export interface ViewerHandlers {
  onContinue(): void;
  onShow(): void;
  onHide(): void;
  onCopy(): void;
  onClose(): void;
}

export interface View {
  /** The part that the user must see before clicking. */
  readonly dialog: HTMLElement;
  /** The button that leaves: Cancel, then Done. */
  readonly leave: HTMLElement;
  /** Whether the user has seen the dialog as it is now; the buttons that wait for that ignore presses, and show it. */
  seen(isSeen: boolean): void;
  /** Shows that the browser asks for the passkey. */
  wait(): void;
  /** Returns to the warning, with the error. */
  warnAgain(error: string): void;
  /** Shows that the key has arrived, hidden. */
  ready(): void;
  reveal(key: string): void;
  hide(): void;
  /** Reports the result of a copy. */
  say(text: string): void;
}

const MASK = '•'.repeat(24);

export function drawViewer(model: ViewerModel, look: ViewerLook, handlers: ViewerHandlers): View {
  const { texts } = look;
  const error = element('p', { className: 'error', role: 'alert', hidden: true });
  const text = element('code', { className: 'text', ariaLabel: texts.hidden, role: 'img' }, MASK);
  const show = button(texts.show, 'button', () => (isRevealed() ? handlers.onHide() : handlers.onShow()));
  const copy = button(texts.copy, 'button', handlers.onCopy);
  const held = element(
    'section',
    { className: 'held', ariaLabel: texts.privateKey, hidden: true },
    text,
    element('div', { className: 'buttons' }, show, copy),
  );
  const leave = button(texts.cancel, 'button', handlers.onClose);
  const go = button(texts.continue, 'button primary danger', handlers.onContinue);
  const account = facts([
    [texts.account, model.accountId],
    [texts.network, model.networkId],
    [texts.publicKey, model.publicKey],
  ]);
  const { dialog, title, lead, body, status } = drawShell(
    model,
    look,
    {
      title: texts.title,
      lead: texts.lead,
      label: texts.label,
      body: [error, held, warningList(texts.warnings), account],
      buttons: [leave, go],
    },
    handlers.onClose,
  );

  let isSeen = false;
  let isBusy = false;
  let isKeyHere = false;
  const drawButtons = (): void => {
    go.ariaDisabled = isSeen && !isBusy ? null : 'true';
    for (const act of [show, copy]) act.ariaDisabled = isSeen && isKeyHere ? null : 'true';
  };
  drawButtons();

  const isRevealed = (): boolean => text.classList.contains('revealed');

  function hide(): void {
    text.classList.remove('revealed');
    text.textContent = MASK;
    text.role = 'img';
    text.ariaLabel = texts.hidden;
    show.textContent = texts.show;
  }

  return {
    dialog,
    leave,
    seen(next) {
      isSeen = next;
      drawButtons();
    },
    wait() {
      error.hidden = true;
      dialog.ariaBusy = 'true';
      isBusy = true;
      drawButtons();
      status.textContent = texts.busy;
    },
    warnAgain(message) {
      error.textContent = message;
      error.hidden = false;
      body.scrollTop = 0;
      dialog.ariaBusy = null;
      isBusy = false;
      drawButtons();
      go.textContent = texts.again;
      status.textContent = '';
      go.focus();
    },
    ready() {
      isKeyHere = true;
      dialog.ariaBusy = null;
      title.textContent = texts.keyTitle;
      lead.textContent = texts.keyLead;
      status.textContent = texts.keyHere;
      held.hidden = false;
      body.ariaLabel = texts.keyTitle;
      body.scrollTop = 0;
      go.remove();
      leave.textContent = texts.done;
      leave.classList.add('primary');
      show.focus();
    },
    reveal(key) {
      text.classList.add('revealed');
      text.textContent = key;
      text.role = null;
      text.ariaLabel = null;
      show.textContent = texts.hide;
      status.textContent = '';
    },
    hide,
    say(words) {
      status.textContent = words;
    },
  };
}
