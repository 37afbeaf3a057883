import { startTransition, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { LaterStill } from './later.tsx';
import { orInstead } from './lazy-overlay.ts';
import { PartMissing } from './lazy-part.tsx';

interface Placed {
  /** Keeps the place of the part. */
  before?: ReactNode;
}

/**
 * As `lazyPart`, for what surrounds what one came for: fetched and shown after it, as `LaterStill` does. It does not suspend: all that
 * comes later is drawn in one go, and would wait for this code as well.
 */
export function laterPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let fetched: ComponentType<Props> | undefined;
  function Fetched({ before, ...props }: Props & Placed): ReactNode {
    const [Part, setPart] = useState(() => fetched);
    useEffect(() => {
      if (Part !== undefined) return;
      void orInstead(load(), PartMissing).then((part) => {
        fetched = part.default;
        startTransition(() => setPart(() => part.default));
      });
    }, [Part]);
    return Part === undefined ? before : <Part {...(props as unknown as Props)} />;
  }
  return (props: Props & Placed): ReactNode => (
    <LaterStill before={props.before}>
      <Fetched {...props} />
    </LaterStill>
  );
}
