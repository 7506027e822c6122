/** The embedded transaction button as an element, for pages without React. */
import type { LatchkeyError } from '../errors/latchkey-error.js';
import type { ActionResult } from '../types.js';
import {
  mountTransactionButton,
  type TransactionButton,
  type TransactionButtonOptions,
} from './transaction-button.js';

type Callback = 'onSuccess' | 'onCancel' | 'onError' | 'onLoading';

/**
 * `<latchkey-transaction-button>`: set its `options`, and listen to its events. Each event has what the callback of its
 * name gets as `detail`: `success` the results, `cancel` and `error` a LatchkeyError, `loading` a boolean.
 */
export interface TransactionButtonElement extends HTMLElement {
  options: Omit<TransactionButtonOptions, Callback> | undefined;
  setTooltipVisibility(visible: boolean): void;
}

export const TRANSACTION_BUTTON_TAG = 'latchkey-transaction-button';

/** Defines the element. Call it in a browser, once or more often. */
export function defineTransactionButton(): void {
  if (customElements.get(TRANSACTION_BUTTON_TAG)) return;

  class Element extends HTMLElement implements TransactionButtonElement {
    #options: Omit<TransactionButtonOptions, Callback> | undefined;
    #button: TransactionButton | undefined;

    get options() {
      return this.#options;
    }

    set options(options) {
      this.#options = options;
      this.#draw();
    }

    connectedCallback(): void {
      if (this.style.display === '') this.style.display = 'inline-block';
      // Set before the element was defined.
      if (Object.hasOwn(this, 'options')) {
        const { options } = this;
        Reflect.deleteProperty(this, 'options');
        this.#options = options;
      }
      this.#draw();
    }

    disconnectedCallback(): void {
      this.#button?.remove();
      this.#button = undefined;
    }

    setTooltipVisibility(visible: boolean): void {
      this.#button?.setTooltipVisibility(visible);
    }

    #draw(): void {
      if (!this.#options || !this.isConnected) return;
      const tell = (type: string, detail: readonly ActionResult[] | LatchkeyError | boolean): void =>
        void this.dispatchEvent(new CustomEvent(type, { detail }));
      const options: TransactionButtonOptions = {
        ...this.#options,
        onSuccess: (results) => tell('success', results),
        onCancel: (error) => tell('cancel', error),
        onError: (error) => tell('error', error),
        onLoading: (isLoading) => tell('loading', isLoading),
      };
      if (this.#button) this.#button.update(options);
      else this.#button = mountTransactionButton(this, options);
    }
  }

  customElements.define(TRANSACTION_BUTTON_TAG, Element);
}
