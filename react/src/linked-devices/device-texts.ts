import { inFull } from '../texts/catalogue.js';
import { type DeviceTexts, englishDevices } from '../texts/english-devices.js';
import { useTexts } from '../texts/use-texts.js';

/** The texts of the list of devices in this page: English where its catalogue has none. */
export const useDeviceTexts = (): DeviceTexts => inFull(englishDevices, useTexts().deviceList);
