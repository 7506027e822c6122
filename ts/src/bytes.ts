/** Reads bytes by their internal slots, so that it does not matter which realm made them. */

/**
 * The bytes of an ArrayBuffer or of any view (`Uint8Array`, `DataView`, Node's `Buffer`), as a `Uint8Array` of this realm over
 * the same memory. Copies memory that a thread shares, or that can change its size. Undefined for anything else, and where the
 * memory was transferred away.
 */
export function bytesOf(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  try {
    const bytes = ArrayBuffer.isView(value)
      ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
      : isBuffer(value) && new Uint8Array(value);
    if (!bytes) return undefined;
    return isOnBuffer(bytes) ? bytes : bytes.slice();
  } catch {
    // No view can be made of detached memory.
    return undefined;
  }
}

/** As {@link bytesOf}; also takes a list of whole numbers from 0 to 255, as JSON holds bytes. Always a copy. */
export function copiedBytes(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (!Array.isArray(value)) return bytesOf(value)?.slice();
  const isByte = (item: unknown) =>
    Number.isInteger(item) && (item as number) >= 0 && (item as number) <= 255;
  // `every` passes over holes.
  return [...value].every(isByte) ? Uint8Array.from(value as number[]) : undefined;
}

/** Whether the value is an ArrayBuffer that no thread shares: the getter throws for all else. */
function isBuffer(value: unknown): value is ArrayBuffer {
  if (typeof value !== 'object' || value === null) return false;
  try {
    Reflect.get(ArrayBuffer.prototype, 'byteLength', value);
    return true;
  } catch {
    return false;
  }
}

/** Whether the memory belongs to this thread alone and keeps its size. */
function isOnBuffer(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return isBuffer(bytes.buffer) && !(bytes.buffer as { readonly resizable?: boolean }).resizable;
}
