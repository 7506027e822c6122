/** Escape in the wallet's frame. What is pressed in a frame, the page around it does not hear. */

/** Calls `tell` for each Escape that is pressed while no dialog is open here: a dialog's Escape is its own. */
export function onEscapeWithoutDialog(tell: () => void): void {
  addEventListener(
    'keydown',
    ({ key, repeat }) => {
      if (key === 'Escape' && !repeat && !hasDialog()) tell();
    },
    // Ahead of the dialog, which may be closed when it has heard it.
    { capture: true },
  );
}

/** Every screen of the wallet that takes the person's answer is a modal dialog in a shadow root of its own. */
function hasDialog(): boolean {
  return [...document.body.children].some(({ shadowRoot }) => shadowRoot?.querySelector('dialog:modal'));
}
