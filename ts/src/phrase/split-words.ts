/**
 * The words of a text in any writing: between spaces, commas or semicolons, and without characters without a width, which a
 * text from a page or a messenger may hold (Unicode category Cf; a zero-width space stands between words).
 */
export function splitWords(text: string): string[] {
  return text
    .replace(/\u200B/g, ' ')
    .replace(/\p{Cf}/gu, '')
    .split(/[\s,;]+/)
    .filter((word) => word !== '');
}
