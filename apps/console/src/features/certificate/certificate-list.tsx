import { certificateRoutes, type Certificate } from '@breakwater/contract';
import { Box } from '@mui/material';
import { useRowActivity } from '../../frame/activity.tsx';
import { useRemoval } from '../../frame/asking.tsx';
import { useAdding } from '../../frame/editing.tsx';
import { numberFilter, textFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useText } from '../../i18n/text.ts';
import { Page } from '../../kit/page.tsx';
import { StatusChip } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { useNow } from '../../kit/use-now.ts';
import { CertificateForm } from './certificate-form.tsx';
import { certificateText } from './certificate.text.ts';

/** What the picker of sites asks by is not for an address. */
const query = certificateRoutes.listCertificates.query.omit({ ids: true, keyword: true });
const certificates = listOf('listCertificates', query);
export const { firstRead } = certificates;

const useColumns = certificates.columns(certificateText, (t, column) => [
  column.name(t.name, ({ name }) => name),
  { id: 'domains', header: t.domains, cell: ({ domains }) => domains.join(', ') },
  column.text('issuer', t.issuer),
  column.owner(t.client),
  { id: 'expires', header: t.expires, cell: (row) => <Expiry notAfter={row.not_after} /> },
  column.count('site_count', t.sites),
  {
    id: 'fingerprint',
    header: t.fingerprint,
    hidden: true,
    cell: ({ fingerprint }) => <code>{fingerprint}</code>,
  },
  column.time('created_at', t.created, { hidden: true }),
]);

export function CertificateList() {
  const t = useText(certificateText);
  const list = certificates.use();
  const { add, dialog } = useAdding({
    create: 'createCertificate',
    text: t,
    form: (close) => <CertificateForm clientId={list.search.client_id} onClose={close} />,
  });
  const activity = useRowActivity<Certificate>('certificate', ({ name }) => name);
  const removal = useRemoval<Certificate>('removeCertificate', {
    text: t,
    body: ({ name }) => t.removeBody(name),
  });
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={add}>
      <ListTable
        id="certificates"
        list={list}
        text={t}
        icon="certificate"
        add={add}
        columns={useColumns()}
        filters={[
          textFilter('name', t.name),
          textFilter('domain', t.domain),
          numberFilter('client_id', `${t.client} ID`, { role: 'admin' }),
        ]}
        rowName={({ name }) => name}
        rowActions={(certificate) => [
          activity.action(certificate),
          removal.action(certificate, certificate.site_count > 0 && t.inUse),
        ]}
      />
      {dialog}
      {activity.dialog}
      {removal.dialog}
    </Page>
  );
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

function Expiry({ notAfter }: { notAfter: string }) {
  const t = useText(certificateText);
  const [now] = useNow(hourMs);
  const days = Math.floor((new Date(notAfter).getTime() - now) / dayMs);
  const tone = days < 0 ? 'error' : days < 30 ? 'warning' : 'success';
  return (
    <Box sx={{ display: 'flex', gap: 1, alignItems: 'center' }}>
      <Time at={notAfter} />
      <StatusChip tone={tone} label={days < 0 ? t.expired : t.expiresIn(days)} />
    </Box>
  );
}
