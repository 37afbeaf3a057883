import { Box } from '@mui/material';
import { LaterStill } from '../later.tsx';
import { lazyPart } from '../lazy-part.tsx';
import type { FilterField, FilterValues } from './filter-field.ts';
import type { ProblemOf } from './filter-input.tsx';

export type { FilterField };

export interface FilterBarProps {
  fields: readonly FilterField[];
  values: FilterValues;
  onChange: (patch: FilterValues) => void;
  /** What saved filters belong to; without it, the path of the screen. */
  id?: string;
  /** Values that are chosen elsewhere on the screen and saved with the filters. */
  savedToo?: readonly string[];
  /** Why what was typed is no filter; without it all is taken. `useFilterProblems` says it of a query. */
  problemOf?: ProblemOf;
}

const Content = lazyPart(() => import('./filter-bar-content.tsx').then((part) => part.FilterBarContent));

/**
 * The filters of a list: what is set shows as chips, and everything lives in `values`, which is the address. Fetched when they are first
 * shown, which is after the rows: fields, choices and what opens from them are more code than the rows need.
 */
export function FilterBar(props: FilterBarProps) {
  // On a phone, where each has a line of its own, and so have the buttons.
  const lines = props.fields.filter(({ inBar }) => inBar).length + 1;
  return (
    <LaterStill before={<Box sx={{ height: { xs: lines * 46 - 8, sm: 38 } }} />}>
      <Content {...props} />
    </LaterStill>
  );
}
