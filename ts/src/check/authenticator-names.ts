/** The authenticators that name their model, by AAGUID (passkeydeveloper's list). For the reader of a report alone. */
const NAMES: Readonly<Record<string, string>> = {
  'fbfc3007-154e-4ecc-8c0b-6e020557d7bd': 'iCloud Keychain',
  'dd4ec289-e01d-41c9-bb89-70fa845d4bf2': 'iCloud Keychain, managed',
  'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4': 'Google Password Manager',
  'adce0002-35bc-c60a-648b-0b25f1f05503': 'Chrome’s own profile, on a Mac',
  'b5397666-4885-aa6b-cebf-e52262a439a2': 'Chromium’s own profile',
  '771b48fd-d3d4-4f74-9232-fc157ab0507a': 'Edge’s own profile, on a Mac',
  '08987058-cadc-4b81-b6e1-30de50dcbe96': 'Windows Hello, hardware',
  '9ddd1817-af5a-4672-a2b9-3e3dd95000a9': 'Windows Hello, software',
  '6028b017-b1d4-4c02-b4b3-afcdafc96bb2': 'Windows Hello, virtual machine',
  'd3452668-01fd-4c12-926c-83a4204853aa': 'Microsoft Password Manager',
  'bada5566-a7aa-401f-bd96-45619a55120d': '1Password',
  'd548826e-79b4-db40-a3d8-11116f7e8349': 'Bitwarden',
  '531126d6-e717-415c-9320-3d9aa6981239': 'Dashlane',
  'fdb141b2-5d84-443e-8a35-4698c205a502': 'KeePassXC',
  '50726f74-6f6e-5061-7373-50726f746f6e': 'Proton Pass',
  'b84e4048-15dc-4dd0-8640-f4f60813c8af': 'NordPass',
  'b78a0a55-6ef8-d246-a042-ba0f6d55050c': 'LastPass',
  '53414d53-554e-4700-0000-000000000000': 'Samsung Pass',
  '00000000-0000-0000-0000-000000000000': 'names no model',
};

/** The name of an AAGUID, 8-4-4-4-12. */
export const authenticatorName = (aaguid: string): string => NAMES[aaguid] ?? 'not in the table';
