import { startTransition, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { LaterStill } from './later.tsx';
import { orInstead } from './lazy-overlay.ts';
import { PartMissing } from './lazy-part.tsx';

/**
 * As `lazyPart`, for what surrounds what one came for: shown after it, as `LaterStill` does, and its code fetched after it too. `before` keeps
 * its place. It does not suspend: all that comes later is drawn in one go, and would wait for this code as well.
 */
export function laterPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let fetched: ComponentType<Props> | undefined;
  return function LaterPart({ before, ...props }: Props & { before?: ReactNode }): ReactNode {
    const [Part, setPart] = useState(() => fetched);
    useEffect(() => {
      if (Part !== undefined) return;
      void orInstead(load(), PartMissing).then((part) => {
        fetched = part.default;
        startTransition(() => setPart(() => part.default));
      });
    }, [Part]);
    if (Part === undefined) return before;
    return (
      <LaterStill before={before}>
        <Part {...(props as unknown as Props)} />
      </LaterStill>
    );
  };
}
