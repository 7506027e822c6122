/** Makes a key that seals private keys: AES-GCM, 256 bits, not extractable. */
export const makeWrappingKey = (): Promise<CryptoKey> =>
  crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
