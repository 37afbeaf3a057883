import type { RefreshQuota } from '@breakwater/contract';
import { Typography } from '@mui/material';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { formatCount } from '../../kit/format.ts';
import { siteRefreshText } from './site-refresh.text.ts';

/** What is left of what the plan allows within 24 hours; nothing where it is unlimited. */
export function QuotaLeft({ quota }: { quota: RefreshQuota }) {
  const t = useText(siteRefreshText);
  // A customer's; operators have none, and their `limit` is null.
  const { data } = useApi('getRefreshQuotas', {});
  const state = data?.[quota];
  if (!state || state.limit === null) return null;
  const left = Math.max(0, state.limit - state.used);
  return (
    <Typography variant="body2" sx={{ color: left === 0 ? 'error.main' : 'text.secondary' }}>
      {t.quotas[quota](formatCount(left), formatCount(state.limit))}
    </Typography>
  );
}
