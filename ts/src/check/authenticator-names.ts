/** The names of authenticators, for the reader of a report. */
import { type Models, NO_MODEL, PLATFORM } from '../webauthn/authenticator-models.js';

/** Those of no platform. */
const OTHERS: Models = {
  'bada5566-a7aa-401f-bd96-45619a55120d': '1Password',
  'd548826e-79b4-db40-a3d8-11116f7e8349': 'Bitwarden',
  '531126d6-e717-415c-9320-3d9aa6981239': 'Dashlane',
  'fdb141b2-5d84-443e-8a35-4698c205a502': 'KeePassXC',
  '50726f74-6f6e-5061-7373-50726f746f6e': 'Proton Pass',
  'b84e4048-15dc-4dd0-8640-f4f60813c8af': 'NordPass',
  'b78a0a55-6ef8-d246-a042-ba0f6d55050c': 'LastPass',
  '53414d53-554e-4700-0000-000000000000': 'Samsung Pass',
};

/** The name of a model by its AAGUID, 8-4-4-4-12. */
export function authenticatorName(aaguid: string): string {
  if (aaguid === NO_MODEL) return 'names no model';
  return PLATFORM[aaguid] ?? OTHERS[aaguid] ?? 'not in the table';
}
