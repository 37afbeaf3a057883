import type { DomainCheck, Site } from '@breakwater/contract';
import { Stack } from '@mui/material';
import { Suspense, useMemo, useState } from 'react';
import { useAccount } from '../../../api/account.ts';
import { useChange } from '../../../api/change.ts';
import { useApi } from '../../../api/query.ts';
import { useDenial } from '../../../frame/denial.ts';
import { useText } from '../../../i18n/text.ts';
import { ActionButton } from '../../../kit/action-button.tsx';
import { CopyText } from '../../../kit/copy-text.tsx';
import { DataTable, type Column } from '../../../kit/table/data-table.tsx';
import { EmptyState } from '../../../kit/empty-state.tsx';
import { Facts } from '../../../kit/facts.tsx';
import { lazyOverlay } from '../../../kit/lazy-overlay.ts';
import { to } from '../../../kit/links.ts';
import { Section } from '../../../kit/page.tsx';
import { TextLink } from '../../../kit/router-link.tsx';
import type { RowAction } from '../../../kit/row-actions.tsx';
import { StatusChip } from '../../../kit/status-chip.tsx';
import { Time } from '../../../kit/time.tsx';
import { notify } from '../../../kit/toast.ts';
import { usePaging } from '../../../kit/table/use-paging.ts';
import { RecordToSet } from './record.tsx';
import { TryIt } from './try-it.tsx';
import { DomainSeen, ProofChip, VerdictChip, pointsHere } from './verdict.tsx';
import { deliveryOf, useSite, useSiteDelivery } from '../context.tsx';
import { siteDomainText } from './domain.text.ts';
import { DeliveryChip } from '../status.tsx';

const GrantDialog = lazyOverlay(() => import('./grant-dialog.tsx').then((part) => part.GrantDialog));

/** How a site gets its visitors: the record to create, and what the DNS says of each domain. */
export function SiteDns() {
  const t = useText(siteDomainText);
  const denial = useDenial();
  const { site, denied } = useSite();
  const params = { id: site.id };
  // Whoever waits for a record to be seen looks at this page: it is asked for more often then.
  const waits = site.status === 'checking' || site.domains_waiting > 0;
  const read = useApi('getSiteDnsCheck', { params }, { refetchInterval: waits ? 5_000 : 30_000 });
  const delivery = useSiteDelivery(site.id).data;
  const check = useChange('checkSiteDns');
  const { data } = read;
  // One record at a time is said in full: of a thousand domains the first that lacks something.
  const first = data?.domains.find((domain) => !pointsHere(domain) || domain.proof !== 'given');
  const checkNow = () => check.mutate({ params }, { onError: (error) => notify.refused(error.message) });
  return (
    <Section
      title={t.setup}
      hint={t.setupHint}
      actions={
        <ActionButton
          icon="refresh"
          size="small"
          variant="outlined"
          color="inherit"
          loading={check.isPending}
          onClick={checkNow}
          disabledReason={denial('checkSiteDns') ?? denied}
        >
          {t.check}
        </ActionButton>
      }
    >
      <Stack sx={{ gap: 3 }}>
        <Facts
          facts={[
            {
              label: t.delivery,
              value: <DeliveryChip delivery={delivery ? deliveryOf(delivery.documents) : site.delivery} />,
            },
            {
              label: t.pointing,
              value: data && <Pointing domains={data.domains} />,
            },
            { label: 'CNAME', value: site.cname ? <CopyText text={site.cname} label="CNAME" /> : t.noCname },
          ]}
        />
        {data && <TryIt expected={data.expected} />}
        {data && first && <RecordToSet check={first} expected={data.expected} />}
        <DomainTable read={read} site={site} />
      </Stack>
    </Section>
  );
}

/** How many domains lead here. What was not checked yet is no fault. */
function Pointing({ domains }: { domains: readonly DomainCheck[] }) {
  const t = useText(siteDomainText);
  const pointing = domains.filter(pointsHere).length;
  if (pointing < domains.length && domains.every((each) => pointsHere(each) || each.verdict === null))
    return <StatusChip tone="neutral" label={t.never} />;
  return (
    <StatusChip
      tone={pointing < domains.length ? 'warning' : 'success'}
      label={t.pointingCount(pointing, domains.length)}
    />
  );
}

type ChecksRead = ReturnType<typeof useApi<'getSiteDnsCheck'>>;

/** Sites have up to a thousand domains; the server answers with all of them, and the table shows a page. */
function DomainTable({ read, site }: { read: ChecksRead; site: Site }) {
  const t = useText(siteDomainText);
  const [paging, onPage] = usePaging('site-dns');
  const columns = useColumns();
  const [granting, setGranting] = useState<string | null>(null);
  const actionsFor = useDomainActions(setGranting);
  // The table tells by identity whether its rows have changed.
  const page = useMemo(() => {
    if (!read.data) return undefined;
    const start = (paging.current_page - 1) * paging.page_size;
    const { domains } = read.data;
    return { list: domains.slice(start, start + paging.page_size), total: domains.length, ...paging };
  }, [read.data, paging]);
  return (
    <>
      <DataTable
        label={t.verdict}
        id="site-dns"
        columns={columns}
        read={{ ...read, data: page }}
        rowKey={(check) => check.domain}
        rowName={(check) => check.domain}
        onPage={onPage}
        expand={(check) => (
          <>
            <Overlaps check={check} />
            <DomainSeen check={check} cname={site.cname} />
          </>
        )}
        empty={<EmptyState icon="domain" title={t.listEmpty} hint={t.listEmptyHint} />}
        {...(actionsFor ? { rowActions: actionsFor } : {})}
      />
      {granting !== null && (
        <Suspense>
          <GrantDialog siteId={site.id} domain={granting} onClose={() => setGranting(null)} />
        </Suspense>
      )}
    </>
  );
}

/** Whose names keep a domain waiting: operators alone are told. */
function Overlaps({ check: { overlaps } }: { check: DomainCheck }) {
  const t = useText(siteDomainText);
  if (overlaps.length === 0) return null;
  const lines = overlaps.map(({ domain, site_id: id, client_name: client }) => (
    <div key={`${domain} ${id}`}>
      <TextLink target={to.siteDetail({ id })}>{t.overlapOf(domain, client, id)}</TextLink>
    </div>
  ));
  return <Facts facts={[{ label: t.overlapping, value: lines }]} />;
}

/** An operator decides whose a domain is that overlaps with those of others; nobody else has anything to decide. */
function useDomainActions(
  grant: (domain: string) => void,
): ((check: DomainCheck) => RowAction[]) | undefined {
  const t = useText(siteDomainText);
  const denial = useDenial();
  const { denied } = useSite();
  const isAdmin = useAccount().role === 'admin';
  if (!isAdmin) return undefined;
  return ({ domain, proof }) => [
    {
      label: t.grant,
      icon: 'check',
      disabledReason: denial('grantDomain') ?? denied ?? (proof === 'given' ? t.grantGiven : undefined),
      onClick: () => grant(domain),
    },
  ];
}

function useColumns(): Column<DomainCheck>[] {
  const t = useText(siteDomainText);
  return useMemo(
    () => [
      { id: 'domain', header: t.domain, cell: (check) => check.domain, copy: (check) => check.domain },
      { id: 'verdict', header: t.verdict, cell: (check) => <VerdictChip check={check} />, whole: true },
      { id: 'proof', header: t.proof, cell: (check) => <ProofChip check={check} /> },
      { id: 'checked', header: t.checkedAt, cell: (check) => <Time at={check.checked_at} relative /> },
    ],
    [t],
  );
}
