/** Escape in the wallet's frame, which the page around it cannot hear. */

/** Calls `tell` for each Escape pressed while no dialog is open here; an open dialog handles its own. */
export function onEscapeWithoutDialog(tell: () => void): void {
  addEventListener(
    'keydown',
    ({ key, repeat }) => {
      if (key === 'Escape' && !repeat && !hasDialog()) tell();
    },
    // Runs before the dialog's own listener, which may close it.
    { capture: true },
  );
}

/** Every screen of the wallet that takes the user's answer is a modal dialog in a shadow root of its own. */
function hasDialog(): boolean {
  return [...document.body.children].some(({ shadowRoot }) => shadowRoot?.querySelector('dialog:modal'));
}
