/** An entry of an object with more characters than this is long. */
const LONG = 120;
/** A text with more characters than this folds. */
export const LONG_TEXT = 200;
/** Deeper objects keep their order. */
const MAX_DEPTH = 20;
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * As {@link indentJson}, with the short entries of each object before its long ones: a long text hides no value after it.
 * Split before and after each string of more than {@link LONG_TEXT} characters, so that only those fold.
 */
export function readableJson(text: string): string[] | undefined {
  const shown = indentJson(text) === undefined ? undefined : indentJson(shortFirst(text));
  if (shown === undefined) return undefined;
  const parts = [''];
  for (const part of shown.split(/("[^"\\]*(?:\\.[^"\\]*)*")/)) {
    if (part.length > LONG_TEXT && part.startsWith('"')) parts.push(part, '');
    else parts.push(`${parts.pop()}${part}`);
  }
  return parts.filter((part) => part !== '');
}

/** The same JSON with the entries of each object in another order; every token keeps its characters. */
function shortFirst(text: string): string {
  const tokens = text.match(TOKENS) ?? [];
  /** The containers that are open: what is complete of them, and the entry that is being read. */
  const open: { bracket: string; entries: string[]; entry: string }[] = [
    { bracket: '', entries: [], entry: '' },
  ];
  let depth = 0;
  for (const token of tokens) {
    const at = open.at(-1);
    if (!at) return text;
    const isDeep = depth >= MAX_DEPTH;
    if (token === '{' || token === '[') {
      depth += 1;
      if (isDeep) at.entry += token;
      else open.push({ bracket: token, entries: [], entry: '' });
    } else if (token === '}' || token === ']') {
      depth -= 1;
      if (depth >= MAX_DEPTH) {
        at.entry += token;
        continue;
      }
      open.pop();
      const parent = open.at(-1);
      if (!parent) return text;
      const entries = at.entry === '' ? at.entries : [...at.entries, at.entry];
      parent.entry += at.bracket + inOrder(entries, at.bracket).join(',') + token;
    } else if (token === ',' && !isDeep) {
      at.entries.push(at.entry);
      at.entry = '';
    } else {
      at.entry += token;
    }
  }
  return open[0]?.entry ?? text;
}

/** A list keeps its order, which has a meaning. */
function inOrder(entries: readonly string[], bracket: string): readonly string[] {
  if (bracket === '[') return entries;
  return [
    ...entries.filter(({ length }) => length <= LONG),
    ...entries.filter(({ length }) => length > LONG),
  ];
}

/**
 * Indents JSON text and keeps every string and number exactly as it will be signed. (Parsing and printing it would
 * round long numbers and drop repeated keys.)
 * Returns undefined when the text is not JSON.
 */
export function indentJson(text: string): string | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const tokens = text.match(TOKENS) ?? [];
  let depth = 0;
  let out = '';
  tokens.forEach((token, index) => {
    const next = tokens[index + 1];
    if (token === '{' || token === '[') {
      out += token;
      if (next === '}' || next === ']') return;
      depth += 1;
      out += newLine(depth);
    } else if (token === '}' || token === ']') {
      const empty = tokens[index - 1] === '{' || tokens[index - 1] === '[';
      if (!empty) {
        depth -= 1;
        out += newLine(depth);
      }
      out += token;
    } else if (token === ',') {
      out += `,${newLine(depth)}`;
    } else {
      out += token === ':' ? ': ' : token;
    }
  });
  return out;
}

function newLine(depth: number): string {
  // Hostile nesting must not turn into megabytes of spaces.
  return `\n${'  '.repeat(Math.min(depth, 20))}`;
}
