import { useDeferredValue, type ReactNode } from 'react';

/**
 * What surrounds what one came for: drawn right after it, in steps that leave room for a click or a key. Its place must
 * be kept by what it stands in, so that nothing moves when it comes.
 */
export function Later({ children }: { children: ReactNode }): ReactNode {
  return useDeferredValue(true, false) && children;
}
