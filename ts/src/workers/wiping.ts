/** Runs `use`, then zero-fills the secrets it worked with, even if it throws. */
export function wiping<T>(secrets: readonly (Uint8Array | number[])[], use: () => T): T {
  try {
    return use();
  } finally {
    zeroFill(secrets);
  }
}

/** Zero-fills secrets. */
export function zeroFill(secrets: readonly (Uint8Array | number[])[]): void {
  for (const secret of secrets) secret.fill(0);
}
