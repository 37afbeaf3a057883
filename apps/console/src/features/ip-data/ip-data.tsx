import type { IpDataPart, IpDataPartInUse } from '@breakwater/contract';
import { Alert, Stack } from '@mui/material';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import type { Data } from '../../api/client.ts';
import { useApi } from '../../api/query.ts';
import { useDenial } from '../../frame/denial.ts';
import { useText } from '../../i18n/text.ts';
import { formatCount } from '../../kit/format.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { Bytes } from '../../kit/amounts.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { Facts, type Fact } from '../../kit/facts.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { Page, Section } from '../../kit/page.tsx';
import { Time, useDuration } from '../../kit/time.tsx';
import { notify } from '../../kit/toast.ts';
import { IpDataForm } from './ip-data-form.tsx';
import { ipDataText } from './ip-data.text.ts';
import { PartNews, usePartAsSeen } from './part-as-seen.tsx';

/**
 * The data of where addresses are: countries, provinces and carriers of China, and networks (AS), each with its
 * source and licence (docs/access.md).
 */
export function IpData() {
  const t = useText(ipDataText);
  const read = useApi('getIpData', {});
  const [replacing, setReplacing] = useState<IpDataPartInUse | null>(null);
  return (
    <Page title={t.title} subtitle={t.subtitle}>
      <Loaded read={read}>
        {({ parts, table }) => (
          <Stack sx={{ gap: 3 }}>
            {parts.map((part) => (
              <Part key={part.part} inUse={part} onReplace={() => setReplacing(part)} />
            ))}
            <Table table={table} />
          </Stack>
        )}
      </Loaded>
      {replacing && <IpDataForm inUse={replacing} onClose={() => setReplacing(null)} />}
    </Page>
  );
}

/** Brought by the operator, in place of what the platform comes with. */
const isOwn = ({ source }: IpDataPartInUse): boolean => source === 'file' || source === 'url';

function Part({ inUse, onReplace }: { inUse: IpDataPartInUse; onReplace: () => void }) {
  const t = useText(ipDataText);
  const denial = useDenial();
  const refresh = useRefresh();
  const [givingUp, setGivingUp] = useState(false);
  const { part, source } = inUse;
  return (
    <Section title={t.parts[part]}>
      <Stack sx={{ gap: 2.5 }}>
        {/* No data of networks is shipped. */}
        {source === 'none' ? <Alert severity="info">{t.noAsn}</Alert> : <PartFacts inUse={inUse} />}
        {inUse.last_error !== '' && <Alert severity="warning">{t.failed(inUse.last_error)}</Alert>}
        <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap' }}>
          <ActionButton
            icon="upload"
            variant="outlined"
            onClick={onReplace}
            disabledReason={denial('useIpFile')}
          >
            {source === 'none' ? t.bring : t.replace}
          </ActionButton>
          {source === 'url' && (
            <ActionButton
              icon="refresh"
              color="inherit"
              loading={refresh.isPending}
              onClick={() => refresh.run(part)}
              disabledReason={denial('refreshIpFile')}
            >
              {t.refresh}
            </ActionButton>
          )}
          {isOwn(inUse) && (
            <ActionButton
              icon="rollback"
              color="inherit"
              onClick={() => setGivingUp(true)}
              disabledReason={denial('removeIpFile')}
            >
              {part === 'asn' ? t.stop : t.giveUp}
            </ActionButton>
          )}
        </Stack>
      </Stack>
      {givingUp && <GiveUp inUse={inUse} onClose={() => setGivingUp(false)} />}
    </Section>
  );
}

function PartFacts({ inUse }: { inUse: IpDataPartInUse }) {
  const t = useText(ipDataText);
  const duration = useDuration();
  const { source, name, attribution, report } = inUse;
  const facts: Fact[] = [
    { label: t.source, value: t.sources[source] },
    { label: t.name, value: name },
  ];
  if (report)
    facts.push(
      { label: t.type, value: report.database_type },
      { label: t.dataDate, value: <Time at={report.built_at} /> },
      { label: t.networks, value: formatCount(report.networks) },
      { label: t.fetchedAt, value: <Time at={inUse.fetched_at} /> },
    );
  if (inUse.interval_seconds !== null)
    facts.push({ label: t.interval, value: duration(inUse.interval_seconds) });
  facts.push({ label: t.attribution, value: attribution, wide: true });
  return <Facts facts={facts} />;
}

/** Fetches the file again now. That it could not be fetched is an answer: the one before stays in service. */
function useRefresh() {
  const t = useText(ipDataText);
  const refresh = useChange('refreshIpFile');
  const run = (part: IpDataPart) =>
    refresh.mutate(
      { params: { part } },
      {
        onSuccess: ({ last_error: error }) =>
          error === '' ? notify.success(t.refreshed) : notify.error(t.failed(error)),
        onError: (error) => notify.refused(error.message),
      },
    );
  return { run, isPending: refresh.isPending };
}

/** Back to what is shipped; of networks, for which nothing is, to none. */
function GiveUp({ inUse, onClose }: { inUse: IpDataPartInUse; onClose: () => void }) {
  const t = useText(ipDataText);
  const remove = useChange('removeIpFile');
  const { seen, asSeen, isNews } = usePartAsSeen(inUse);
  const { part } = seen;
  return (
    <Confirm
      title={t.giveUpTitle}
      body={
        <>
          {part === 'asn' ? t.stopBody : t.giveUpBody}
          {isNews && <PartNews inUse={seen} />}
        </>
      }
      action={part === 'asn' ? t.stop : t.giveUp}
      onConfirm={() =>
        asSeen(async ({ file_id: id }) => {
          await remove.mutateAsync({ params: { part }, query: { file_id: String(id) } });
          notify.success(t.givenUp);
        })
      }
      onClose={onClose}
    />
  );
}

/** The table that nodes get, made of all parts. Null while no rule asks for places. */
function Table({ table }: { table: Data<'getIpData'>['table'] }) {
  const t = useText(ipDataText);
  return (
    <Section title={t.table} hint={t.tableHint}>
      {table === null ? (
        t.noTable
      ) : (
        <Facts
          facts={[
            { label: t.builtAt, value: <Time at={table.built_at} /> },
            { label: t.size, value: <Bytes value={table.bytes} /> },
            { label: t.lineGroups, value: table.line_groups },
          ]}
        />
      )}
    </Section>
  );
}
