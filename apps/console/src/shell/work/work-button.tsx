import type { WorkItem } from '@breakwater/contract';
import { Badge, Box, CircularProgress, IconButton } from '@mui/material';
import { Suspense, useState } from 'react';
import type { Data } from '../../api/client.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { Icon } from '../../kit/icon.tsx';
import { lazyOverlay } from '../../kit/lazy-overlay.ts';
import { useRemembered } from '../../kit/remembered.ts';
import { workText } from './work.text.ts';
import { Hint } from '../../kit/hint.tsx';

const WorkList = lazyOverlay(() => import('./work-list.tsx').then((module) => module.WorkList));

const textOf = (stored: unknown): string | undefined => (typeof stored === 'string' ? stored : undefined);

/** How often it is asked how work fares: what began just now soon again, what waits for an absent node seldom. */
const [soonMs, laterMs, idleMs, freshMs] = [2000, 15_000, 60_000, 10 * 60_000];

function intervalOf(last: Data<'getWork'> | undefined): number {
  if (!last || last.open === 0) return idleMs;
  const newest = Math.max(...last.list.filter(isOpen).map((item) => Date.parse(item.created_at)));
  return Date.now() - newest < freshMs ? soonMs : laterMs;
}

export const isOpen = ({ finished_at: end }: WorkItem): boolean => end === null;

/** Long work of the header: there while something is under way or ended lately, with what failed since it was last looked at. */
export function WorkButton() {
  const t = useText(workText);
  const { data } = useApi('getWork', {}, { refetchInterval: intervalOf });
  const [seen, setSeen] = useRemembered('work-seen', textOf, '');
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  if (!data || (data.list.length === 0 && !anchor)) return null;
  const { open, list } = data;
  const known = new Set(seen.split(','));
  const failed = list.filter((item) => item.failed > 0 && !known.has(failuresOf(item))).length;
  const label = t.button(open, failed);
  const close = () => {
    setAnchor(null);
    setSeen(list.map(failuresOf).join(','));
  };
  return (
    <>
      <Hint title={label}>
        <IconButton
          aria-label={label}
          aria-haspopup="dialog"
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          <Badge badgeContent={failed || open} color={failed > 0 ? 'error' : 'primary'} max={99}>
            <Icon name="task" size={22} />
          </Badge>
          {open > 0 && <Ring list={list} />}
        </IconButton>
      </Hint>
      {anchor && (
        <Suspense>
          <WorkList anchor={anchor} work={data} onClose={close} />
        </Suspense>
      )}
    </>
  );
}

/** What of it failed so far: when more does, it is news again. */
const failuresOf = ({ id, failed }: WorkItem): string => `${id}:${failed}`;

/** How far all of it is together. */
function Ring({ list }: { list: readonly WorkItem[] }) {
  const under = list.filter(isOpen);
  const total = under.reduce((sum, item) => sum + item.total, 0);
  const done = under.reduce((sum, item) => sum + item.done + item.failed, 0);
  return (
    <Box component="span" aria-hidden sx={{ position: 'absolute', inset: 1, lineHeight: 0 }}>
      {total === 0 || done === 0 ? (
        <CircularProgress size="100%" thickness={2} />
      ) : (
        <CircularProgress size="100%" thickness={2} variant="determinate" value={(100 * done) / total} />
      )}
    </Box>
  );
}
