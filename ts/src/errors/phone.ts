/** The texts of errors on phones alone, which load with what is known of their browsers. */

export const IN_APP_BROWSER = {
  code: 'IN_APP_BROWSER',
  text:
    '{app} shows this page in a browser of its own, which gives no passkeys to a wallet. ' +
    'Open the page in {browser}. Nothing was made here, and nothing is lost.',
} as const;
export const IOS_OUTDATED = {
  code: 'IOS_OUTDATED',
  text:
    'On iOS {version} a passkey opens its account on this device alone: another device that scans its code gets other keys. ' +
    'Update to iOS 18.4 or later before you make an account.',
} as const;
