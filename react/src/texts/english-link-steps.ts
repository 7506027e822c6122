/** The texts of the steps of a linking on the new device, in English. They load with its code. */
export const englishLinkSteps = {
  label: 'Steps',
  code: 'Show the code',
  approve: 'Approve on the other device',
  passkey: 'Create the passkey',
  prepared: 'Keep this open; your passkey prompt follows.',
  scanned: 'It was scanned',
  approving: 'Waiting for your other device to approve',
};

export type LinkStepTexts = typeof englishLinkSteps;
