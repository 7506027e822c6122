/** Whether this browser offers passkeys in a field. */
export async function canAskConditionally(): Promise<boolean> {
  const { PublicKeyCredential: credential } = globalThis;
  return (await credential?.isConditionalMediationAvailable?.().catch(() => false)) === true;
}
