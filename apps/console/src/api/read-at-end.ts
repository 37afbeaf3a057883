import { useEffect, useRef } from 'react';

/**
 * Reads once more what goes with work that is followed, when that has ended: what came just before may lack its end, and nobody
 * asks again for what is over. Of work that was over from the start as well, for both were read at once.
 */
export function useReadAtEnd(isUnderWay: boolean, { refetch }: { refetch: () => unknown }): void {
  const again = useRef(refetch);
  useEffect(() => {
    again.current = refetch;
  });
  useEffect(() => {
    if (!isUnderWay) again.current();
  }, [isUnderWay]);
}
