/** An intent's digest: base64url, without padding, of the SHA-256 of its text's UTF-8. */

/** Digests `text`: 43 characters for 32 bytes. */
export async function digestOf(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  // Not @scure/base: each embedded transaction button would load it for this line.
  const base64 = btoa(String.fromCharCode(...new Uint8Array(hash)));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace('=', '');
}
