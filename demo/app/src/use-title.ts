import { useEffect } from 'react';

/** Names the page in the browser's tab. */
export function useTitle(name: string): void {
  useEffect(() => {
    document.title = name === '' ? 'Latchkey' : `${name} · Latchkey`;
  }, [name]);
}
