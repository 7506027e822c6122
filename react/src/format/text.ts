/**
 * Text that comes from a transaction or a message is written by whoever asks for the signature. It is shown with
 * nothing in it that could hide, reorder or imitate: every invisible or direction-changing character becomes a
 * visible mark that names its code point.
 */
export type TextPart = { kind: 'text'; value: string } | { kind: 'mark'; value: string };

// In this order: control, format (bidi overrides, zero width), line and paragraph separators, lone surrogates,
// private use, unassigned; characters that a font leaves out by default; spaces that pass for nothing or for an
// ordinary space; combining marks piled up beyond four.
const UNSAFE =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u1680\u2000-\u200a\u205f\u2800]|(?<=\p{M}{4})\p{M}+/gu;

// Inside an emoji these two belong to the picture; behind a bare digit the second would hide.
const EMOJI_JOINER =
  /(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})/gu;
const EMOJI_STYLE = /(?<=\p{Extended_Pictographic})\ufe0f|(?<=[#*\d])\ufe0f(?=\u20e3)/gu;

/** Splits untrusted text into what is safe to show and marks for what is not. With `multiline`, LF and TAB stay. */
export function splitUntrusted(text: string, options: { multiline?: boolean } = {}): TextPart[] {
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

/** The same as one string, for attributes and titles: marks read `[U+202E]`. */
export function plainUntrusted(text: string): string {
  return splitUntrusted(text)
    .map((part) => (part.kind === 'text' ? part.value : `[${part.value}]`))
    .join('');
}

/** The first `limit` code points, and how many there are in all. */
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
