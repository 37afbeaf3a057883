import type { DomainCertificateState } from '@breakwater/contract';
import { Alert, Table, TableBody, TableCell, TableHead, TableRow } from '@mui/material';
import { useState } from 'react';
import { useMay } from '../../../../api/account.ts';
import type { Data } from '../../../../api/client.ts';
import { useApi } from '../../../../api/query.ts';
import { CertificateTimelineDrawer } from '../../../../frame/certificate-timeline.tsx';
import { certificateTimelineText } from '../../../../frame/certificate-timeline.text.ts';
import { useText } from '../../../../i18n/text.ts';
import { kitText } from '../../../../kit/kit.text.ts';
import { ActionButton } from '../../../../kit/action-button.tsx';
import { to } from '../../../../kit/links.ts';
import { Loaded } from '../../../../kit/loaded.tsx';
import { Section } from '../../../../kit/page.tsx';
import { TextLink } from '../../../../kit/router-link.tsx';
import { StatusChip, type Tone } from '../../../../kit/status-chip.tsx';
import { Time } from '../../../../kit/time.tsx';
import { useSite } from '../../context.tsx';
import { automaticText } from './automatic.text.ts';
import { readable } from '../../../../kit/readable.tsx';

const refreshMs = 5000;

type Certificates = Data<'getSiteCertificates'>;

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
  const [isOpen, setIsOpen] = useState(false);
  const order = read.data?.order ?? null;
  if (!may('getSiteCertificates')) return null;
  const timeline = order !== null && (
    <ActionButton icon="log" variant="outlined" color="inherit" onClick={() => setIsOpen(true)}>
      {t.timeline}
    </ActionButton>
  );
  return (
    <Section title={t.domains} hint={t.domainsHint} actions={timeline}>
      <Loaded read={read}>
        {({ list, order: found }) => (
          <>
            {found !== null && <Problem order={found} />}
            <Domains list={list} />
          </>
        )}
      </Loaded>
      {isOpen && order !== null && (
        <CertificateTimelineDrawer id={order.id} name={order.name} onClose={() => setIsOpen(false)} />
      )}
    </Section>
  );
}

/** Why the order has none yet, and when it goes on. */
function Problem({ order }: { order: NonNullable<Certificates['order']> }) {
  const t = useText(automaticText);
  const kit = useText(kitText);
  const { problems } = useText(certificateTimelineText);
  const { problem, problem_detail: detail, state, next_at: next } = order;
  if (problem === null || state === 'working') return null;
  return (
    <Alert severity={state === 'waiting' ? 'info' : 'error'} sx={{ mb: 1, overflowWrap: 'anywhere' }}>
      {problems[problem]}
      {detail !== '' && ` (${detail})`}
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
