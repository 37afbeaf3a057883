import type { DomainCertificateState } from '@breakwater/contract';
import { Alert, List, ListItem, ListItemText } from '@mui/material';
import { useMemo, useState } from 'react';
import { useMay } from '../../../../api/account.ts';
import type { Data } from '../../../../api/client.ts';
import { useApi } from '../../../../api/query.ts';
import { OrderState } from '../../../../frame/certificate-order-state.tsx';
import { CertificateTimelineDrawer } from '../../../../frame/certificate-timeline.tsx';
import { certificateTimelineText } from '../../../../frame/certificate-timeline.text.ts';
import { useText } from '../../../../i18n/text.ts';
import { kitText } from '../../../../kit/kit.text.ts';
import { ActionButton, ActionIcon } from '../../../../kit/action-button.tsx';
import { to } from '../../../../kit/links.ts';
import { Loaded } from '../../../../kit/loaded.tsx';
import { Section } from '../../../../kit/page.tsx';
import { TextLink } from '../../../../kit/router-link.tsx';
import { StatusChip, type Tone } from '../../../../kit/status-chip.tsx';
import { DataTable, type Column } from '../../../../kit/table/data-table.tsx';
import { usePaging } from '../../../../kit/table/use-paging.ts';
import { Time } from '../../../../kit/time.tsx';
import { useSite } from '../../context.tsx';
import { automaticText } from './automatic.text.ts';

type Certificates = Data<'getSiteCertificates'>;
type Order = Certificates['orders'][number];

/** An order takes seconds to minutes, and this is where one waits for it. */
const isUnderWay = ({ list, orders }: Certificates) =>
  orders.some(({ state }) => state === 'working') ||
  list.some(({ state }) => state === 'issuing' || state === 'queued');

/** Which certificate each domain of the site has, or why none, with the timeline that says more. */
export function DomainCertificates() {
  const t = useText(automaticText);
  const { site } = useSite();
  const may = useMay();
  const read = useApi(
    'getSiteCertificates',
    { params: { id: site.id } },
    {
      enabled: may('getSiteCertificates'),
      refetchInterval: (last) => (last && isUnderWay(last) ? 5_000 : 30_000),
    },
  );
  const [opened, setOpened] = useState<Order | null>(null);
  const orders = read.data?.orders ?? [];
  if (!may('getSiteCertificates')) return null;
  // Of a single order the timeline is the section's own; of several each has its button.
  const [only] = orders;
  return (
    <Section
      title={t.domains}
      hint={t.domainsHint}
      actions={
        only !== undefined && orders.length === 1 && <TimelineButton onClick={() => setOpened(only)} />
      }
    >
      <Loaded read={read}>
        {({ orders: found }) => (
          <>
            {found.length > 1 && <Orders orders={found} onOpen={setOpened} />}
            {found.map((order) => (
              <Problem key={order.id} order={order} isOneOfSeveral={found.length > 1} />
            ))}
            <Domains read={read} />
          </>
        )}
      </Loaded>
      {opened !== null && (
        <CertificateTimelineDrawer id={opened.id} name={opened.name} onClose={() => setOpened(null)} />
      )}
    </Section>
  );
}

function TimelineButton({ onClick }: { onClick: () => void }) {
  const t = useText(automaticText);
  return (
    <ActionButton icon="log" variant="outlined" color="inherit" onClick={onClick}>
      {t.timeline}
    </ActionButton>
  );
}

/** A site with more domains than one certificate takes has several, each with its own timeline. */
function Orders({ orders, onOpen }: { orders: readonly Order[]; onOpen: (order: Order) => void }) {
  const t = useText(automaticText);
  return (
    <List dense sx={{ mb: 1 }}>
      {orders.map((order) => (
        <ListItem key={order.id} disableGutters divider sx={{ gap: 1.5, flexWrap: 'wrap' }}>
          <ListItemText
            primary={order.name}
            secondary={t.domainCount(order.domain_count)}
            sx={{ overflowWrap: 'anywhere', minWidth: 160 }}
          />
          <OrderState order={order} />
          <ActionIcon
            icon="log"
            label={t.timelineOf(order.name)}
            popup="dialog"
            onClick={() => onOpen(order)}
          />
        </ListItem>
      ))}
    </List>
  );
}

/** Why an order has none yet, and when it goes on. */
function Problem({ order, isOneOfSeveral }: { order: Order; isOneOfSeveral: boolean }) {
  const t = useText(automaticText);
  const kit = useText(kitText);
  const { problems } = useText(certificateTimelineText);
  const { problem, problem_detail: detail, state, next_at: next } = order;
  // While it is being tried again, the reason of the last try is not news.
  if (problem === null || state === 'working') return null;
  return (
    <Alert severity={state === 'waiting' ? 'info' : 'error'} sx={{ mb: 1, overflowWrap: 'anywhere' }}>
      {isOneOfSeveral && `${order.name}${kit.colon}`}
      {problems[problem]}
      {detail !== '' && kit.aside(detail)}
      {next !== null && (
        <>
          {' · '}
          {t.next + kit.colon}
          <Time at={next} />
        </>
      )}
    </Alert>
  );
}

/**
 * Red where visitors get an error or a try has failed; yellow where somebody has to do something first. What the
 * states mean stands beside `domainCertificateStates` in the contract.
 */
const tones: Record<DomainCertificateState, Tone> = {
  covered: 'success',
  expired: 'error',
  unproven: 'neutral',
  issuing: 'info',
  failed: 'error',
  absent: 'warning',
  wildcard: 'warning',
  beyond: 'warning',
  no_account: 'warning',
  queued: 'info',
  none: 'neutral',
};

type CertificatesRead = ReturnType<typeof useApi<'getSiteCertificates'>>;

/** Sites have up to a thousand domains; the server answers with all of them, and the table shows a page. */
function Domains({ read }: { read: CertificatesRead }) {
  const t = useText(automaticText);
  const [paging, onPage] = usePaging('site-certificates');
  const columns = useColumns();
  const { current_page, page_size } = paging;
  // The table tells by identity whether its rows have changed.
  const page = useMemo(() => {
    if (!read.data) return undefined;
    const start = (current_page - 1) * page_size;
    const { list } = read.data;
    return { list: list.slice(start, start + page_size), total: list.length, current_page, page_size };
  }, [read.data, current_page, page_size]);
  return (
    <DataTable
      label={t.domains}
      id="site-certificates"
      columns={columns}
      read={{ ...read, data: page }}
      rowKey={({ domain }) => domain}
      rowName={({ domain }) => domain}
      onPage={onPage}
      // No site is without a domain.
      empty={null}
    />
  );
}

function useColumns(): Column<Certificates['list'][number]>[] {
  const t = useText(automaticText);
  return useMemo(
    () => [
      { id: 'domain', header: t.domain, cell: ({ domain }) => domain, copy: ({ domain }) => domain },
      {
        id: 'state',
        header: t.state,
        cell: ({ state }) => <StatusChip tone={tones[state]} label={t.states[state]} />,
        whole: true,
      },
      {
        id: 'certificate',
        header: t.certificate,
        // A domain whose certificate has expired still names it.
        cell: ({ certificate_id: id, certificate_name: name }) =>
          id === null ? '–' : <TextLink target={to.certificateDetail({ id })}>{name}</TextLink>,
      },
      { id: 'expires', header: t.expires, cell: ({ not_after: end }) => <Time at={end} />, whole: true },
    ],
    [t],
  );
}
