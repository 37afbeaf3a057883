import type { MenuEntry } from '@breakwater/contract';
import { Box, List, ListItemButton, Typography } from '@mui/material';
import { Icon } from '../kit/icon.tsx';
import { MenuIcon } from './menu-icon.tsx';
import { useActivePath, useMenu } from './menu.ts';
import { Flyout } from './nav-flyout.tsx';
import { EntryEnd, linkTo } from './nav-link.tsx';
import { navEntry } from './nav-look.ts';

/** The menu as a bar; groups fly out below it. What does not fit is scrolled to. */
export function NavHorizontal() {
  const items = useMenu().flatMap((section) => section.items);
  const active = useActivePath();
  return (
    <List
      disablePadding
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 0.5,
        height: '100%',
        overflowX: 'auto',
        scrollbarWidth: 'none',
      }}
    >
      {items.map((entry) =>
        entry.children ? (
          <Flyout key={entry.title} entry={entry} placement="bottom-start">
            {({ open, current, id }) => (
              <ListItemButton
                disabled={entry.disabled === true}
                aria-expanded={open}
                aria-controls={id}
                selected={current}
                sx={[navEntry, barEntry]}
              >
                <Look entry={entry} />
                <Icon name="down" size={14} sx={{ ml: 0.5, opacity: 0.64 }} />
              </ListItemButton>
            )}
          </Flyout>
        ) : (
          <Box component="li" key={entry.title} sx={{ listStyle: 'none', flexShrink: 0 }}>
            <ListItemButton
              {...linkTo(entry, active === entry.path)}
              title={entry.caption}
              sx={[navEntry, barEntry]}
            >
              <Look entry={entry} />
              <EntryEnd entry={entry} />
            </ListItemButton>
          </Box>
        ),
      )}
    </List>
  );
}

function Look({ entry }: { entry: MenuEntry }) {
  return (
    <>
      <Box component="span" sx={{ display: { md: 'none', xl: 'inline-flex' }, mr: 0.75 }}>
        <MenuIcon name={entry.icon} size={20} />
      </Box>
      <Typography component="span" variant="body2" noWrap sx={{ fontWeight: 'inherit' }}>
        {entry.title}
      </Typography>
    </>
  );
}

const barEntry = { px: 1.25, py: 0, minHeight: 36, whiteSpace: 'nowrap' } as const;
