/** The authenticators of a platform, by AAGUID (8-4-4-4-12, passkeydeveloper's list). */
export type Models = Readonly<Record<string, string>>;

/** With a TPM, in software, and in a virtual machine's secure part. */
export const WINDOWS_HELLO: Models = {
  '08987058-cadc-4b81-b6e1-30de50dcbe96': 'Windows Hello, hardware',
  '9ddd1817-af5a-4672-a2b9-3e3dd95000a9': 'Windows Hello, software',
  '6028b017-b1d4-4c02-b4b3-afcdafc96bb2': 'Windows Hello, virtual machine',
};

/** All of them. Their outputs at create are those at get, as far as public reports tell. */
export const PLATFORM: Models = {
  ...WINDOWS_HELLO,
  'fbfc3007-154e-4ecc-8c0b-6e020557d7bd': 'iCloud Keychain',
  'dd4ec289-e01d-41c9-bb89-70fa845d4bf2': 'iCloud Keychain, managed',
  'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4': 'Google Password Manager',
  'adce0002-35bc-c60a-648b-0b25f1f05503': 'Chrome’s own profile, on a Mac',
  'b5397666-4885-aa6b-cebf-e52262a439a2': 'Chromium’s own profile',
  '771b48fd-d3d4-4f74-9232-fc157ab0507a': 'Edge’s own profile, on a Mac',
  'd3452668-01fd-4c12-926c-83a4204853aa': 'Microsoft Password Manager',
};

/** What an authenticator says that names none. */
export const NO_MODEL = '00000000-0000-0000-0000-000000000000';
