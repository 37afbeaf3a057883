import type { LogLifecycle } from '@breakwater/contract';
import { Alert, Stack, Typography } from '@mui/material';
import { useText } from '../../i18n/text.ts';
import { Facts } from '../../kit/facts.tsx';
import { Time, useDuration } from '../../kit/time.tsx';
import { logStoreText } from './log-store.text.ts';

/** Ages of a day and more are told in days, as the policy is set; an hour is told as such. */
const daySeconds = 86_400;

type Data = LogLifecycle['data'][number];

/** What the policy comes to: which phases data goes through, what is deleted next, and who else deletes. */
export function Lifecycle({ lifecycle }: { lifecycle: LogLifecycle | null }) {
  const t = useText(logStoreText);
  if (lifecycle === null) return <Alert severity="info">{t.lifecycleUnknown}</Alert>;
  return (
    <Stack sx={{ gap: 2.5 }}>
      {lifecycle.data.map((data) => (
        <DataLifecycle key={data.kind} data={data} />
      ))}
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t.agesFrom[lifecycle.ages_from]}
      </Typography>
      {/* The control plane deletes by itself: a policy of the cluster on its indices would delete at another time, or what is
          still wanted. */}
      <ForeignPolicies policies={lifecycle.foreign_policies} />
    </Stack>
  );
}

function DataLifecycle({ data }: { data: Data }) {
  const t = useText(logStoreText);
  const duration = useDuration();
  const age = (seconds: number) =>
    seconds < daySeconds ? duration(seconds) : `${String(seconds / daySeconds)} ${t.days}`;
  const phases = data.phases.map(({ name, min_age_seconds }) => t.phases[name](age(min_age_seconds)));
  return (
    <Facts
      columns={3}
      facts={[
        { label: t.phasesOf[data.kind], value: phases.join(' → ') },
        { label: t.oldestOf[data.kind], value: <Time at={data.oldest} /> },
        { label: t.nextDeletion, value: <Time at={data.next_deletion} /> },
      ]}
    />
  );
}

function ForeignPolicies({ policies }: { policies: LogLifecycle['foreign_policies'] }) {
  const t = useText(logStoreText);
  // Null: the cluster does not let us read them, which is not the same as that there are none.
  if (policies === null) return <Alert severity="info">{t.foreignUnknown}</Alert>;
  return policies.map(({ name, indices, deletes, deletes_after }) => (
    <Alert key={name} severity={deletes === true ? 'error' : 'warning'} sx={{ overflowWrap: 'anywhere' }}>
      {t.foreign(name, indices)}{' '}
      {deletes === null ? t.foreignMay : deletes ? t.foreignDeletes(deletes_after) : t.foreignKeeps}{' '}
      {t.foreignOff}
    </Alert>
  ));
}
