import texts from './english/device-list.json' with { type: 'json' };

/** The texts of the list of devices in English, next to those in `devices`. They load with the list. */
export const englishDevices = texts;

export type DeviceTexts = typeof englishDevices;
