import { kitText } from '../../../kit/kit.text.ts';
import { Alert, Box, type AlertColor } from '@mui/material';
import { useMay } from '../../../api/account.ts';
import { useApi } from '../../../api/query.ts';
import { Tips } from '../../../domain/tips.tsx';
import { useText } from '../../../i18n/text.ts';
import { to } from '../../../kit/links.ts';
import { LinkButton } from '../../../kit/router-link.tsx';
import { useSite } from '../context.tsx';
import { useSiteHint } from '../status.tsx';
import { siteStatusText } from '../status.text.ts';
import { readable } from '../../../kit/readable.tsx';
import { readableDomains } from '../../../kit/domain-name.ts';

/** Why the site is not simply online, and what to do about it. */
export function StatusNotice() {
  const t = useText(siteStatusText);
  const kit = useText(kitText);
  const { site } = useSite();
  const hint = useSiteHint(site);
  if (hint === undefined) return null;
  const severity: AlertColor =
    site.status === 'suspended' ? 'error' : site.status === 'check_failed' ? 'warning' : 'info';
  return (
    <Alert severity={severity}>
      {hint}
      {site.status_note !== '' && (
        <Box sx={{ whiteSpace: 'pre-line' }}>{t.note + kit.colon + site.status_note}</Box>
      )}
    </Alert>
  );
}

/** Domains of the site that came onto the platform's blacklist, while nobody has decided about them. */
export function BlacklistNotice() {
  const t = useText(siteStatusText);
  const { site } = useSite();
  const may = useMay()('listBlacklistHits');
  const query = { site_id: site.id, state: 'open' as const, page_size: 10 };
  const found = useApi('listBlacklistHits', { query }, { enabled: may }).data;
  if (!found || found.total === 0) return null;
  // Of many the first ten by name, and how many there are.
  const domains = found.list.map(({ domain }) => domain).join(t.listed);
  return (
    <Alert severity="warning" sx={{ overflowWrap: 'anywhere' }}>
      {readable(t.blacklisted(found.total, domains))}
    </Alert>
  );
}

/** Domains that its line group does not serve, as they have no confirmed filing number, and where to enter one. */
export function FilingNotice() {
  const t = useText(siteStatusText);
  const { site } = useSite();
  const may = useMay()('listUnfiledDomains');
  const query = { site_id: site.id, required: 'yes' as const, page_size: 10 };
  const found = useApi('listUnfiledDomains', { query }, { enabled: may }).data;
  if (!found || found.total === 0) return null;
  // Of many the first ten by name, and how many there are.
  const domains = found.list.map(({ domain, state }) =>
    t.unfiledDomain(readableDomains(domain), t.unfiledStates[state]),
  );
  return (
    <Alert
      severity="error"
      sx={{ overflowWrap: 'anywhere' }}
      action={
        <Box sx={{ whiteSpace: 'nowrap', overflowWrap: 'normal' }}>
          <LinkButton target={to.filings()} icon="filing" color="inherit" size="small">
            {t.filings}
          </LinkButton>
        </Box>
      }
    >
      {t.unfiled(found.total, domains.join(t.listed))}
    </Alert>
  );
}

/** What the product of the site has to say. */
export function SiteTips() {
  const { site } = useSite();
  const tips = useApi('getSiteTips', { params: { id: site.id } }).data?.tips ?? [];
  return tips.length > 0 && <Tips tips={tips} />;
}
