import type { AnyFlowEvent } from '../any-flow-event.js';
import type { PasskeyToast } from '../toasts/toast.js';
import type { LoginMode } from './modes.js';

/** What the menu shows: its field, a flow that runs, or the code of this device. */
export type LoginMenuView = 'menu' | 'waiting' | 'code';

export interface LoginMenuProps {
  /** The mode at the start; by default login if this device knows an account, else register. */
  defaultMode?: LoginMode | undefined;
  /** Moves the focus to the menu's title once it shows, such as after a logout. Default false. */
  autoFocus?: boolean | undefined;
  /**
   * Where the wallet runs in a frame: lays the wallet's own register button under a name that can be registered, so that the
   * click falls inside the frame. The wallet confirms as always. Default false.
   */
  registerButton?: boolean | undefined;
  /**
   * Offers an account without a name next to the field of a new one: the passkey alone makes it, with no relay. Such an account
   * has an address in place of a name. Default false.
   */
  namelessAccounts?: boolean | undefined;
  /**
   * One-touch login: "Continue with a passkey" above the modes opens the account of the passkey that the user chooses, with no name
   * typed. Where the browser can, a field offers passkeys too: the menu's own, or one of the wallet in its frame. Default false.
   */
  passkeyLogin?: boolean | undefined;
  /** Called once a user is logged in: registered, logged in, recovered or linked. */
  onLoggedIn?: ((accountId: string) => void) | undefined;
  /** Called with every event of every flow that the menu runs. */
  onEvent?: ((event: AnyFlowEvent) => void) | undefined;
  /** Called with each text for a toaster: pass `show` of `usePasskeyToasts`. The menu itself says what went wrong, too. */
  onToast?: ((toast: PasskeyToast) => void) | undefined;
  /** Called when the menu shows something else. */
  onViewChange?: ((view: LoginMenuView) => void) | undefined;
}
