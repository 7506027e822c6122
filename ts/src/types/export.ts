import type { Theme, UiMode } from './confirmation.js';
import type { FlowOptions, Outcome } from './flow.js';

/** How the key viewer looks; the confirmation settings fill in the rest. */
export interface ExportKeypairOptions extends FlowOptions<'export', ExportKeypairResult> {
  readonly variant?: Exclude<UiMode, 'skip'>;
  readonly theme?: Theme;
}

/** Success means that the viewer got the key; the caller never gets it. */
export interface ExportKeypairResult extends Outcome {
  readonly nearAccountId: string;
  readonly publicKey: string | null;
}
