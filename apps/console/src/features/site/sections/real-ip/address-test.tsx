import type { Site } from '@breakwater/contract';
import { Alert, Link, List, ListItem, Stack, Typography } from '@mui/material';
import { useState } from 'react';
import { useApi } from '../../../../api/query.ts';
import { useText } from '../../../../i18n/text.ts';
import { ActionButton } from '../../../../kit/action-button.tsx';
import { CopyButton } from '../../../../kit/copy-text.tsx';
import { InfoDrawer } from '../../../../kit/info-drawer.tsx';
import { Loaded } from '../../../../kit/loaded.tsx';
import { Time } from '../../../../kit/time.tsx';
import { siteRealIpText } from './real-ip.text.ts';
import { readable } from '../../../../kit/readable.tsx';

/**
 * Leads to the page on which a node shows what it sees of whoever opens it: by that one finds out what stands
 * before the nodes. For a site alone, whose domains the links have.
 */
export function SiteAddressTest({ site }: { site: Site }) {
  const t = useText(siteRealIpText);
  const [open, setOpen] = useState(false);
  return (
    <>
      <ActionButton
        icon="search"
        size="small"
        variant="outlined"
        color="inherit"
        onClick={() => setOpen(true)}
      >
        {t.test}
      </ActionButton>
      {open && (
        <InfoDrawer title={t.test} onClose={() => setOpen(false)}>
          <TestLinks site={site} />
        </InfoDrawer>
      )}
    </>
  );
}

function TestLinks({ site }: { site: Site }) {
  const t = useText(siteRealIpText);
  // Read when the drawer opens: the links are signed, and good for ten minutes.
  const read = useApi('getSiteAddressTest', { params: { id: site.id } });
  return (
    <Loaded read={read}>
      {({ links, expires_at: expiresAt }) => (
        <Stack sx={{ gap: 2 }}>
          <Typography variant="body2">{t.testHint}</Typography>
          <List disablePadding aria-label={t.test}>
            {links.map(({ domain, url }) => (
              <ListItem key={url} disableGutters secondaryAction={<CopyButton text={url} label={domain} />}>
                <Link href={url} target="_blank" rel="noreferrer" sx={{ overflowWrap: 'anywhere' }}>
                  {readable(t.testOpen(domain))}
                </Link>
              </ListItem>
            ))}
          </List>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {t.testUntil} <Time at={expiresAt} />
          </Typography>
          <Alert severity="info">{t.testSaved}</Alert>
        </Stack>
      )}
    </Loaded>
  );
}
