import type { AnyFlowEvent } from '../any-flow-event.js';
import { texts } from './current.js';

/**
 * What a step of a flow says: the catalogue's text, or the event's message where the catalogue has none.
 * `device` is the end of a linking: 1 scans, 2 is the new device.
 */
export function stepText(event: AnyFlowEvent, device: 1 | 2 = 1): string {
  return texts().steps?.(event, device) ?? event.message;
}
