'use client';
import type {
  Confirmer,
  ConfirmModel,
  ConnectChoice,
  ConnectModel,
  Decision,
  ScanModel,
  Theme,
  ViewerLook,
  WaitingModel,
} from 'latchkey';
import type { ConfirmScreen } from './confirm-screen.js';

export interface ReactConfirmerOptions {
  /** The theme chosen on this page; overrides the model's. */
  theme?: (() => Theme | undefined) | undefined;
  /** A notice for the foot of each confirmation, read when its dialog opens. */
  notice?: (() => string | undefined) | undefined;
}

export interface ReactConfirmer extends Confirmer {
  wait(model: WaitingModel, signal: AbortSignal): Promise<void>;
  choose(model: ConnectModel, signal: AbortSignal): Promise<ConnectChoice>;
  scan(model: ScanModel, signal: AbortSignal): Promise<string>;
  viewerLook(): Promise<ViewerLook>;
  errorText: NonNullable<Confirmer['errorText']>;
  /** Draws an open confirmation in another theme; the next one asks for its own. */
  setTheme(theme: Theme): void;
  /** Loads the confirm UI early, so that the first confirmation opens without a wait. */
  preload(): Promise<void>;
}

/**
 * Implements the facade's Confirmer with this package's UI, which loads at first use. Flows take turns: one is on
 * screen at a time, and keeps its turn until its signal aborts.
 */
export function createReactConfirmer(options: ReactConfirmerOptions = {}): ReactConfirmer {
  let loading: Promise<typeof import('./confirm-screen.js')> | undefined;
  let turn: Turn | undefined;
  let screen: ConfirmScreen | undefined;

  function load() {
    loading ??= import('./confirm-screen.js');
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  }

  /** Waits until no other flow is on screen, then takes the turn. False if the flow ended while waiting. */
  async function takeTurn(model: ConfirmModel | undefined, signal: AbortSignal): Promise<boolean> {
    while (turn && !(model && isAnotherTry(turn, model, signal))) {
      await Promise.race([turn.ended, whenAborted(signal)]);
      if (signal.aborted) return false;
    }
    if (turn?.signal === signal) return true;
    const mine: Turn = {
      signal,
      digest: model?.digest,
      ended: whenAborted(signal).then(() => endTurn(mine)),
    };
    turn = mine;
    return true;
  }

  function endTurn(ended: Turn) {
    if (turn !== ended) return;
    screen?.close();
    screen = undefined;
    turn = undefined;
  }

  return {
    errorText: async (error) => (await import('../texts/error-text.js')).loadedErrorText(error),
    viewerLook: async () => (await import('./viewer-look.js')).viewerLook(),
    setTheme: (theme) => screen?.setTheme(theme),
    async preload() {
      await load();
    },
    async show(model: ConfirmModel, signal: AbortSignal): Promise<Decision> {
      if (signal.aborted || !(await takeTurn(model, signal))) return 'cancel';
      const { openConfirmScreen } = await load();
      if (signal.aborted) return 'cancel';
      if (!screen) {
        screen = openConfirmScreen(options.notice?.());
        // The first draw is long, and gets a task of its own.
        await nextTask();
        if (signal.aborted) return 'cancel';
      }
      const theme = options.theme?.();
      return screen.ask(theme ? { ...model, theme } : model, signal);
    },
    async wait(model: WaitingModel, signal: AbortSignal): Promise<void> {
      if (signal.aborted || !(await takeTurn(undefined, signal))) return;
      const { openWaitingScreen } = await load();
      if (signal.aborted) return;
      const theme = options.theme?.() ?? model.theme;
      await new Promise<void>((resolve) => {
        const close = openWaitingScreen({ ...model, theme }, resolve);
        signal.addEventListener(
          'abort',
          () => {
            close();
            resolve();
          },
          { once: true },
        );
      });
    },
    async choose(model: ConnectModel, signal: AbortSignal): Promise<ConnectChoice> {
      if (signal.aborted || !(await takeTurn(undefined, signal))) return { kind: 'cancel' };
      const { chooseOnScreen } = await import('../connect/choose-screen.js');
      return chooseOnScreen({ ...model, theme: options.theme?.() ?? model.theme }, signal);
    },
    async scan(model: ScanModel, signal: AbortSignal): Promise<string> {
      const over = new AbortController();
      const mine = AbortSignal.any([signal, over.signal]);
      try {
        await takeTurn(undefined, mine);
        const { scanOnScreen } = await import('../scanner/scan-screen.js');
        return await scanOnScreen({ ...model, theme: options.theme?.() ?? model.theme }, mine);
      } finally {
        over.abort();
      }
    },
  };
}

/** The flow on screen. */
interface Turn {
  signal: AbortSignal;
  /** Undefined while it waits for what it shows. */
  digest: string | undefined;
  ended: Promise<void>;
}

/** A later question of the same flow has its signal, or is a retry with the same digest. */
function isAnotherTry(turn: Turn, model: ConfirmModel, signal: AbortSignal): boolean {
  return turn.signal === signal || (model.retry !== undefined && model.digest === turn.digest);
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
