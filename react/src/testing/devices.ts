import type { LinkedDevice, LinkedDevices } from 'latchkey';

const KEY = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';

const device = (deviceNumber: number): LinkedDevice => ({
  deviceNumber,
  name: `Device ${deviceNumber}`,
  credentialId: String(deviceNumber),
  registeredAt: 1,
  accessKey: KEY,
  registeredKey: KEY,
  isCurrent: deviceNumber === 1,
});

/** The account's devices with these numbers, and no other key. Device 1 is the current one. */
export const devicesOf = (accountId: string, ...deviceNumbers: number[]): LinkedDevices => ({
  accountId,
  devices: deviceNumbers.map(device),
  temporaryKeys: [],
  otherKeys: [],
});
