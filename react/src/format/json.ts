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
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
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
