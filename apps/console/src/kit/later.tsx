import { startTransition, useDeferredValue, useEffect, useState, type ReactNode } from 'react';

/**
 * What surrounds what one came for: drawn right after it, in steps that leave room for a click or a key. Its place must
 * be kept by what it stands in, so that nothing moves when it comes.
 */
export function Later({ children }: { children: ReactNode }): ReactNode {
  const [ready, setReady] = useState(false);
  useEffect(() => startTransition(() => setReady(true)), []);
  return ready && children;
}

/**
 * As `Later`, and by itself after that: all at once would keep a slow machine busy for too long. `before` keeps its place until then.
 */
export function LaterStill({
  children,
  before = null,
}: {
  children: ReactNode;
  before?: ReactNode;
}): ReactNode {
  return useDeferredValue(true, false) ? children : before;
}
