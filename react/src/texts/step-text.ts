import type { FlowName, FlowPhase } from 'latchkey';
import type { AnyFlowEvent } from '../any-flow-event.js';
import { texts } from './current.js';

/** What a step says, or what it says while it runs and when it is done. */
type StepText = string | { readonly progress: string; readonly success: string };
/** Of every step of a flow; a failure has its error's text. */
type Steps<F extends FlowName> = Readonly<Record<Exclude<FlowPhase<F>, `${string}-error`>, StepText>>;

/** The steps of every flow. */
export type StepTexts = {
  /** Of any step, while it waits for the network. */
  readonly waiting: string;
  /** Of a linking: the device that scans, and the new one, which shows the code. */
  readonly linking: { readonly device1: Steps<'linking'>; readonly device2: Steps<'linking'> };
} & { readonly [F in Exclude<FlowName, 'linking'>]: Steps<F> };

/**
 * What a step of a flow says: the catalogue's text, or the event's message where the catalogue has none.
 * `device` is the end of a linking: 1 scans, 2 is the new device.
 */
export function stepText(event: AnyFlowEvent, device: 1 | 2 = 1): string {
  return ownText(event, device) ?? event.message;
}

function ownText({ flow, phase, status, data }: AnyFlowEvent, device: 1 | 2): string | undefined {
  const { steps } = texts();
  if (!steps || status === 'error') return undefined;
  if (data?.waiting === true) return steps.waiting;
  const ofFlow = flow === 'linking' ? steps.linking?.[`device${device}`] : steps[flow];
  const text = (ofFlow as Readonly<Record<string, StepText | undefined>> | undefined)?.[phase];
  return typeof text === 'object' ? text[status === 'progress' ? 'progress' : 'success'] : text;
}
