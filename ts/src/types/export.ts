import type { Theme, UiMode } from './confirmation.js';
import type { FlowOptions, Outcome } from './flow.js';

/** How the key viewer looks; the confirmation settings fill in the rest. */
export interface ExportKeypairOptions extends FlowOptions<'export', ExportKeypairResult> {
  readonly variant?: Exclude<UiMode, 'skip'> | undefined;
  readonly theme?: Theme | undefined;
}

/** Success means that the viewer got the key; the caller never gets it. */
export interface ExportKeypairResult extends Outcome {
  readonly nearAccountId: string;
  readonly publicKey: string | null;
}
