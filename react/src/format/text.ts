/**
 * The party that requests a signature writes the texts of a transaction or message. Here every invisible or
 * direction-changing character, which could hide, reorder or imitate text, becomes a visible mark that names its
 * code point.
 */
export type TextPart = { kind: 'text'; value: string } | { kind: 'mark'; value: string };

// In this order: control, format (bidi overrides, zero width), line and paragraph separators, lone surrogates,
// private use, unassigned; characters that a font omits by default; spaces that look empty or like an ordinary
// space; combining marks after the fourth.
const UNSAFE =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u1680\u2000-\u200a\u205f\u2800]|(?<=\p{M}{4})\p{M}+/gu;

// Inside an emoji these two belong to the picture; after a bare digit the second would be invisible.
const EMOJI_JOINER =
  /(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})/gu;
const EMOJI_STYLE = /(?<=\p{Extended_Pictographic})\ufe0f|(?<=[#*\d])\ufe0f(?=\u20e3)/gu;

/** Splits untrusted text into safe text and marks for unsafe characters. With `multiline`, LF and TAB stay. */
export function splitUntrusted(text: string, options: { multiline?: boolean | undefined } = {}): TextPart[] {
  const kept = new Set<number>();
  for (const pattern of [EMOJI_JOINER, EMOJI_STYLE])
    for (const match of text.matchAll(pattern)) kept.add(match.index);
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(UNSAFE)) {
    const found = match[0];
    if (kept.has(match.index) || (options.multiline === true && (found === '\n' || found === '\t'))) continue;
    if (match.index > from) parts.push({ kind: 'text', value: text.slice(from, match.index) });
    parts.push({ kind: 'mark', value: nameOf(found) });
    from = match.index + found.length;
  }
  if (from < text.length) parts.push({ kind: 'text', value: text.slice(from) });
  return parts;
}

/** As splitUntrusted, in one string for attributes and titles: a mark reads `[U+202E]`. */
export function plainUntrusted(text: string): string {
  return splitUntrusted(text)
    .map((part) => (part.kind === 'text' ? part.value : `[${part.value}]`))
    .join('');
}

/** The first `limit` code points, and the total number. */
export function clip(text: string, limit: number): { head: string; total: number } {
  if (text.length <= limit) return { head: text, total: [...text].length };
  const points = [...text];
  return { head: points.slice(0, limit).join(''), total: points.length };
}

function nameOf(found: string): string {
  const points = [...found];
  if (points.length > 1) return `${points.length} combining marks`;
  return `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
