import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { registrationRequest } from '../testing/requests.js';
import { RegistrationRequestSchema, SignedDelegateRequestSchema } from './wire.js';

/** Counts all issues, including those of a union's alternatives. */
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
  ])('instead of %s is refused with a few issues, not one per item', (_, schema, body) => {
    const { success, issues } = v.safeParse<v.GenericSchema>(schema, body);
    expect(success).toBe(false);
    expect(countIssues(issues)).toBeLessThan(20);
  });
});
