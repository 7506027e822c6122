import type { FlowEvent } from 'latchkey';
import { stepText } from '../texts/step-text.js';

const ADD_KEY_DETECTED = 5;

/** How far this device is in a linking whose code is shown. */
export interface LinkingStep {
  /** What the step says; undefined where the visible code says enough. */
  message: string | undefined;
  /** Whether the other device has scanned the code. */
  found: boolean;
}

/** The step that an event tells of. */
export function linkingStep(event: FlowEvent<'linking'>): LinkingStep {
  return {
    message: event.phase === 'qr-code-generated' ? undefined : stepText(event, 2),
    found: event.step >= ADD_KEY_DETECTED,
  };
}
