/**
 * Reads the prose of a source file: its comments and, in a test file, the titles of its tests. The nodes keep the file's
 * own offsets, so a finding names the real line.
 */

/** A textlint plugin that turns a source file into paragraphs. */
export const commentsPlugin = {
  Processor: class {
    availableExtensions() {
      return ['.ts', '.tsx', '.mjs', '.js', '.rs', '.sh'];
    }
    processor(ext) {
      return {
        preProcess: (source) => documentOf(source, paragraphsOf(source, ext)),
        postProcess: (messages, filePath) => ({ messages, filePath: filePath ?? '<source>' }),
      };
    }
  },
};

/** A paragraph's lines: `[start, end]` offsets of what a reader reads, without comment signs. */
export function paragraphsOf(source, ext) {
  const comments = ext === '.sh' ? shellComments(source) : codeComments(source, ext === '.rs');
  return [...joined(comments, source).flatMap((lines) => split(lines, source))];
}

/** Whole-line comments of a shell script. */
function shellComments(source) {
  return [...source.matchAll(/^[ \t]*#(?!!)[ \t]?(.*)$/gm)].map((match) => line(match, match[1]));
}

/** Line comments, block comments and test titles, with strings, templates and regular expressions skipped. */
function codeComments(source, isRust) {
  const found = [];
  const depths = [];
  let i = 0;
  let last = '';
  let word = '';
  const skipString = (quote) => {
    for (i++; i < source.length && source[i] !== quote; i++) {
      if (source[i] === '\\') i++;
      else if (source[i] === '\n' && !isRust) return;
    }
    i++;
  };
  const skipTemplate = () => {
    for (; i < source.length; i++) {
      if (source[i] === '\\') i++;
      else if (source[i] === '`') return void i++;
      else if (source.startsWith('${', i)) {
        depths.push(0);
        i += 2;
        return;
      }
    }
  };
  while (i < source.length) {
    const char = source[i];
    if (source.startsWith('//', i) && source[i - 1] !== ':') {
      const end = lineEnd(source, i);
      const signs = /^\/\/[/!]?[ \t]?/.exec(source.slice(i, end))[0].length;
      found.push({ start: i + signs, end, from: i, kind: 'line' });
      i = end;
    } else if (source.startsWith('/*', i)) {
      let end = source.indexOf('*/', i + 2);
      if (end < 0) end = source.length;
      found.push({ kind: 'break' }, ...blockLines(source, i + 2, end), { kind: 'break' });
      i = end + 2;
    } else if (isRust && /^b?r#*"/.test(source.slice(i, i + 12)) && !/\w/.test(source[i - 1] ?? '')) {
      const hashes = /^b?r(#*)"/.exec(source.slice(i, i + 12));
      const end = source.indexOf(`"${hashes[1]}`, i + hashes[0].length);
      i = end < 0 ? source.length : end + 1 + hashes[1].length;
      last = '"';
    } else if (isRust && char === "'") {
      const literal = /^'(?:\\(?:u\{[^}]*\}|x..|.)|[^\\'])'/su.exec(source.slice(i, i + 14));
      i += literal ? literal[0].length : 1;
      last = "'";
    } else if (char === '"' || (char === "'" && !isRust)) {
      const start = i + 1;
      skipString(char);
      if (isTitle(source, start - 1))
        found.push({ kind: 'break' }, { start, end: i - 1, from: start, kind: 'title' }, { kind: 'break' });
      last = char;
    } else if (char === '`' && !isRust) {
      i++;
      skipTemplate();
      last = '`';
    } else if (char === '/' && !isRust && startsRegex(last, word)) {
      let inClass = false;
      for (i++; i < source.length && source[i] !== '\n' && (inClass || source[i] !== '/'); i++) {
        if (source[i] === '\\') i++;
        else if (source[i] === '[') inClass = true;
        else if (source[i] === ']') inClass = false;
      }
      i++;
      last = '/';
    } else {
      if (depths.length > 0 && char === '{') depths[depths.length - 1]++;
      if (depths.length > 0 && char === '}') {
        if (depths.at(-1) === 0) {
          depths.pop();
          i++;
          skipTemplate();
          continue;
        }
        depths[depths.length - 1]--;
      }
      if (/\S/.test(char)) {
        word = /\w/.test(char) ? (/\w/.test(source[i - 1] ?? '') ? word : '') + char : '';
        last = char;
      }
      i++;
    }
  }
  return found;
}

function isTitle(source, at) {
  return /\b(?:it|test|describe)(?:\.\w+)*(?:\([^()]*\))?\(\s*$/.test(source.slice(Math.max(0, at - 80), at));
}

function startsRegex(last, word) {
  return last === '' || '(,=:[!&|?{};+-*%<>~^'.includes(last) || /^(?:return|typeof|case|in|of)$/.test(word);
}

function blockLines(source, from, to) {
  const lines = [];
  for (let i = from; i < to; ) {
    const end = Math.min(lineEnd(source, i), to);
    const signs = /^[ \t]*\*?!?[ \t]?/.exec(source.slice(i, end))[0].length;
    lines.push({ start: i + signs, end, from: i, kind: 'block' });
    i = end + 1;
  }
  return lines;
}

function lineEnd(source, from) {
  const end = source.indexOf('\n', from);
  return end < 0 ? source.length : end;
}

function line(match, text) {
  const end = match.index + match[0].length;
  return { start: end - text.length, end, from: match.index, kind: 'line' };
}

/** Lines of one comment: those of a block, and line comments with only space between them. */
function joined(found, source) {
  const groups = [];
  let previous;
  for (const part of found) {
    if (part.kind === 'break') {
      previous = undefined;
      continue;
    }
    const follows =
      previous &&
      /^\s*$/.test(source.slice(previous.end, part.from)) &&
      !/\n\s*\n/.test(source.slice(previous.end, part.from));
    if (follows) groups.at(-1).push(part);
    else groups.push([part]);
    previous = part;
  }
  return groups;
}

/** Paragraphs of one comment: a blank line, a list sign, a tag or a heading begins one; fenced code is left out. */
function split(lines, source) {
  const paragraphs = [[]];
  let isFenced = false;
  for (const { start, end } of lines) {
    const text = source.slice(start, end);
    if (/^\s*```/.test(text)) {
      isFenced = !isFenced;
      paragraphs.push([]);
      continue;
    }
    if (isFenced || /^\s*(?:biome-ignore|@ts-|eslint|shellcheck)/.test(text)) continue;
    if (!/\S/.test(text)) {
      paragraphs.push([]);
      continue;
    }
    if (/^\s*(?:[-*#|]|\d+\.|@\w+)\s/.test(text)) paragraphs.push([]);
    paragraphs.at(-1).push([start, start + text.trimEnd().length]);
  }
  return paragraphs.filter((paragraph) => paragraph.length > 0);
}

const LINE_BREAK = /\n/g;

function documentOf(source, paragraphs) {
  const starts = [0, ...[...source.matchAll(LINE_BREAK)].map((match) => match.index + 1)];
  const place = (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - starts[low] };
  };
  const node = (type, start, end, more) => ({
    type,
    raw: source.slice(start, end),
    range: [start, end],
    loc: { start: place(start), end: place(end) },
    ...more,
  });
  const inline = (paragraph) =>
    paragraph.flatMap(([start, end], index) => {
      const parts = [];
      if (index > 0) parts.push(node('Break', start, start));
      let at = start;
      for (const match of source.slice(start, end).matchAll(/`[^`]*`|\{@link [^}]*\}/g)) {
        const from = start + match.index;
        if (from > at) parts.push(text(at, from));
        at = from + match[0].length;
        parts.push(node('Code', from, at, { value: match[0] }));
      }
      if (at < end) parts.push(text(at, end));
      return parts;
    });
  const text = (start, end) => node('Str', start, end, { value: source.slice(start, end) });
  const children = paragraphs.map((paragraph) =>
    node('Paragraph', paragraph[0][0], paragraph.at(-1)[1], { children: inline(paragraph) }),
  );
  return node('Document', 0, source.length, { children });
}
