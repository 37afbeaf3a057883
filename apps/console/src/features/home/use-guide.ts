import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Data } from '../../api/client.ts';
import { useApi } from '../../api/query.ts';
import { useRemembered } from '../../kit/remembered.ts';

export type Setup = Data<'getSetupState'>;

/** `new`: not known yet whether one needs it. `open` from then on until it is closed, so that its end is seen too. */
const states = ['new', 'open', 'closed'] as const;
type State = (typeof states)[number];
const stateOf = (stored: unknown): State | undefined => states.find((state) => state === stored);
const refreshMs = 10_000;

/**
 * The guide from nothing to the first request: shown to whoever has had no request yet, until they close it. It comes back
 * where its link leads, `?guide=open`.
 */
export function useGuide() {
  const [state, setState] = useRemembered<State>('setup-guide', stateOf, 'new');
  const navigate = useNavigate();
  const asked = (useSearch({ strict: false }) as { guide?: string }).guide === 'open';
  const { data } = useApi(
    'getSetupState',
    {},
    { enabled: asked || state !== 'closed', refetchInterval: asked || state === 'open' ? refreshMs : false },
  );
  // The first request is what it is all for; whoever has it needs no guide, even if a step was taken otherwise than it says.
  const isThrough = data?.steps.every(({ id, done }) => done || id !== 'request') ?? true;
  // Decided once: an installation that works is not greeted by a guide because its last request was long ago.
  useEffect(() => {
    if (data && state === 'new') setState(isThrough ? 'closed' : 'open');
  }, [data, state, isThrough, setState]);
  return {
    setup: asked || state === 'open' ? data : undefined,
    close: () => {
      setState('closed');
      if (asked) void navigate({ to: '.', search: {}, replace: true });
    },
  };
}
