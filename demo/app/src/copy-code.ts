/** How long a button says what became of a copy. */
export const COPIED_MS = 2000;

/** Copies the code in this element, as it reads; resolves to whether the browser let it. */
export const copyCode = (of: Element | null | undefined): Promise<boolean> =>
  navigator.clipboard.writeText(of?.querySelector('code')?.textContent ?? '').then(
    () => true,
    () => false,
  );
