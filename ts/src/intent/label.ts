/** The digests of intents with a short text of their own. */
import { canonicalJson } from './canonical-json.js';
import { digestOf } from './digest.js';

/** Approves the registration of `accountId` through the relay, as device 1. */
export function registrationDigest(accountId: string, deviceNumber = 1): Promise<string> {
  return digestOf(`register:${accountId}:${deviceNumber}`);
}

/**
 * Approves `link_device_register_user` for `accountId` as device `deviceNumber`: 1 for an existing account that joins, 2
 * and up for a linked device.
 */
export function device2RegistrationDigest(accountId: string, deviceNumber: number): Promise<string> {
  return digestOf(`device2-register:${accountId}:${deviceNumber}`);
}

/**
 * Approves `register_existing_passkey` for `accountId` as device `deviceNumber`: 1 for an account without a record, else
 * one more than its newest device's.
 */
export function existingRegistrationDigest(accountId: string, deviceNumber: number): Promise<string> {
  return digestOf(`register-existing:${accountId}:${deviceNumber}`);
}

/** Labels Device1's linking request; what Device1 approves is the digest of the three linking transactions. */
export function linkDeviceDigest(accountId: string, deviceNumber: number): Promise<string> {
  return digestOf(`linkdevice:${accountId}:${deviceNumber}`);
}

/** Approves a contract-verified login of `accountId` at the site `rpId`. */
export function loginSessionDigest(accountId: string, rpId: string): Promise<string> {
  return digestOf(canonicalJson({ kind: 'login_session', nearAccountId: accountId, rpId }));
}
