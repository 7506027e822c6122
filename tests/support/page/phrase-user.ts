/**
 * A user with paper at the viewers of a page in Node: writes a phrase or a key down, types a phrase. The page's own code opens the viewer and talks to it; this
 * takes the place of the viewer's document, whose messages and ports it uses as that document does.
 */
import {
  CONNECT,
  type Connect,
  type FromViewer,
  type KeyDelivery,
  type PhraseModel,
  type ToViewer,
  type ViewerModel,
} from '../../../ts/src/export/contract.js';

/** The user's paper, which outlives pages. */
export interface Paper {
  /** Every phrase and private key that a viewer has shown, the newest last. */
  readonly written: string[];
  /** What the user types where a phrase is asked for. */
  typed: string;
  /** Every error that a viewer has shown. */
  readonly read: string[];
}

export const blankPaper = (): Paper => ({ written: [], typed: '', read: [] });

/** The phrase viewer's, or the key viewer's, which has no purpose. */
type Model = PhraseModel | ViewerModel;

const nothing = (): void => undefined;

/** The user tries this often before leaving. */
const MAX_PRESSES = 4;

/** The part of a page that opens a viewer: a document whose frames are used by this user, and what styles them. */
export function viewerGlobals(paper: Paper, end: AbortSignal) {
  const open = (port: MessagePort, model: Model): void => {
    // The page's end of it closes too.
    end.addEventListener('abort', () => port.close());
    useViewer(port, model, paper);
  };
  return {
    document: Object.assign(new EventTarget(), {
      hidden: false,
      visibilityState: 'visible',
      body: new DrawnElement(),
      createElement: (name: string) => (name === 'iframe' ? new ViewerFrame(open) : new DrawnElement()),
    }),
    getComputedStyle: () => ({ zoom: '1' }),
    CSSStyleSheet: class {
      replaceSync = nothing;
    },
  };
}

function useViewer(port: MessagePort, model: Model, paper: Paper): void {
  const isEntering = 'purpose' in model && model.purpose === 'enter';
  let presses = 0;
  const tell = (message: FromViewer): void => port.postMessage(message);
  const press = (): void => {
    presses += 1;
    if (presses > MAX_PRESSES) tell({ type: 'WALLET_UI_CLOSED', by: 'cancel' });
    else tell({ type: 'KEY_REQUESTED' });
  };
  const type = (words: MessagePort): void => {
    const phrase = new TextEncoder().encode(paper.typed);
    words.postMessage({ phrase }, [phrase.buffer]);
    words.close();
  };
  const write = (words: MessagePort): void => {
    words.onmessage = ({ data }: MessageEvent<{ phrase: Uint8Array } | KeyDelivery>) => {
      words.close();
      paper.written.push(new TextDecoder().decode('phrase' in data ? data.phrase : data.privateKey));
      tell({ type: 'KEY_RECEIVED' });
      tell({ type: 'WALLET_UI_CLOSED', by: 'done' });
    };
  };
  port.onmessage = ({ data, ports: [words] }: MessageEvent<ToViewer>) => {
    if (data.type === 'KEY_PORT' && words) (isEntering ? type : write)(words);
    if (data.type !== 'FAILED') return;
    paper.read.push(data.message);
    press();
  };
  tell({ type: 'WALLET_UI_OPENED' });
  press();
}

/** An element that is never painted. */
class DrawnElement extends EventTarget {
  readonly dataset = {};
  readonly style = {};
  readonly parentElement = null;
  adoptedStyleSheets: readonly unknown[] = [];

  attachShadow(): DrawnElement {
    return new DrawnElement();
  }

  append(...children: readonly DrawnElement[]): void {
    for (const child of children) child.attached();
  }

  readonly setAttribute = nothing;
  readonly focus = nothing;
  readonly showModal = nothing;
  readonly close = nothing;
  readonly remove = nothing;

  /** Called when it comes to its parent. */
  attached(): void {
    nothing();
  }
}

/** The viewer's frame: loads in its own task, and hands the first message of the page to `open`. */
class ViewerFrame extends DrawnElement {
  readonly contentWindow: object;

  constructor(open: (port: MessagePort, model: Model) => void) {
    super();
    this.contentWindow = {
      postMessage: (message: Connect<Model>, _target: string, [port]: [MessagePort]) => {
        if (message.type === CONNECT) open(port, structuredClone(message.model));
      },
    };
  }

  override attached(): void {
    setImmediate(() => this.dispatchEvent(new Event('load')));
  }
}
