import { startTransition, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { LaterStill } from './later.tsx';
import { orInstead } from './lazy-overlay.ts';
import { PartMissing } from './lazy-part.tsx';

const Nothing = () => null;

/**
 * As `lazyPart`, for what surrounds what one came for: fetched and shown after it, as `LaterStill` does; `Before` keeps its place. It does
 * not suspend: all that comes later is drawn in one go, and would wait for this code as well.
 */
export function laterPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Before: ComponentType<NoInfer<Props>> = Nothing,
) {
  let fetched: ComponentType<Props> | undefined;
  function Fetched(props: Props): ReactNode {
    const [Part, setPart] = useState(() => fetched);
    useEffect(() => {
      if (Part !== undefined) return;
      void orInstead(load(), PartMissing).then((part) => {
        fetched = part.default;
        startTransition(() => setPart(() => part.default));
      });
    }, [Part]);
    return Part === undefined ? <Before {...props} /> : <Part {...props} />;
  }
  return (props: Props): ReactNode => (
    <LaterStill before={<Before {...props} />}>
      <Fetched {...props} />
    </LaterStill>
  );
}
