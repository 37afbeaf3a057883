import type { CertificateOrder, CertificateStep } from '@breakwater/contract';
import { Alert, Box, Stack, Typography } from '@mui/material';
import { useChange } from '../api/change.ts';
import { useApi } from '../api/query.ts';
import { useReadAtEnd } from '../api/read-at-end.ts';
import { useLanguage } from '../i18n/language.ts';
import { useText } from '../i18n/text.ts';
import { ActionButton } from '../kit/action-button.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { Facts } from '../kit/facts.tsx';
import { formatDateTime } from '../kit/format.ts';
import { InfoDrawer } from '../kit/info-drawer.tsx';
import { Loaded } from '../kit/loaded.tsx';
import { Section } from '../kit/page.tsx';
import { TablePager } from '../kit/table/table-pager.tsx';
import { usePaging } from '../kit/table/use-paging.ts';
import { Time } from '../kit/time.tsx';
import { notify } from '../kit/toast.ts';
import { certificateTimelineText } from './certificate-timeline.text.ts';
import { useDenial } from './denial.ts';

/** While something is under way. */
const refreshMs = 2000;

/** Beside a list. */
export function CertificateTimelineDrawer({
  id,
  name,
  onClose,
}: {
  id: number;
  name: string;
  onClose: () => void;
}) {
  const t = useText(certificateTimelineText);
  return (
    <InfoDrawer title={`${name} · ${t.timeline}`} onClose={onClose}>
      <Stack spacing={3}>
        <IssueNow id={id} />
        <CertificateTimeline id={id} />
      </Stack>
    </InfoDrawer>
  );
}

/** Whoever has mended what the timeline says need not wait for the next attempt. */
function IssueNow({ id }: { id: number }) {
  const t = useText(certificateTimelineText);
  const denial = useDenial();
  const order = useApi('getCertificateOrder', { params: { id } });
  const run = useChange('runCertificateOrder');
  return (
    <Box>
      <ActionButton
        icon="refresh"
        variant="outlined"
        color="inherit"
        loading={run.isPending}
        disabledReason={
          denial('runCertificateOrder') ?? (order.data?.state === 'working' ? t.working : undefined)
        }
        onClick={() =>
          run.mutate(
            { params: { id } },
            {
              onSuccess: () => notify.success(t.issueStarted),
              onError: (error) => notify.error(error.message),
            },
          )
        }
      >
        {t.issueNow}
      </ActionButton>
    </Box>
  );
}

/** On the page of a certificate: of one that was uploaded, that it has none. */
export function CertificateRenewal({ certificateId }: { certificateId: number }) {
  const t = useText(certificateTimelineText);
  const orders = useApi('listCertificateOrders', { query: { certificate_id: certificateId } });
  const denial = useDenial();
  const run = useChange('runCertificateOrder');
  return (
    <Loaded read={orders}>
      {({ list: [order] }) =>
        order === undefined ? (
          <EmptyState icon="certificate-order" title={t.uploaded} hint={t.uploadedHint} />
        ) : (
          <Section
            title={t.timeline}
            actions={
              <ActionButton
                icon="refresh"
                variant="outlined"
                color="inherit"
                loading={run.isPending}
                disabledReason={denial('runCertificateOrder')}
                onClick={() =>
                  run.mutate(
                    { params: { id: order.id } },
                    {
                      onSuccess: () => notify.success(t.runDone),
                      onError: (error) => notify.error(error.message),
                    },
                  )
                }
              >
                {t.runNow}
              </ActionButton>
            }
          >
            <CertificateTimeline id={order.id} />
          </Section>
        )
      }
    </Loaded>
  );
}

/** How far a certificate is, and what was asked and seen on the way. */
function CertificateTimeline({ id }: { id: number }) {
  const t = useText(certificateTimelineText);
  const params = { id };
  const order = useApi(
    'getCertificateOrder',
    { params },
    { refetchInterval: (data) => (data?.state === 'working' ? refreshMs : false) },
  );
  const isWorking = order.data?.state === 'working';
  const [paging, onPage] = usePaging('certificate-steps', 50);
  const steps = useApi(
    'listCertificateSteps',
    { params, query: paging },
    { refetchInterval: isWorking ? refreshMs : false, keepPrevious: true },
  );
  useReadAtEnd(isWorking, steps);
  return (
    <Stack spacing={3}>
      <Loaded read={order}>{(found) => <Summary order={found} />}</Loaded>
      <Loaded read={steps}>
        {(page) =>
          page.total === 0 ? (
            <Typography color="text.secondary">{t.noSteps}</Typography>
          ) : (
            <>
              <Stack component="ol" spacing={2} sx={{ listStyle: 'none', m: 0, p: 0 }}>
                {page.list.map((step) => (
                  <Step key={step.id} step={step} />
                ))}
              </Stack>
              {page.total > page.list.length && (
                <TablePager page={page} isOlder={steps.isPlaceholderData} onPage={onPage} />
              )}
            </>
          )
        }
      </Loaded>
    </Stack>
  );
}

function Summary({ order }: { order: CertificateOrder }) {
  const t = useText(certificateTimelineText);
  return (
    <Stack spacing={2}>
      {order.problem !== null && (
        <Alert severity={order.state === 'waiting' ? 'info' : 'error'}>
          {t.problems[order.problem]}
          {order.problem_detail !== '' && <Words text={order.problem_detail} />}
        </Alert>
      )}
      <Facts
        columns={2}
        facts={[
          { label: t.state, value: t.states[order.state] },
          { label: t.expires, value: <Time at={order.not_after} /> },
          { label: t.renewal, value: <Time at={order.renew_at} /> },
          { label: t.next, value: <Time at={order.state === 'working' ? null : order.next_at} /> },
        ]}
      />
    </Stack>
  );
}

/** Facts that are times stand as times do everywhere. */
const times = ['at', 'from', 'until'];

function Step({ step: { at, kind, problem, detail, facts } }: { step: CertificateStep }) {
  const t = useText(certificateTimelineText);
  const language = useLanguage();
  const fact = (name: string) =>
    (times.includes(name) ? formatDateTime(facts[name], language) : facts[name]) ?? '';
  const remedy = problem === null ? '' : t.remedies[problem](fact);
  return (
    <Box component="li">
      <Typography
        variant="body2"
        sx={{ overflowWrap: 'anywhere' }}
        color={problem === null ? undefined : 'error'}
      >
        {t.steps[kind](fact)}
        {problem !== null && ` · ${t.problems[problem]}`}
      </Typography>
      {detail !== '' && <Words text={detail} />}
      {remedy !== '' && (
        <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
          {remedy}
        </Typography>
      )}
      <Typography variant="caption" color="text.secondary">
        <Time at={at} />
      </Typography>
    </Box>
  );
}

/** What somebody else said, as they said it. */
function Words({ text }: { text: string }) {
  return (
    <Typography component="div" variant="body2" sx={{ overflowWrap: 'anywhere', fontFamily: 'monospace' }}>
      {text}
    </Typography>
  );
}
