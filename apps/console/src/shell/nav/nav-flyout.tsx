import type { MenuEntry } from '@breakwater/contract';
import {
  Box,
  List,
  ListItem,
  ListItemButton,
  ListItemText,
  Paper,
  Popper,
  type PopperPlacementType,
} from '@mui/material';
import { useTheme } from '@mui/material/styles';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { useSettings } from '../../theme/settings.ts';
import { holds, useActivePath } from './menu.ts';
import { EntryEnd, linkTo } from './nav-link.tsx';
import { navEntry, navFrame, navWidth } from './nav-look.ts';

interface FlyoutProps {
  entry: MenuEntry;
  placement: PopperPlacementType;
  /** What stands in the bar or the rail. */
  children: (trigger: { open: boolean; current: boolean; id: string }) => ReactNode;
}

const closeDelayMs = 120;

/** A group whose entries fly out beside it while it is pointed at or holds the focus. Escape closes it. */
export function Flyout({ entry, placement, children }: FlyoutProps) {
  const id = useId();
  const active = useActivePath();
  const { pathname } = useLocation();
  const { navColor } = useSettings();
  const rtl = useTheme().direction === 'rtl';
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [open, setOpen] = useState(false);
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setOpen(false), [pathname]);
  useEffect(() => () => clearTimeout(closing.current), []);
  const show = () => {
    clearTimeout(closing.current);
    if (!entry.disabled) setOpen(true);
  };
  return (
    <Box
      component="li"
      ref={setAnchor}
      sx={{ listStyle: 'none' }}
      onMouseEnter={show}
      onMouseLeave={() => (closing.current = setTimeout(() => setOpen(false), closeDelayMs))}
      onClick={show}
      onFocus={(event) => event.target.matches(':focus-visible') && show()}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setOpen(false)}
      onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}
    >
      {children({ open, current: holds(entry, active), id })}
      <Popper
        id={id}
        open={open && anchor !== null}
        anchorEl={anchor}
        placement={rtl ? mirrored(placement) : placement}
        popperOptions={{ strategy: 'fixed' }}
        disablePortal
        sx={{ zIndex: 'appBar' }}
      >
        <Paper
          elevation={8}
          sx={[navFrame(navColor), { minWidth: navWidth.flyout, p: 0.75, borderRadius: 1.25 }]}
        >
          <Entries entries={entry.children ?? []} active={active} />
        </Paper>
      </Popper>
    </Box>
  );
}

function Entries({ entries, active }: { entries: readonly MenuEntry[]; active: string | undefined }) {
  return (
    <List dense disablePadding>
      {entries.map((child) =>
        child.children ? (
          <Flyout key={child.title} entry={child} placement="right-start">
            {({ open, current, id }) => (
              <ListItemButton
                aria-expanded={open}
                aria-controls={id}
                selected={current}
                sx={[navEntry, { minHeight: 36 }]}
              >
                <Title entry={child} />
              </ListItemButton>
            )}
          </Flyout>
        ) : (
          <ListItem key={child.title} disablePadding>
            <ListItemButton
              {...linkTo(child, active === child.path)}
              sx={[navEntry, { minHeight: 36, px: 1.25 }]}
            >
              <Title entry={child} />
              <EntryEnd entry={child} />
            </ListItemButton>
          </ListItem>
        ),
      )}
    </List>
  );
}

function Title({ entry }: { entry: MenuEntry }) {
  return (
    <ListItemText
      primary={entry.title}
      secondary={entry.caption}
      slotProps={{
        primary: { variant: 'body2', noWrap: true, sx: { fontWeight: 'inherit' } },
        secondary: { variant: 'caption', sx: { color: 'var(--nav-text)' } },
      }}
    />
  );
}

function mirrored(placement: PopperPlacementType): PopperPlacementType {
  if (placement.startsWith('right')) return placement.replace('right', 'left') as PopperPlacementType;
  return placement === 'bottom-start' ? 'bottom-end' : placement;
}
