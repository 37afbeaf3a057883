import { Box, Skeleton, Stack, Typography } from '@mui/material';
import { useRef, useState, type KeyboardEvent } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { formatDateTime } from '../format.ts';
import type { TimeSpan } from './zoom-area.tsx';

export interface Bar extends TimeSpan {
  value: number;
  /** A part of the value that stands out. */
  marked: number;
}

interface HistogramProps {
  label: string;
  /** How a part is selected. */
  hint: string;
  /** Undefined: on their way. */
  bars: readonly Bar[] | undefined;
  describe: (bar: Bar) => string;
  onSelect: (span: TimeSpan) => void;
}

const height = 64;

/** Counts over time, low above a list. A bar that is clicked, or some that are dragged over or reached with shift and the arrow keys, are selected. */
export function Histogram({ label, hint, bars, describe, onSelect }: HistogramProps) {
  const language = useLanguage();
  const group = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState(0);
  const [chosen, setChosen] = useState<{ anchor: number; end: number } | null>(null);
  if (bars === undefined) return <Skeleton variant="rounded" height={height + 20} />;
  const [first, last] = [bars[0], bars.at(-1)];
  // Where there is nothing, there is nothing to select, and the list says so.
  if (!first || !last || bars.every(({ value }) => value === 0)) return null;
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const current = Math.min(focused, bars.length - 1);
  const select = ({ anchor, end }: { anchor: number; end: number }) => {
    setChosen(null);
    onSelect({ from: bars[Math.min(anchor, end)]!.from, until: bars[Math.max(anchor, end)]!.until });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOf(event);
    if (step === 0) return event.key === 'Escape' ? setChosen(null) : undefined;
    event.preventDefault();
    const next = Math.max(0, Math.min(bars.length - 1, current + step));
    setFocused(next);
    setChosen(event.shiftKey ? { anchor: chosen?.anchor ?? current, end: next } : null);
    group.current?.querySelectorAll('button')[next]?.focus();
  };
  const isChosen = (index: number) =>
    chosen !== null &&
    index >= Math.min(chosen.anchor, chosen.end) &&
    index <= Math.max(chosen.anchor, chosen.end);
  return (
    <Box>
      <Stack
        ref={group}
        role="group"
        aria-label={`${label}. ${hint}`}
        direction="row"
        onKeyDown={onKeyDown}
        onPointerLeave={() => chosen && setChosen(null)}
        onPointerUp={() => chosen && select(chosen)}
        sx={look}
      >
        {bars.map((bar, index) => (
          <button
            key={bar.from}
            type="button"
            tabIndex={index === current ? 0 : -1}
            aria-label={describe(bar)}
            title={describe(bar)}
            aria-pressed={isChosen(index)}
            onFocus={() => setFocused(index)}
            onPointerDown={(event) => {
              if (event.button === 0) setChosen({ anchor: index, end: index });
              // A finger too goes on to the next bar.
              event.currentTarget.releasePointerCapture(event.pointerId);
            }}
            onPointerEnter={(event) => chosen && event.buttons > 0 && setChosen({ ...chosen, end: index })}
            // By the keyboard, or by what reads the screen; a pointer has selected already.
            onClick={(event) => event.detail === 0 && select(chosen ?? { anchor: index, end: index })}
          >
            <i style={{ height: share(bar.value - bar.marked, most) }} />
            <i className="marked" style={{ height: share(bar.marked, most) }} />
          </button>
        ))}
      </Stack>
      <Stack direction="row" sx={{ justifyContent: 'space-between', gap: 2, mt: 0.5 }}>
        {[first.from, last.until].map((time) => (
          <Typography key={time} variant="caption" sx={{ color: 'text.secondary' }}>
            {formatDateTime(time, language)}
          </Typography>
        ))}
      </Stack>
    </Box>
  );
}

/** What is little is still seen. */
const share = (value: number, most: number): string =>
  value === 0 ? '0' : `max(2px, ${(value / most) * 100}%)`;

/** How far a key goes in time; right is earlier where one writes to the left. */
function stepOf({ key, currentTarget }: KeyboardEvent): number {
  const forward = getComputedStyle(currentTarget).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  if (key === 'Home') return -Infinity;
  if (key === 'End') return Infinity;
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return 0;
  return key === forward ? 1 : -1;
}

const look = {
  height,
  touchAction: 'pan-y',
  userSelect: 'none',
  '& button': {
    flex: '1 1 0',
    minWidth: 0,
    height: '100%',
    p: 0,
    px: '0.5px',
    border: 0,
    borderRadius: 0,
    bgcolor: 'transparent',
    cursor: 'crosshair',
    display: 'flex',
    flexDirection: 'column-reverse',
  },
  '& i': { display: 'block', width: '100%', bgcolor: 'primary.main', flexShrink: 0, pointerEvents: 'none' },
  '& i.marked': { bgcolor: 'error.main' },
  '& button:hover, & button[aria-pressed=true]': { bgcolor: 'action.selected' },
  '& button:focus-visible': { outline: 2, outlineColor: 'primary.main', outlineOffset: -1 },
} as const;
