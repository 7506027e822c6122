/**
 * The text of an answer, read no further than `maxBytes`: a server that is not trusted must not fill the memory.
 * Undefined when there is more; the rest is not read.
 */
export async function readBounded({ body }: Response, maxBytes: number): Promise<string | undefined> {
  if (!body) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.length;
    if (size > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
