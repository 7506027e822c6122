import { orOffline } from 'latchkey';
import { useEffect, useRef, useState } from 'react';

/** Loads a module when first wanted. Reports a failed load and retries it the next time. */
export function useChunk<Module>(
  wanted: boolean,
  load: () => Promise<Module>,
  onFailure: (error: Error) => void,
): Module | undefined {
  const [loaded, setLoaded] = useState<{ module: Module }>();
  const latest = useRef({ load, onFailure });
  latest.current = { load, onFailure };
  useEffect(() => {
    if (!wanted || loaded) return;
    let current = true;
    latest.current.load().then(
      (module) => {
        if (current) setLoaded({ module });
      },
      (error: unknown) => {
        if (current) latest.current.onFailure(reasonOf(error));
      },
    );
    return () => {
      current = false;
    };
  }, [wanted, loaded]);
  return loaded?.module;
}

function reasonOf(thrown: unknown): Error {
  const reason = orOffline(thrown);
  return reason instanceof Error ? reason : new Error(String(reason));
}
