/** Markup for our frames, in pages that require trusted types. */

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML: (html: string) => string }): TrustedTypePolicy;
}
interface TrustedTypePolicy {
  createHTML(html: string): string;
}

/** Returns what marks our own markup as trusted. A page that requires trusted types must allow the policy by its name. */
export function trustedHtml(policyName: string): (html: string) => string {
  // A page may create a policy only once.
  let policy: TrustedTypePolicy | undefined;
  return (html) => {
    const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
    if (!trustedTypes) return html;
    policy ??= trustedTypes.createPolicy(policyName, { createHTML: (text) => text });
    return policy.createHTML(html);
  };
}
