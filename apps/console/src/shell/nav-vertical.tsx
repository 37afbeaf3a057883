import type { MenuEntry } from '@breakwater/contract';
import {
  Box,
  Collapse,
  List,
  ListItem,
  ListItemButton,
  ListItemIcon,
  ListItemText,
  ListSubheader,
} from '@mui/material';
import { useEffect, useId, useState } from 'react';
import { Icon } from '../kit/icon.tsx';
import { MenuIcon } from './menu-icon.tsx';
import { holds, useActivePath, useCurrentPage, useMenu } from './menu.ts';
import { navEntry } from './nav-look.ts';
import { EntryEnd, linkTo } from './nav-link.tsx';

/** The menu as a column, its groups opening below their titles. */
export function NavVertical() {
  const menu = useMenu();
  const active = useActivePath();
  return menu.map(({ subheader, items }) => (
    <List
      key={subheader}
      dense
      disablePadding
      subheader={
        <ListSubheader
          disableSticky
          sx={{
            bgcolor: 'transparent',
            color: 'var(--nav-text)',
            lineHeight: 1.5,
            pt: 2,
            pb: 0.75,
            px: 1.5,
            fontSize: 11,
            fontWeight: 700,
          }}
        >
          {subheader}
        </ListSubheader>
      }
    >
      {items.map((entry) => (
        <Entry key={entry.title} entry={entry} active={active} depth={0} />
      ))}
    </List>
  ));
}

interface EntryProps {
  entry: MenuEntry;
  active: string | undefined;
  depth: number;
}

function Entry({ entry, active, depth }: EntryProps) {
  if (entry.children) return <Group entry={entry} entries={entry.children} active={active} depth={depth} />;
  const selected = active === entry.path;
  return (
    <ListItem disablePadding sx={{ mb: 0.5 }}>
      <ListItemButton {...linkTo(entry, selected)} sx={[navEntry, { minHeight: depth ? 36 : 42, px: 1.5 }]}>
        <Look entry={entry} depth={depth} />
        <EntryEnd entry={entry} />
      </ListItemButton>
    </ListItem>
  );
}

function Group({ entry, entries, active, depth }: EntryProps & { entries: readonly MenuEntry[] }) {
  const id = useId();
  const current = holds(entry, active);
  const { pathname } = useCurrentPage();
  const [open, setOpen] = useState(current);
  // A group that one has left closes; the one that holds the page is open.
  useEffect(() => setOpen(current), [current, pathname]);
  return (
    <ListItem disablePadding sx={{ display: 'block' }}>
      <ListItemButton
        disabled={entry.disabled === true}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        sx={[
          navEntry,
          { minHeight: depth ? 36 : 42, px: 1.5, mb: 0.5 },
          current && { color: 'var(--nav-active)', fontWeight: 600 },
        ]}
      >
        <Look entry={entry} depth={depth} />
        <EntryEnd entry={entry} />
        <Icon
          name="down"
          size={14}
          sx={{
            transform: open ? 'none' : 'rotate(-90deg)',
            '[dir=rtl] &': open ? {} : { transform: 'rotate(90deg)' },
            transition: 'transform 120ms',
          }}
        />
      </ListItemButton>
      <Collapse in={open} id={id} timeout={120} unmountOnExit>
        <List dense disablePadding sx={{ pl: 1.5, ml: 1.25, borderLeft: '2px solid var(--nav-line)' }}>
          {entries.map((child) => (
            <Entry key={child.title} entry={child} active={active} depth={depth + 1} />
          ))}
        </List>
      </Collapse>
    </ListItem>
  );
}

function Look({ entry, depth }: { entry: MenuEntry; depth: number }) {
  return (
    <>
      {depth === 0 && (
        <ListItemIcon sx={{ minWidth: 34, color: 'inherit' }}>
          <MenuIcon name={entry.icon} />
        </ListItemIcon>
      )}
      <ListItemText
        primary={entry.title}
        secondary={entry.caption}
        sx={{ my: 0.25, minWidth: 0 }}
        slotProps={{
          primary: { variant: 'body2', noWrap: true, title: entry.title, sx: { fontWeight: 'inherit' } },
          secondary: {
            variant: 'caption',
            noWrap: true,
            title: entry.caption,
            sx: { display: 'block', color: 'var(--nav-text)' },
          },
        }}
      />
    </>
  );
}

/** Room for the menu that scrolls by itself. */
export function NavScroll({ children }: { children: React.ReactNode }) {
  return (
    <Box sx={{ flex: 1, minHeight: 0, overflowY: 'auto', px: 1.5, pb: 2, scrollbarWidth: 'thin' }}>
      {children}
    </Box>
  );
}
