/** What a flow's phase means for the frame: whether it needs the user. */
import type { FlowPhase } from '../../events.js';

/** A request that its host or its user cancelled reports this before its error. */
type Phase = FlowPhase | 'cancelled';

/** Phases that need the user show the frame; those that come after hide it. The rest leave it as it is. */
const PHASES: Readonly<Partial<Record<Phase, 'show' | 'hide'>>> = {
  'user-confirmation': 'show',
  'webauthn-authentication': 'show',
  'webauthn-verification': 'show',
  'webauthn-assertion': 'show',
  // Only in a linking: the confirmation on the device that lets in, and the passkey on the one that joins.
  authorization: 'show',
  registration: 'show',

  'authentication-complete': 'hide',
  'transaction-signing-progress': 'hide',
  'transaction-signing-complete': 'hide',
  'contract-verification': 'hide',
  broadcasting: 'hide',
  'action-complete': 'hide',
  'contract-registration': 'hide',
  'registration-complete': 'hide',
  'vrf-unlock': 'hide',
  'login-complete': 'hide',
  'authenticator-saved': 'hide',
  'linking-complete': 'hide',
  'account-recovery-complete': 'hide',
  cancelled: 'hide',
};

/**
 * What a report does to its request's frame; undefined leaves it as it is. Every error hides it; a wait for the network,
 * which the wallet draws with a Cancel, shows it.
 */
export function overlayOn(report: {
  readonly phase: string;
  readonly status: string;
  readonly data?: Readonly<Record<string, unknown>>;
}): 'show' | 'hide' | undefined {
  if (report.status === 'error') return 'hide';
  if (report.data?.waiting === true) return 'show';
  return Object.hasOwn(PHASES, report.phase) ? PHASES[report.phase as Phase] : undefined;
}
