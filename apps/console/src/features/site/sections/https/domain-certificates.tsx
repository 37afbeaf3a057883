import type { DomainCertificateState } from '@breakwater/contract';
import {
  Alert,
  List,
  ListItem,
  ListItemText,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
} from '@mui/material';
import { useState } from 'react';
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
import { Time } from '../../../../kit/time.tsx';
import { useSite } from '../../context.tsx';
import { automaticText } from './automatic.text.ts';
import { readable } from '../../../../kit/readable.tsx';

/** An order takes seconds to minutes, and this is where one waits for it. */
const refreshMs = 5000;

type Certificates = Data<'getSiteCertificates'>;
type Order = Certificates['orders'][number];

/** Which certificate each domain of the site has, or why none, with the timeline that says more. */
export function DomainCertificates() {
  const t = useText(automaticText);
  const { site } = useSite();
  const may = useMay();
  const read = useApi(
    'getSiteCertificates',
    { params: { id: site.id } },
    { enabled: may('getSiteCertificates'), refetchInterval: refreshMs },
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
        {({ list, orders: found }) => (
          <>
            {found.length > 1 && <Orders orders={found} onOpen={setOpened} />}
            {found.map((order) => (
              <Problem key={order.id} order={order} isOneOfSeveral={found.length > 1} />
            ))}
            <Domains list={list} />
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

function Domains({ list }: { list: Certificates['list'] }) {
  const t = useText(automaticText);
  return (
    <Table size="small">
      <TableHead>
        <TableRow>
          <TableCell>{t.domain}</TableCell>
          <TableCell>{t.state}</TableCell>
          <TableCell>{t.certificate}</TableCell>
          <TableCell>{t.expires}</TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {/* A domain whose certificate has expired still names it. */}
        {list.map(({ domain, state, certificate_id: id, certificate_name: name, not_after: end }) => (
          <TableRow key={domain}>
            <TableCell sx={{ overflowWrap: 'anywhere' }}>{readable(domain)}</TableCell>
            <TableCell>
              <StatusChip tone={tones[state]} label={t.states[state]} />
            </TableCell>
            <TableCell sx={{ overflowWrap: 'anywhere' }}>
              {id === null ? '–' : <TextLink target={to.certificateDetail({ id })}>{name}</TextLink>}
            </TableCell>
            <TableCell>{end === null ? '–' : <Time at={end} />}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
