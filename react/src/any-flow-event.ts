import type { FlowEvent, FlowName } from 'latchkey';

/** An event of any flow: `event.flow` says of which. */
export type AnyFlowEvent = { [F in FlowName]: FlowEvent<F> }[FlowName];
