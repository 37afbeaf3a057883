import type { MenuEntry } from '@breakwater/contract';
import { Box, List, ListItemButton, Typography } from '@mui/material';
import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useText } from '../../i18n/text.ts';
import { Icon } from '../../kit/icon.tsx';
import { useActivePath, useMenu } from './menu.ts';
import { Flyout } from './nav-flyout.tsx';
import { EntryEnd, linkTo } from './nav-link.tsx';
import { fittingOf } from './nav-fitting.ts';
import { navEntry } from './nav-look.ts';
import { shellText } from '../shell.text.ts';

/** The menu as a bar; groups fly out below it, and so does what has no room in it. */
export function NavHorizontal() {
  const items = useMenu().flatMap((section) => section.items);
  const t = useText(shellText);
  const bar = useRef<HTMLUListElement>(null);
  const fitting = useFitting(bar, items);
  const rest = items.slice(fitting);
  return (
    <List
      ref={bar}
      disablePadding
      sx={{ position: 'relative', display: 'flex', alignItems: 'center', gap: `${gapPx}px`, height: '100%' }}
    >
      {items.slice(0, fitting).map((entry) => (
        <BarEntry key={entry.title} entry={entry} />
      ))}
      {rest.length > 0 && <BarEntry entry={{ title: t.moreMenu, icon: 'more', children: rest }} />}
      <Box aria-hidden inert component="li" sx={measureLook}>
        {[...items, { title: t.moreMenu, icon: 'more', children: [] }].map((entry) => (
          <ListItemButton key={entry.title} component="div" sx={[navEntry, barEntry]}>
            <Inside entry={entry} />
          </ListItemButton>
        ))}
      </Box>
    </List>
  );
}

/** How many entries have room beside the one for the rest. All entries are drawn out of sight, to be measured. */
function useFitting(bar: RefObject<HTMLUListElement | null>, items: readonly MenuEntry[]): number {
  const [fitting, setFitting] = useState(items.length);
  useLayoutEffect(() => {
    const list = bar.current!;
    const measure = list.querySelector(':scope > [inert]')!;
    const fit = () => {
      const widths = [...measure.children].map((child) => child.getBoundingClientRect().width + gapPx);
      setFitting(fittingOf(widths.slice(0, -1), widths.at(-1)!, list.clientWidth + gapPx));
    };
    const observer = new ResizeObserver(fit);
    observer.observe(list);
    observer.observe(measure);
    fit();
    return () => observer.disconnect();
  }, [bar, items]);
  return fitting;
}

function BarEntry({ entry }: { entry: MenuEntry }) {
  const active = useActivePath();
  if (entry.children)
    return (
      <Flyout entry={entry} placement="bottom-start">
        {({ open, current, id }) => (
          <ListItemButton
            disabled={entry.disabled === true}
            aria-expanded={open}
            aria-controls={id}
            selected={current}
            aria-current={current ? 'true' : undefined}
            sx={[navEntry, barEntry]}
          >
            <Inside entry={entry} />
          </ListItemButton>
        )}
      </Flyout>
    );
  return (
    <Box component="li" sx={{ listStyle: 'none', flexShrink: 0 }}>
      <ListItemButton
        {...linkTo(entry, active === entry.path)}
        title={entry.caption}
        sx={[navEntry, barEntry]}
      >
        <Inside entry={entry} />
      </ListItemButton>
    </Box>
  );
}

function Inside({ entry }: { entry: MenuEntry }) {
  return (
    <>
      <Typography component="span" variant="body2" noWrap sx={{ fontWeight: 'inherit' }}>
        {entry.title}
      </Typography>
      {entry.children ? (
        <Icon name="down" size={14} sx={{ ml: 0.5, opacity: 0.64 }} />
      ) : (
        <EntryEnd entry={entry} />
      )}
    </>
  );
}

const gapPx = 4;
const measureLook = {
  display: 'flex',
  gap: `${gapPx}px`,
  position: 'absolute',
  insetInlineStart: 0,
  width: '100%',
  height: 0,
  overflow: 'hidden',
  visibility: 'hidden',
} as const;
const barEntry = {
  // All of the operators' menu has room at 1920 pixels.
  px: 1,
  py: 0,
  minHeight: 36,
  whiteSpace: 'nowrap',
  flexShrink: 0,
  width: 'auto',
} as const;
