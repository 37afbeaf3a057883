import { certificateRoutes, type Certificate } from '@breakwater/contract';
import { Box } from '@mui/material';
import { useMemo, useState } from 'react';
import { useAccount, useMay } from '../../api/account.ts';
import { useActivity } from '../../api/activity.ts';
import { useChange } from '../../api/change.ts';
import { firstPageOf } from '../../api/first-read.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { ActivityDrawer } from '../../kit/activity.tsx';
import { activityText } from '../../kit/activity.text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { DataTable, type Column } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar, type FilterField } from '../../kit/filter-bar.tsx';
import { kitText } from '../../kit/kit.text.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { TextLink } from '../../kit/router-link.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { StatusChip } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { notify } from '../../kit/toast.ts';
import { useNow } from '../../kit/use-now.ts';
import { CertificateForm } from './certificate-form.tsx';
import { certificateText } from './certificate.text.ts';

/** Those of the picker of sites are not for an address. */
const filters = certificateRoutes.listCertificates.query.omit({ ids: true, keyword: true });
export const firstRead = firstPageOf('listCertificates', filters);

export function CertificateList() {
  const t = useText(certificateText);
  const kit = useText(kitText);
  const { role } = useAccount();
  const may = useMay();
  const [search, setSearch] = useSearchState(filters);
  const certificates = useApi('listCertificates', { query: search }, { keepPrevious: true });
  const remove = useChange('removeCertificate');
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Certificate | null>(null);
  const activity = useText(activityText);
  const [opened, setOpened] = useState<Certificate | null>(null);
  const denied = may('createCertificate') ? undefined : kit.noPermission;
  const columns = useCertificateColumns(role === 'admin');
  const forAdmins: FilterField[] =
    role === 'admin' ? [{ name: 'client_id', label: `${t.client} ID`, kind: 'number' }] : [];
  const add = (
    <ActionButton icon="add" variant="contained" onClick={() => setAdding(true)} disabledReason={denied}>
      {t.upload}
    </ActionButton>
  );
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={add}>
      <DataTable
        label={t.title}
        id="certificates"
        columns={columns}
        read={certificates}
        rowKey={(certificate) => certificate.id}
        rowName={(certificate) => certificate.name}
        onPage={setSearch}
        filtered={[search.name, search.domain, search.client_id].some((value) => value !== undefined)}
        filters={
          <FilterBar
            values={search}
            onChange={setSearch}
            fields={[
              { name: 'name', label: t.name, kind: 'text', inBar: true },
              { name: 'domain', label: t.domain, kind: 'text', inBar: true },
              ...forAdmins,
            ]}
          />
        }
        empty={<EmptyState icon="certificate" title={t.empty} hint={t.emptyHint} action={add} />}
        rowActions={(certificate) => [
          ...(may('listActivity')
            ? [{ label: activity.title, icon: 'clock' as const, onClick: () => setOpened(certificate) }]
            : []),
          {
            label: kit.remove,
            icon: 'delete',
            destructive: true,
            onClick: () => setRemoving(certificate),
            disabledReason: denied ?? (certificate.site_count > 0 ? t.inUse : undefined),
          },
        ]}
      />
      {adding && <CertificateForm clientId={search.client_id} onClose={() => setAdding(false)} />}
      {opened && <CertificateActivity certificate={opened} onClose={() => setOpened(null)} />}
      {removing && (
        <Confirm
          title={t.removeTitle}
          body={t.removeBody(removing.name)}
          action={kit.remove}
          onConfirm={async () => {
            await remove.mutateAsync({ params: { id: removing.id } });
            notify.success(t.removed);
          }}
          onClose={() => setRemoving(null)}
        />
      )}
    </Page>
  );
}

function CertificateActivity({ certificate, onClose }: { certificate: Certificate; onClose: () => void }) {
  return (
    <ActivityDrawer
      name={certificate.name}
      read={useActivity('certificate', certificate.id)}
      onClose={onClose}
    />
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
    <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
      <Time at={notAfter} />
      <StatusChip tone={tone} label={days < 0 ? t.expired : t.expiresIn(days)} />
    </Box>
  );
}

function useCertificateColumns(admin: boolean): Column<Certificate>[] {
  const t = useText(certificateText);
  return useMemo(() => {
    const client: Column<Certificate> = {
      id: 'client',
      header: t.client,
      cell: (certificate) => (
        <TextLink target={to.clientDetail({ id: certificate.client_id })}>{certificate.client_name}</TextLink>
      ),
    };
    return [
      { id: 'name', header: t.name, cell: (certificate) => certificate.name },
      { id: 'domains', header: t.domains, cell: (certificate) => certificate.domains.join(', ') },
      { id: 'issuer', header: t.issuer, cell: (certificate) => certificate.issuer },
      ...(admin ? [client] : []),
      {
        id: 'expires',
        header: t.expires,
        cell: (certificate) => <Expiry notAfter={certificate.not_after} />,
      },
      { id: 'sites', header: t.sites, align: 'right', cell: (certificate) => certificate.site_count },
      {
        id: 'fingerprint',
        header: t.fingerprint,
        hidden: true,
        cell: (certificate) => <code>{certificate.fingerprint}</code>,
      },
      {
        id: 'created',
        header: t.created,
        hidden: true,
        cell: (certificate) => <Time at={certificate.created_at} />,
      },
    ];
  }, [admin, t]);
}
