import type { MenuEntry } from '@breakwater/contract';
import { Badge, Box, List, ListItemButton, Typography } from '@mui/material';
import { Icon } from '../../kit/icon.tsx';
import { MenuIcon } from './menu-icon.tsx';
import { useActivePath, useMenu } from './menu.ts';
import { Flyout } from './nav-flyout.tsx';
import { linkTo } from './nav-link.tsx';
import { navEntry } from './nav-look.ts';

/** The menu as a rail of icons with their names below; groups fly out. */
export function NavMini() {
  const menu = useMenu();
  const active = useActivePath();
  return menu.map(({ subheader, items }, index) => (
    <List
      key={subheader}
      disablePadding
      aria-label={subheader}
      sx={index > 0 ? { borderTop: '1px solid var(--nav-line)', mt: 0.5, pt: 0.5 } : {}}
    >
      {items.map((entry) =>
        entry.children ? (
          <Flyout key={entry.title} entry={entry} placement="right-start">
            {({ open, current, id }) => (
              <ListItemButton
                disabled={entry.disabled === true}
                aria-expanded={open}
                aria-controls={id}
                selected={current}
                aria-current={current ? 'true' : undefined}
                sx={[navEntry, railEntry]}
              >
                <Look entry={entry} />
                <Icon
                  name="right"
                  size={12}
                  sx={{ position: 'absolute', top: 10, right: 4, opacity: 0.64 }}
                />
              </ListItemButton>
            )}
          </Flyout>
        ) : (
          <Box component="li" key={entry.title} sx={{ listStyle: 'none' }}>
            <ListItemButton
              {...linkTo(entry, active === entry.path)}
              title={entry.caption}
              sx={[navEntry, railEntry]}
            >
              <Look entry={entry} />
            </ListItemButton>
          </Box>
        ),
      )}
    </List>
  ));
}

function Look({ entry }: { entry: MenuEntry }) {
  return (
    <>
      <Badge badgeContent={entry.info} color="error">
        <MenuIcon name={entry.icon} />
      </Badge>
      <Typography
        component="span"
        sx={{
          fontSize: 11,
          lineHeight: '15px',
          fontWeight: 'inherit',
          textAlign: 'center',
          overflowWrap: 'anywhere',
        }}
      >
        {entry.title}
      </Typography>
    </>
  );
}

const railEntry = { flexDirection: 'column', gap: 0.5, px: 0.5, py: 1, minHeight: 56, mb: 0.25 } as const;
