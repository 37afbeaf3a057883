import { useEffect, useMemo, useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { kitText } from '../kit.text.ts';
import type { Option } from './inputs.tsx';
import { readableDomains } from '../domain-name.ts';

/** The first of those that are called so; the caller fetches. It should be stable, since another one searches anew. */
export type Find<Value extends string | number> = (
  text: string,
  signal: AbortSignal,
) => Promise<readonly Option<Value>[]>;

/** Objects to choose from, of which there may be many. */
export interface Choices {
  find: Find<number>;
  /** What these are called; those that do not exist are left out. */
  named: (ids: readonly number[]) => Promise<readonly Option<number>[]>;
}

/** What was found for the text, 250 ms after the last key; an older answer never replaces a newer one. */
export function useFound<Value extends string | number>(find: Find<Value>, text: string, open: boolean) {
  const [found, setFound] = useState({
    options: [] as readonly Option<Value>[],
    loading: false,
    error: null as string | null,
  });
  useEffect(() => {
    if (!open) return undefined;
    const stop = new AbortController();
    setFound((before) => ({ ...before, loading: true, error: null }));
    const timer = setTimeout(
      () =>
        void find(text, stop.signal).then(
          (options) =>
            !stop.signal.aborted && setFound({ options: options.map(asRead), loading: false, error: null }),
          (reason: unknown) => {
            const error = reason instanceof Error ? reason.message : String(reason);
            if (!stop.signal.aborted) setFound({ options: [], loading: false, error });
          },
        ),
      text === '' ? 0 : 250,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [find, text, open]);
  return found;
}

/**
 * The options of what is chosen: their names are asked for, all at once, unless they were picked here. Until they are known,
 * and where they cannot be, it is their ids; of what does not exist any more it is said.
 */
export function useChosen(
  { named }: Choices,
  ids: readonly number[],
  picked: readonly Option<number>[] = none,
): Option<number>[] {
  const kit = useText(kitText);
  const unknown = ids.filter((id) => !picked.some(({ value }) => value === id)).join(',');
  const [answer, setAnswer] = useState({ asked: '', options: none });
  useEffect(() => {
    if (unknown === '') return undefined;
    let isLate = false;
    named(unknown.split(',').map(Number)).then(
      (options) => !isLate && setAnswer({ asked: unknown, options: options.map(asRead) }),
      // Without a name it is its id; whatever is wrong is said where one searches.
      () => undefined,
    );
    return () => {
      isLate = true;
    };
  }, [named, unknown]);
  return useMemo(() => {
    const isAnswered = answer.asked === unknown;
    const known = [...picked, ...answer.options];
    return ids.map((value) => {
      const option = known.find((each) => each.value === value);
      if (option) return option;
      return { value, label: isAnswered ? kit.notOffered(`#${value}`) : `#${value}` };
    });
  }, [ids, picked, answer, unknown, kit]);
}
/** Sites are called by their domains. */
const asRead = <Value extends string | number>(option: Option<Value>): Option<Value> => ({
  ...option,
  label: readableDomains(option.label),
});

const none: readonly Option<number>[] = [];
