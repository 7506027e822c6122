/** The wallet page's end of the messages in `ui-messages.ts`: draws what the host mounts, and reports on it. */
import * as v from 'valibot';
import { CANCELLED, LatchkeyError } from '../../errors/core.js';
import { read } from '../read.js';
import { copied, invalid } from '../wire-error.js';
import { toWireError } from './error-message.js';
import type { ShippedUi, UiSurroundings } from './shipped-ui.js';
import {
  MAX_MOUNTED,
  MAX_UI_SIZE,
  UI_PAYLOADS,
  type UiClosed,
  type UiError,
  type UiRequestType,
  uiId,
  uiRequestType,
} from './ui-messages.js';

interface Mounted {
  readonly ui: ShippedUi<unknown>;
  readonly props: unknown;
  /** Aborted when this drawing is gone. */
  readonly drawn: AbortController;
}

/**
 * Draws what this page's parent asks for from now on. Ignores messages of other windows and of other origins than
 * `hostOrigin`, and reports to that origin alone.
 */
export function serveUi(hostOrigin: string, surroundings: UiSurroundings): void {
  const host = window.parent;
  const mounted = new Map<string, Mounted>();

  const tell = (message: UiClosed | UiError): void => host.postMessage(message, hostOrigin);

  const tellError = (error: unknown, id?: string): void =>
    tell({ type: 'ERROR', payload: { ...(id !== undefined && { id }), ...toWireError(error) } });

  const draw = (id: string, ui: ShippedUi<unknown>, props: unknown): void => {
    const drawn = new AbortController();
    const { signal } = drawn;
    mounted.set(id, { ui, props, drawn });
    const over = (failed?: { readonly error: unknown }): void => {
      // It was unmounted or redrawn, and that was reported.
      if (signal.aborted) return;
      if (failed) tellError(failed.error, id);
      close(id, drawn);
    };
    ui.draw(props, surroundings, signal).then(
      () => over(),
      (error: unknown) => over({ error }),
    );
  };

  const close = (id: string, drawn: AbortController): void => {
    mounted.delete(id);
    drawn.abort(new LatchkeyError(CANCELLED));
    tell({ type: 'WALLET_UI_CLOSED', payload: { id } });
  };

  const mount = (id: string, ui: ShippedUi<unknown>, given: unknown): void => {
    if (mounted.has(id)) throw invalid('WALLET_UI_MOUNT', 'payload.id', 'something is mounted under it');
    if (mounted.size >= MAX_MOUNTED)
      throw invalid('WALLET_UI_MOUNT', '', `${MAX_MOUNTED} are mounted already`);
    draw(id, ui, read(ui.props, given, 'WALLET_UI_MOUNT', 'payload.props'));
  };

  const update = (id: string, given: unknown): void => {
    const { ui, props: former, drawn } = mountedAs(id, 'WALLET_UI_UPDATE');
    const props = read(ui.props, given, 'WALLET_UI_UPDATE', 'payload.props');
    if (JSON.stringify(props ?? {}) === JSON.stringify(former ?? {})) return;
    drawn.abort(new LatchkeyError(CANCELLED));
    draw(id, ui, props);
  };

  const mountedAs = (id: string, type: UiRequestType): Mounted => {
    const found = mounted.get(id);
    if (!found) throw invalid(type, 'payload.id', 'nothing is mounted under it');
    return found;
  };

  const take = (type: UiRequestType, sent: unknown): void => {
    const payload = copied(sent, type, 'payload', MAX_UI_SIZE);
    switch (type) {
      case 'WALLET_UI_REGISTER_TYPES':
        read(UI_PAYLOADS[type], payload, type, 'payload');
        break;
      case 'WALLET_UI_MOUNT': {
        const { id, type: ui, props } = read(UI_PAYLOADS[type], payload, type, 'payload');
        mount(id, ui, props);
        break;
      }
      case 'WALLET_UI_UPDATE': {
        const { id, props } = read(UI_PAYLOADS[type], payload, type, 'payload');
        update(id, props);
        break;
      }
      case 'WALLET_UI_UNMOUNT': {
        const { id } = read(UI_PAYLOADS[type], payload, type, 'payload');
        close(id, mountedAs(id, type).drawn);
      }
    }
  };

  addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
    if (source !== host || origin !== hostOrigin) return;
    const type = uiRequestType(data);
    if (!type) return;
    const { payload } = data as { readonly payload?: unknown };
    try {
      take(type, payload);
    } catch (error) {
      tellError(error, idOf(payload));
    }
  });
}

/** The id that a payload names, even if the payload is otherwise invalid. */
function idOf(payload: unknown): string | undefined {
  const { success, output } = v.safeParse(v.object({ id: uiId }), payload);
  return success ? output.id : undefined;
}
