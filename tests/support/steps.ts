// A user's steps in the demo app, each by the accessible names of the controls.
export {
  pay,
  paymentStep,
  sendBatch,
  setGreeting,
  signMessage,
  startBatch,
  startGreeting,
  startMessage,
  startPayment,
  type Transfer,
} from './steps/cards.js';
export {
  AGREE,
  agree,
  agreeButton,
  approveUntil,
  cancel,
  confirmationOf,
  confirmDialog,
  giveUp,
  reach,
  seeAll,
  TRANSACTION,
  uncovered,
} from './steps/confirmation.js';
export {
  closeKeyViewer,
  continueToKey,
  keyViewer,
  openKeyViewer,
  pressContinue,
  revealKey,
} from './steps/key-viewer.js';
export {
  checkCodeIn,
  closeDevices,
  joinAccount,
  linkedDevices,
  listDevices,
  openDevices,
  removeDevice,
  scan,
  scanAndConfirm,
  scannedCodeOf,
  showLinkCode,
  showLinkCodeFor,
} from './steps/linking.js';
export {
  askForNewPasskey,
  forgetEverything,
  hintOf,
  loggedInAs,
  logIn,
  loginMenu,
  loginProblem,
  logOut,
  recover,
  recoverExpectingError,
  register,
  startLogin,
  startRecovery,
  startRegistration,
} from './steps/login-menu.js';
export {
  agreeToCreate,
  createNameless,
  NAMELESS,
  namelessAccount,
  namelessMenuOf,
  namelessOffer,
  recoverNameless,
  registerPasskey,
  showAddress,
  UNPROVEN,
} from './steps/nameless.js';
export { chooseInMenu, closeMenu, closeSettings, toastOf, toDemos, toHome, userMenu } from './steps/pages.js';
export { gone, pressUntilGone } from './steps/press.js';
