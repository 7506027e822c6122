import type { ViewerLook } from 'latchkey';
import type { Translation } from './catalogue.js';
import kit from './english/kit.json' with { type: 'json' };
import type { ConfirmTexts } from './english-confirm.js';
import type { DeviceTexts } from './english-devices.js';
import type { LinkStepTexts } from './english-link-steps.js';
import type { TokenTexts } from './english-tokens.js';
import type { WelcomeTexts } from './english-welcome.js';
import type { SomeHeadlines } from './headlines.js';
import type { StepTexts } from './step-text.js';

/**
 * The texts of the kit's components and toasts in English. A name in braces is filled with an account or a code. A text that the
 * specification quotes is exact.
 */
export const english = kit;

/** The parts that load when they are needed. What a catalogue lacks of them is in English. */
interface LaterTexts {
  /** The texts of the confirmation and the wallet page. */
  readonly confirm?: Translation<ConfirmTexts> | undefined;
  /** The login menu's texts for those who are new or have lost their account. */
  readonly welcome?: Translation<WelcomeTexts> | undefined;
  /** The texts of the list of devices that `devices` does not have. */
  readonly deviceList?: Translation<DeviceTexts> | undefined;
  /** The texts of the steps of a linking on the new device. */
  readonly linkSteps?: Translation<LinkStepTexts> | undefined;
  /** The texts of the list of tokens and of the form that sends. */
  readonly tokens?: Translation<TokenTexts> | undefined;
  /** The texts of the phrase viewer, all of them. */
  readonly phraseViewer?: ViewerLook['phrase'] | undefined;
  /** What a screen says of an error, by its code; the message itself stands under Details. */
  readonly errors?: SomeHeadlines | undefined;
  /** What a step of a flow says, for toasts and status lines. */
  readonly steps?: Translation<StepTexts> | undefined;
}

/** Every text of the kit. */
export type Texts = typeof english & LaterTexts;

/** The texts of the kit in another language. */
export type Catalogue = Translation<typeof english> & LaterTexts;
