import { groupName, type ScreenId } from '@breakwater/contract';
import {
  Box,
  Button,
  Divider,
  List,
  ListItem,
  ListItemButton,
  ListItemIcon,
  ListItemText,
  Stack,
  Typography,
} from '@mui/material';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import * as z from 'zod';
import { useAccount, useMayOpen } from '../api/account.ts';
import { call } from '../api/client.ts';
import { session } from '../api/session.ts';
import { storage } from '../api/storage.ts';
import { useLanguage } from '../i18n/language.ts';
import { useText } from '../i18n/text.ts';
import { Confirm } from '../kit/confirm.tsx';
import type { IconName } from '../kit/icon-names.ts';
import { Icon } from '../kit/icon.tsx';
import { kitText } from '../kit/kit.text.ts';
import { to, type Target } from '../kit/links.ts';
import { RouterLink } from '../kit/router-link.tsx';
import { AccountAvatar } from './header.tsx';
import { signInPath } from './return-target.ts';
import { shellText } from './shell.text.ts';
import { SideDrawer } from './side-drawer.tsx';
import { openTabs } from './tabs.ts';
import { isUnsaved } from './unsaved.ts';
import { UpgradeBanner } from './upgrade-banner.tsx';
import { showWindowPage } from './window-page.ts';

const widthPx = 320;
const loginInfos = z
  .object({ name: z.string(), email: z.string(), last_login_ip: z.string() })
  .catch({ name: '', email: '', last_login_ip: '' });

/** Who is signed in, shortcuts, and the way out. */
export function AccountDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useText(shellText);
  const language = useLanguage();
  const account = useAccount();
  const infos = loginInfos.parse(storage.readJson('LoginInfos'));
  const name = infos.name || account.username;
  const kit = useText(kitText);
  const [asking, setAsking] = useState(false);
  const signOut = async () => {
    // The browser forgets it whether the server can be told or not.
    call('signOut', {}).catch(() => undefined);
    session.clear();
    openTabs.clear();
    await showWindowPage(signInPath);
  };
  return (
    <SideDrawer open={open} onClose={onClose} title={t.account} widthPx={widthPx}>
      <Stack sx={{ alignItems: 'center', textAlign: 'center', gap: 0.5 }}>
        <AccountAvatar name={name} size={80} />
        <Typography variant="subtitle1" component="p" sx={{ mt: 1.5, overflowWrap: 'anywhere' }}>
          {name}
        </Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {account.group ? groupName(account.group, language) : t.customer}
        </Typography>
      </Stack>
      <Box
        component="dl"
        sx={{ m: 0, display: 'grid', gridTemplateColumns: 'auto 1fr', columnGap: 2, rowGap: 0.75 }}
      >
        <Fact label={t.loginEmail} value={infos.email || account.username} />
        <Fact label={t.loginIp} value={infos.last_login_ip} />
      </Box>
      <Divider />
      <Shortcuts onNavigate={onClose} />
      <UpgradeBanner />
      <Button
        variant="contained"
        color="error"
        size="large"
        startIcon={<Icon name="sign-out" />}
        onClick={() => (isUnsaved() ? setAsking(true) : void signOut())}
      >
        {t.signOut}
      </Button>
      {asking && (
        <Confirm
          title={kit.leaveTitle}
          body={kit.leaveBody}
          action={t.signOut}
          onConfirm={signOut}
          onClose={() => setAsking(false)}
        />
      )}
    </SideDrawer>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <>
      <Typography component="dt" variant="body2" sx={{ color: 'text.secondary' }}>
        {label}
      </Typography>
      <Typography component="dd" variant="body2" sx={{ m: 0, textAlign: 'right', overflowWrap: 'anywhere' }}>
        {value || '–'}
      </Typography>
    </>
  );
}

function Shortcuts({ onNavigate }: { onNavigate: () => void }) {
  const t = useText(shellText).shortcuts;
  const mayOpen = useMayOpen();
  const { pathname } = useLocation();
  const shortcuts: { label: string; target: Target; icon: IconName; screen: ScreenId }[] = [
    {
      label: pathname.includes('/dashboard') ? t.dashboard : t.home,
      target: to.home(),
      icon: 'home',
      screen: 'home',
    },
    { label: t.account, target: to.ownAccount(), icon: 'user', screen: 'ownAccount' },
    { label: t.nodes, target: to.nodes(), icon: 'node', screen: 'nodes' },
    { label: t.products, target: to.products(), icon: 'product', screen: 'products' },
    { label: t.clients, target: to.clients(), icon: 'client', screen: 'clients' },
    { label: t.lineGroups, target: to.lineGroups(), icon: 'line-group', screen: 'lineGroups' },
    { label: t.orders, target: to.orders(), icon: 'order', screen: 'orders' },
    { label: t.guide, target: to.home({ guide: 'open' }), icon: 'rocket', screen: 'home' },
  ];
  return (
    <Box component="nav" aria-label={t.title}>
      <List disablePadding dense>
        {shortcuts
          .filter(({ screen }) => mayOpen(screen))
          .map(({ label, target, icon }) => (
            <ListItem key={label} disablePadding>
              <ListItemButton
                component={RouterLink}
                link={target}
                role="link"
                onClick={onNavigate}
                sx={{ borderRadius: 1, px: 1, minHeight: 40 }}
              >
                <ListItemIcon sx={{ minWidth: 36, color: 'text.secondary' }}>
                  <Icon name={icon} size={22} />
                </ListItemIcon>
                <ListItemText primary={label} />
              </ListItemButton>
            </ListItem>
          ))}
      </List>
    </Box>
  );
}
