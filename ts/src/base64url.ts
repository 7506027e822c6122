import { base64urlnopad } from '@scure/base';

/** Whether a text is base64url without padding, in the one form that decodes to its bytes and back. */
export function isBase64url(text: string): boolean {
  try {
    return base64urlnopad.encode(base64urlnopad.decode(text)) === text;
  } catch {
    return false;
  }
}
