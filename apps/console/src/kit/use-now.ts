import { useEffect, useState } from 'react';

/** The time, renewed every so many milliseconds while the page is seen; 0 keeps it still. */
export function useNow(intervalMs: number): [now: number, renew: () => void] {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (intervalMs === 0) return undefined;
    const timer = setInterval(() => document.visibilityState === 'visible' && setNow(Date.now()), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
  return [now, () => setNow(Date.now())];
}
