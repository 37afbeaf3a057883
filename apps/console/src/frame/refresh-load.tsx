import { refreshLoadHostsMax, refreshLoadSitesMax } from '@breakwater/contract';
import { Alert } from '@mui/material';
import { useApi } from '../api/query.ts';
import { useText } from '../i18n/text.ts';
import { formatCount } from '../kit/format.ts';
import { refreshLoadText } from './refresh-load.text.ts';

interface RefreshLoadProps {
  siteIds?: readonly number[];
  hosts?: readonly string[];
}

/** Of what is less, no origin has to be spared. */
const tellFrom = 1;

/** What the origin gets besides, right after all of this is refreshed; nothing where that is little. */
export function RefreshLoad({ siteIds = [], hosts = [] }: RefreshLoadProps) {
  const t = useText(refreshLoadText);
  const enabled =
    siteIds.length + hosts.length > 0 &&
    siteIds.length <= refreshLoadSitesMax &&
    hosts.length <= refreshLoadHostsMax;
  const query = {
    ...(siteIds.length > 0 ? { site_ids: siteIds.join(',') } : {}),
    ...(hosts.length > 0 ? { hosts: hosts.join(',') } : {}),
  };
  const { data } = useApi('getRefreshLoad', { query }, { enabled });
  if (!data || data.cached_per_second < tellFrom) return null;
  const rounded = (rate: number) => formatCount(Math.round(rate));
  return (
    <Alert severity="warning">
      {t.load(rounded(data.cached_per_second), rounded(data.origin_per_second))}
    </Alert>
  );
}
