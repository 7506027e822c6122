/** Copies the text inside a click; falls back to the older command if the browser refuses the newer API. */
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
