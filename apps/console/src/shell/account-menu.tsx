import { Avatar, Box, Divider, IconButton, ListItemIcon, Menu, MenuItem, Typography } from '@mui/material';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAccount } from '../api/account.ts';
import { queryClient } from '../api/query.ts';
import { session } from '../api/session.ts';
import { useText } from '../i18n/text.ts';
import { Icon } from '../kit/icon.tsx';
import { signInPath } from './return-target.ts';
import { shellText } from './shell.text.ts';

export function AccountMenu() {
  const t = useText(shellText);
  const account = useAccount();
  const navigate = useNavigate();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const name = account.name || account.username;
  const signOut = async () => {
    setAnchor(null);
    session.clear();
    await navigate({ to: signInPath, search: {} });
    queryClient.clear();
  };
  return (
    <>
      <IconButton aria-label={`${t.account}: ${name}`} aria-haspopup="menu" onClick={(event) => setAnchor(event.currentTarget)} edge="end">
        <Avatar sx={{ width: 36, height: 36, fontSize: 16, fontWeight: 700, bgcolor: 'primary.dark', color: 'common.white' }}>
          {name.slice(0, 1).toUpperCase()}
        </Avatar>
      </IconButton>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)} slotProps={{ paper: { sx: { width: 260 } } }}>
        <Box sx={{ px: 2, py: 1 }} role="presentation">
          <Typography variant="subtitle2" noWrap>
            {name}
          </Typography>
          <Typography variant="body2" noWrap sx={{ color: 'text.secondary' }}>
            {account.email || account.username}
          </Typography>
          <Typography variant="caption" component="p" sx={{ color: 'text.secondary', mt: 0.5 }}>
            {account.group ? t.groups[account.group] : t.customer}
            {account.last_login_ip && ` · ${t.lastSignIn} ${account.last_login_ip}`}
          </Typography>
        </Box>
        <Divider />
        <MenuItem onClick={() => void signOut()} sx={{ color: 'error.main', mt: 0.5 }}>
          <ListItemIcon sx={{ color: 'inherit' }}>
            <Icon name="sign-out" />
          </ListItemIcon>
          {t.signOut}
        </MenuItem>
      </Menu>
    </>
  );
}
