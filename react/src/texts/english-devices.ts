/** The texts of the list of devices in English, next to those in `devices`. They load with the list. */
export const englishDevices = {
  name: (browser: string, system: string) => `${browser} on ${system}`,
  nameUnknown: 'This browser doesn’t know which device it is.',
  here: 'This device',
  added: (day: string) => `Added ${day}`,
  copyKey: 'Copy its key',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeMore: 'It can no longer open this account. Your money stays. You can add it again later.',
  removeKeyMore: 'Whoever holds it can no longer open this account. Your money stays.',
  keep: 'Keep it',
  linking: 'A device is being added',
  add: 'Add a device',
  only: 'This is your only device',
  onlyMore: 'Add a second one: it opens the account when this one is lost.',
};

export type DeviceTexts = typeof englishDevices;
