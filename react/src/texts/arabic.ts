import texts from './arabic.json' with { type: 'json' };
import type { Catalogue } from './english.js';

/** Every text of the kit in Arabic. Load it with `import('latchkey-react/arabic')`. */
export const arabic: Catalogue = texts;
