import { Alert } from '@mui/material';
import { useMay } from '../api/account.ts';
import { useApi } from '../api/query.ts';
import { useText } from '../i18n/text.ts';
import { namedMax, unfiledNoticeText } from './unfiled-notice.text.ts';
import { readable } from '../kit/readable.tsx';

/** Which domains a line group will not serve once it asks for filing numbers: those of its sites, or of an order that moves to it. */
export function UnfiledNotice({ of }: { of: { line_group_id: number } | { order_id: number } }) {
  const t = useText(unfiledNoticeText);
  const may = useMay()('listUnfiledDomains');
  const { data } = useApi('listUnfiledDomains', { query: { ...of, page_size: namedMax } }, { enabled: may });
  if (!data) return null;
  if (data.total === 0) return <Alert severity="info">{t.none}</Alert>;
  return (
    <Alert severity="warning" sx={{ overflowWrap: 'anywhere' }}>
      {readable(t.lacking(data.total, data.list.map(({ domain }) => domain).join(', ')))}
    </Alert>
  );
}
