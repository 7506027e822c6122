import type { FlowContext } from '../context.js';
import { warn } from '../warn.js';

/** A part that was loaded when the session opened. Without besides.js neither cost nor earlier payments are shown. */
export function whereLoaded<T>({ config }: FlowContext, part: Promise<T>): Promise<T | undefined> {
  return part.catch((error: unknown) => {
    warn(config, 'A part could not be loaded', error);
    return undefined;
  });
}
