/** Puts the text on the clipboard, inside a click; by the older command where the newer way is refused. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch (refused) {
    if (!copyByCommand(text)) throw refused;
  }
}

function copyByCommand(text: string): boolean {
  let isCopied = false;
  const onCopy = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    isCopied = true;
  };
  document.addEventListener('copy', onCopy);
  try {
    return document.execCommand('copy') && isCopied;
  } finally {
    document.removeEventListener('copy', onCopy);
  }
}
