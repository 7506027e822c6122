/** From here on the document loads only pictures that its style sheet contains, and runs no other script. */
export function refuseEverythingElse(): void {
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'";
  document.head.append(policy);
}
