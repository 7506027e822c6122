/** Runs `use`, then zero-fills the secrets it worked with, even if it throws. */
export function wiping<T>(secrets: readonly (Uint8Array | number[])[], use: () => T): T {
  try {
    return use();
  } finally {
    for (const secret of secrets) secret.fill(0);
  }
}
