// Reads the exported declarations of a TypeScript source, with their doc comments. It relies on the formatter: a declaration
// starts at the first column and a member at the third.

/** @typedef {{ name: string, optional: boolean, type: string, doc: string }} Member */
/** @typedef {{ kind: string, name: string, doc: string, text: string, members: Member[] }} Declaration */

const HEAD = /^export (?:declare )?(?:abstract )?(?:async )?(interface|type|class|function|const) (\w+)/;

/** @returns {Declaration[]} in the order of the source */
export function declarationsOf(source) {
  const lines = source.split('\n');
  const found = [];
  let doc = '';
  for (let at = 0; at < lines.length; at += 1) {
    if (lines[at].startsWith('/**')) {
      const end = commentEnd(lines, at);
      doc = commentText(lines.slice(at, end + 1));
      at = end;
      continue;
    }
    const [, kind, name] = HEAD.exec(lines[at]) ?? [];
    if (kind) {
      const end = declarationEnd(lines, at, kind);
      const text = lines.slice(at, end + 1).join('\n');
      const members = kind === 'interface' || kind === 'class' ? membersOf(lines.slice(at + 1, end)) : [];
      found.push({ kind, name, doc, text, members });
      at = end;
    }
    if (lines[at].trim() !== '') doc = '';
  }
  return found;
}

function commentEnd(lines, from) {
  let at = from;
  while (!lines[at].includes('*/')) at += 1;
  return at;
}

/** The text of a doc comment, in one line for each paragraph. */
function commentText(lines) {
  return lines
    .join('\n')
    .replace(/^\s*\/\*\*/, '')
    .replace(/\*\/\s*$/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trim())
    .join('\n')
    .trim()
    .replaceAll(/([^\n])\n(?=[^\n-])/g, '$1 ');
}

/** The last line of a declaration: where its braces close, or its semicolon is. */
function declarationEnd(lines, from, kind) {
  if (kind === 'interface' || kind === 'class') {
    for (let at = from; ; at += 1) if (/^\}/.test(lines[at]) || /\{\s*\}$/.test(lines[at])) return at;
  }
  if (kind === 'function') {
    for (let at = from; ; at += 1) if (/\{$/.test(lines[at]) || /;$/.test(lines[at])) return at;
  }
  for (let at = from; ; at += 1) {
    const isLast = /;$/.test(lines[at]) && !/^\s{2}/.test(lines[at]);
    if (isLast || (/;$/.test(lines[at]) && (at + 1 >= lines.length || lines[at + 1].trim() === '')))
      return at;
  }
}

function membersOf(lines) {
  const members = [];
  let doc = '';
  for (let at = 0; at < lines.length; at += 1) {
    if (/^ {2}\/\*\*/.test(lines[at])) {
      const end = commentEnd(lines, at);
      doc = commentText(lines.slice(at, end + 1));
      at = end;
      continue;
    }
    const [, name, optional, rest] =
      /^ {2}(?:readonly |async )*(\w+)(\?)?((?:[:(<]).*)$/.exec(lines[at]) ?? [];
    if (name === undefined) {
      if (lines[at].trim() !== '') doc = '';
      continue;
    }
    let type = rest;
    while (!/[;{]$/.test(type.trimEnd()) || isOpen(type)) {
      at += 1;
      if (at >= lines.length) break;
      type += ` ${lines[at].trim()}`;
      if (/;$/.test(type) && !isOpen(type)) break;
    }
    members.push({ name, optional: optional === '?', type: tidy(type), doc });
    doc = '';
  }
  return members;
}

/** Whether a bracket of the text is not closed; a method's body counts as closed where it opens. */
function isOpen(text) {
  const count = (pattern) => text.match(pattern)?.length ?? 0;
  const braces = count(/\{/g) - count(/\}/g);
  const isBody = /\)(?::[^=]*)? \{$/.test(text);
  return count(/\(/g) > count(/\)/g) || (braces > 0 && !isBody);
}

/** The type of a member, in one line and without what only a source needs. */
function tidy(type) {
  return type
    .replace(/\s*[;{]$/, '')
    .replaceAll(/\/\*\*.*?\*\//g, '')
    .replaceAll(/\breadonly (?=\w+\??:)/g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('( ', '(')
    .replaceAll(', )', ')')
    .replace(/^: /, '')
    .trim();
}
