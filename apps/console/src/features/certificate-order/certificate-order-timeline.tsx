import type { CertificateOrder, CertificateStep } from '@breakwater/contract';
import { Alert, Box, Stack, Typography } from '@mui/material';
import { useApi } from '../../api/query.ts';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { Facts } from '../../kit/facts.tsx';
import { formatDateTime } from '../../kit/format.ts';
import { InfoDrawer } from '../../kit/info-drawer.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { Time } from '../../kit/time.tsx';
import { certificateOrderText } from './certificate-order.text.ts';

/** While something is under way. */
const refreshMs = 2000;

/** How far a certificate is, and what was asked and seen on the way. */
export function CertificateTimeline({
  id,
  name,
  onClose,
}: {
  id: number;
  name: string;
  onClose: () => void;
}) {
  const t = useText(certificateOrderText);
  const params = { id };
  const order = useApi(
    'getCertificateOrder',
    { params },
    { refetchInterval: (data) => (data?.state === 'working' ? refreshMs : false) },
  );
  const isWorking = order.data?.state === 'working';
  const steps = useApi(
    'listCertificateSteps',
    { params, query: { page_size: 200 } },
    { refetchInterval: isWorking ? refreshMs : false },
  );
  return (
    <InfoDrawer title={`${name} · ${t.timeline}`} onClose={onClose}>
      <Stack spacing={3}>
        <Loaded read={order}>{(found) => <Summary order={found} />}</Loaded>
        <Loaded read={steps}>
          {({ list }) =>
            list.length === 0 ? (
              <Typography color="text.secondary">{t.noSteps}</Typography>
            ) : (
              <Stack component="ol" spacing={2} sx={{ listStyle: 'none', m: 0, p: 0 }}>
                {list.map((step) => (
                  <Step key={step.id} step={step} />
                ))}
              </Stack>
            )
          }
        </Loaded>
      </Stack>
    </InfoDrawer>
  );
}

function Summary({ order }: { order: CertificateOrder }) {
  const t = useText(certificateOrderText);
  return (
    <Stack spacing={2}>
      {order.problem !== null && (
        <Alert severity="error">
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
          { label: t.next, value: <Time at={order.next_at} /> },
        ]}
      />
    </Stack>
  );
}

/** Facts that are times stand as times do everywhere. */
const times = ['at', 'until'];

function Step({ step: { at, kind, problem, detail, facts } }: { step: CertificateStep }) {
  const t = useText(certificateOrderText);
  const language = useLanguage();
  const fact = (name: string) =>
    (times.includes(name) ? formatDateTime(facts[name], language) : facts[name]) ?? '';
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
