/** An intent's digest: base64url, without padding, of the SHA-256 of its text's UTF-8. */
import { base64urlnopad } from '@scure/base';

/** Digests `text`: 43 characters for 32 bytes. */
export async function digestOf(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return base64urlnopad.encode(new Uint8Array(hash));
}
