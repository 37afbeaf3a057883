import { Alert, Stack } from '@mui/material';
import type { LogStoreConnection } from '@breakwater/contract';
import { useChange } from '../../api/change.ts';
import type { Data } from '../../api/client.ts';
import { useApi } from '../../api/query.ts';
import { useDenial } from '../../frame/denial.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { Bytes } from '../../kit/amounts.tsx';
import { Facts, type Fact } from '../../kit/facts.tsx';
import { formatCount } from '../../kit/format.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { Page, Section } from '../../kit/page.tsx';
import { StatusChip } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { LogIndices } from './log-indices.tsx';
import { LogPolicyForm } from './log-policy-form.tsx';
import { healthTones } from './health-tones.ts';
import { logStoreText } from './log-store.text.ts';

/** Where access logs are kept. When the store is away, where it should be is told all the same. */
export function LogStore() {
  const t = useText(logStoreText);
  const info = useApi('getLogStoreInfo', {});
  // Two reads: where the store should be is known without it, and is what one needs when it is away.
  const connection = useApi('getLogStoreConnection', {});
  return (
    <Page title={t.title} subtitle={t.subtitle}>
      <Section title={t.state}>
        <Loaded read={info}>{(data) => <StateFacts info={data} />}</Loaded>
      </Section>
      <Loaded read={connection}>{(data) => <Connection connection={data} />}</Loaded>
      <LogIndices />
      <LogPolicyForm />
    </Page>
  );
}

function StateFacts({ info }: { info: Data<'getLogStoreInfo'> }) {
  const t = useText(logStoreText);
  const facts: Fact[] = [
    { label: t.engine, value: `${t.engines[info.engine]} ${info.version}` },
    {
      label: t.health,
      value: (
        <StatusChip
          tone={healthTones[info.health]}
          label={t.healths[info.health]}
          hint={t.healthHints[info.health]}
        />
      ),
    },
    { label: t.size, value: <Bytes value={info.bytes} /> },
    {
      label: t.disk,
      value: (
        <>
          <Bytes value={info.disk_free} /> {t.diskOf} <Bytes value={info.disk_total} />
        </>
      ),
    },
    { label: t.records, value: formatCount(info.records) },
    { label: t.figures, value: formatCount(info.figures) },
    { label: t.oldest, value: <Time at={info.oldest} /> },
    { label: t.newest, value: <Time at={info.newest} /> },
    { label: t.broken, value: formatCount(info.broken_lines) },
  ];
  // A file has neither machines nor shards.
  if (info.engine !== 'duckdb')
    facts.push({ label: t.nodes, value: info.nodes }, { label: t.unassigned, value: info.unassigned_shards });
  return <Facts facts={facts} columns={4} />;
}

/**
 * Where the store is. It is set in the environment of the server, not here: without it the server would not know where to look.
 */
function Connection({ connection }: { connection: LogStoreConnection }) {
  const t = useText(logStoreText);
  const denial = useDenial();
  const test = useChange('testLogStore');
  const facts: Fact[] = connection.embedded
    ? [{ label: t.file, value: connection.address, wide: true }]
    : [
        { label: t.address, value: connection.address },
        { label: t.signedIn, value: connection.signed_in ? t.isSet : t.isNotSet },
        { label: t.encrypted, value: connection.encrypted ? t.yes : t.no },
        { label: t.prefix, value: connection.prefix },
      ];
  const said = test.data;
  return (
    <Section title={t.connection} hint={t.connectionHint}>
      <Stack sx={{ gap: 2.5 }}>
        <Facts facts={facts} columns={4} />
        <Stack direction="row">
          <ActionButton
            icon="check"
            variant="outlined"
            loading={test.isPending}
            onClick={() => test.mutate({})}
            disabledReason={denial('testLogStore')}
          >
            {t.test}
          </ActionButton>
        </Stack>
        {said && (
          <Alert severity={said.ok ? 'success' : 'error'} sx={{ overflowWrap: 'anywhere' }}>
            {said.ok ? t.testOk(said.milliseconds) : t.testFailed(said.message)}
          </Alert>
        )}
        {test.error && <Alert severity="error">{test.error.message}</Alert>}
      </Stack>
    </Section>
  );
}
