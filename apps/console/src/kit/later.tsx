import { startTransition, useDeferredValue, useEffect, useState, type ReactNode } from 'react';

/** A window that nobody looks at is not painted; it goes on without. */
const unpaintedMs = 200;

/** Runs something once what is drawn now can be seen. */
function afterPaint(run: () => void): () => void {
  let timer = setTimeout(run, unpaintedMs);
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    timer = setTimeout(run);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

/** False until what is drawn with it can be seen. Begun at once, more work would keep the browser from painting. */
export function usePainted(): boolean {
  const [painted, setPainted] = useState(false);
  useEffect(() => afterPaint(() => startTransition(() => setPainted(true))), []);
  return painted;
}

/**
 * What surrounds what one came for: drawn right after it, in steps that leave room for a click or a key. Its place must
 * be kept by what it stands in, so that nothing moves when it comes.
 */
export function Later({ children }: { children: ReactNode }): ReactNode {
  return usePainted() && children;
}

/** As `Later`, and by itself after that: all at once would keep a slow machine busy for too long. */
export function LaterStill({ children }: { children: ReactNode }): ReactNode {
  return useDeferredValue(usePainted(), false) && children;
}
