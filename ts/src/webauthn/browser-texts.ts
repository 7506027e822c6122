/**
 * What browsers say of a passkey request that failed. They throw NotAllowedError for a user's no and for most of their own
 * refusals, and no browser has a separate name for those, so the sentence is all that tells them apart. Each one is from:
 *
 * - Chromium: `third_party/blink/renderer/modules/credentialmanagement/authentication_credentials_container.cc`
 * - WebKit: `Source/WebCore/Modules/webauthn/AuthenticatorCoordinator.cpp`
 * - Gecko: `dom/credentialmanagement/CredentialsContainer.cpp`
 *
 * A sentence that a browser changes reads as a user's no (CANCELLED): the wallet then asks in no other way.
 */

/**
 * Gecko has one sentence, the last one here, for an inactive window, for a frame that creates without a click of its own, and
 * for a policy that forbids it. At top level it means only the window; waiting helps only with that.
 */
export const NOT_FOCUSED =
  /page does not have focus|document is not focused|Credentials?Container request is not allowed/i;

export const PENDING = /request is already pending/i;

/** Chromium wants a click, or a policy forbids passkeys here. */
export const NOT_ALLOWED_HERE = /feature is not enabled|permissions? policy|user activation is required/i;

/** WebKit and Bitwarden's extension (bitwarden/clients issue 12590) refuse a frame of another origin. */
export const FRAME_REFUSED = /same as its ancestors|same-?origin ?with ?(its )?ancestors/i;

/** Chromium's sentences for InvalidStateError and for a user's no: extensions that stand in for it throw plain errors with them. The others are of WebKit and of Chrome on iOS. */
export const ALREADY_REGISTERED = /one of the credentials already registered/i;
export const DECLINED =
  /the operation either timed out or was not allowed|(cancelled|canceled|aborted) by the user|user (cancelled|canceled|aborted)|promise timed out/i;
