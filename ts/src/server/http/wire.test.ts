import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { registrationRequest } from '../testing/requests.js';
import { RegistrationRequestSchema, SignedDelegateRequestSchema } from './wire.js';

/** Every issue that was made, those of the alternatives of a union among them. */
function countIssues(issues: readonly v.BaseIssue<unknown>[] = []): number {
  return issues.reduce((sum, issue) => sum + 1 + countIssues(issue.issues), 0);
}

describe('a body full of wrong items', () => {
  const many = Array(20_000).fill({});

  it.each([
    ['a delegate', SignedDelegateRequestSchema, { hash: 'A', signedDelegate: many }],
    ['bytes', RegistrationRequestSchema, registrationRequest({ deterministic_vrf_public_key: many })],
    [
      'origins',
      RegistrationRequestSchema,
      registrationRequest({ authenticator_options: { origin_policy: { multiple: many } } }),
    ],
  ])('in place of %s is refused for a few reasons, not for each of them', (_, schema, body) => {
    const { success, issues } = v.safeParse<v.GenericSchema>(schema, body);
    expect(success).toBe(false);
    expect(countIssues(issues)).toBeLessThan(20);
  });
});
