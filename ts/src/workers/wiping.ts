/** Runs `use`, then zero-fills the secrets it worked with, whatever came of it. */
export function wiping<T>(secrets: readonly (Uint8Array | number[])[], use: () => T): T {
  try {
    return use();
  } finally {
    for (const secret of secrets) secret.fill(0);
  }
}
