import type { Catalogue } from './english.js';
import texts from './german.json' with { type: 'json' };

/** Every text of the kit in German. Load it with `import('latchkey-react/german')`. */
export const german: Catalogue = texts;
