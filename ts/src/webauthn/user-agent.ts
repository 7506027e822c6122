/** Browsers whose name and version say something of their passkeys: on a phone it can be an app's own; Safari before 20. */
export const isPhoneOrOldSafari = (userAgent: string): boolean =>
  /Android|iPhone|iPad|iPod|Version\/1\d\./.test(userAgent);
