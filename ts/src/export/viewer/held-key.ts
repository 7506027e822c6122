/** The private key while the viewer is open: wipeable bytes, decoded to text only on demand. */

/** `ed25519:` and base58 of 64 bytes. */
const PRIVATE_KEY = /^ed25519:[1-9A-HJ-NP-Za-km-z]{80,90}$/;

export class HeldKey {
  #bytes: Uint8Array | undefined;

  get isHeld(): boolean {
    return this.#bytes !== undefined;
  }

  /** Takes ownership of the bytes; false if they are not the text of a private key. */
  take(bytes: unknown): boolean {
    this.wipe();
    if (!(bytes instanceof Uint8Array)) return false;
    this.#bytes = bytes;
    if (PRIVATE_KEY.test(this.text())) return true;
    this.wipe();
    return false;
  }

  text(): string {
    return new TextDecoder().decode(this.#bytes);
  }

  wipe(): void {
    this.#bytes?.fill(0);
    this.#bytes = undefined;
  }
}
