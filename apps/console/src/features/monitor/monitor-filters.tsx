import { dateTime, optionalIdText } from '@breakwater/contract';
import { Box, MenuItem, Stack, TextField, ToggleButton, ToggleButtonGroup } from '@mui/material';
import { useState } from 'react';
import * as z from 'zod';
import { useAccount } from '../../api/account.ts';
import {
  findClients,
  findNodes,
  findOrders,
  findSites,
  useClientChoice,
  useLineGroupOptions,
  useNodeChoice,
  useOrderChoice,
  useSiteChoice,
} from '../../api/options.ts';
import type { MonitorScope } from '../../api/monitor.ts';
import type { TimeRange } from '../../api/time-step.ts';
import { useText } from '../../i18n/text.ts';
import { ActionIcon } from '../../kit/action-button.tsx';
import { RemotePicker } from '../../kit/fields/remote-select.tsx';
import { fromLocalInput, toLocalInput } from '../../kit/format.ts';
import { kitText } from '../../kit/kit.text.ts';
import { rangeNames, type RangeName } from '../../kit/time-range.ts';
import { monitorText } from './monitor.text.ts';

const refreshSeconds = [0, 5, 10, 30, 60];

/** What the screen shows, in the address. */
export const monitorSearch = z.object({
  /** `live`: the seconds as they pass, instead of a range. */
  mode: z.enum(['range', 'live']).default('range'),
  range: z.enum(rangeNames).default('last_hour'),
  start_time: dateTime.optional(),
  end_time: dateTime.optional(),
  site_id: optionalIdText,
  node_id: optionalIdText,
  client_id: optionalIdText,
  order_id: optionalIdText,
  line_group_id: optionalIdText,
  hosts: z.string().trim().max(2000).optional(),
  refresh: z.coerce.number().pipe(z.literal(refreshSeconds)).default(10),
});
export type MonitorSearch = z.output<typeof monitorSearch>;

interface MonitorFiltersProps {
  search: MonitorSearch;
  onChange: (patch: Partial<Record<keyof MonitorSearch, unknown>>) => void;
  onRefresh: () => void;
  /** Offers the seconds as they pass. */
  withLive?: boolean;
}

export function MonitorFilters({ search, onChange, onRefresh, withLive = false }: MonitorFiltersProps) {
  const t = useText(monitorText);
  const kit = useText(kitText);
  const admin = useAccount().role === 'admin';
  const site = useSiteChoice(search.site_id);
  const node = useNodeChoice(search.node_id);
  const client = useClientChoice(search.client_id);
  const order = useOrderChoice(search.order_id);
  const names: Record<RangeName, string> = {
    last_hour: kit.lastHour,
    today: kit.today,
    yesterday: kit.yesterday,
    last_7_days: kit.last7Days,
    custom: kit.custom,
  };
  const live = withLive && search.mode === 'live';
  const choose = (name: RangeName | 'live' | null) => {
    if (name === null) return;
    if (name === 'live') return onChange({ mode: name });
    const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
    const custom =
      name === 'custom'
        ? { start_time: anHourAgo, end_time: new Date().toISOString() }
        : { start_time: undefined, end_time: undefined };
    onChange({ mode: 'range', range: name, ...custom });
  };
  return (
    <Stack sx={{ gap: 2 }}>
      <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap', alignItems: 'center' }}>
        <Box sx={{ maxWidth: '100%', overflowX: 'auto' }}>
          <ToggleButtonGroup
            exclusive
            size="small"
            value={live ? 'live' : search.range}
            aria-label={t.range}
            onChange={(_, name: RangeName | 'live' | null) => choose(name)}
          >
            {withLive && (
              <ToggleButton value="live" sx={{ px: 1.75, whiteSpace: 'nowrap' }}>
                {t.live}
              </ToggleButton>
            )}
            {rangeNames.map((name) => (
              <ToggleButton key={name} value={name} sx={{ px: 1.75, whiteSpace: 'nowrap' }}>
                {names[name]}
              </ToggleButton>
            ))}
          </ToggleButtonGroup>
        </Box>
        <Box sx={{ flex: 1 }} />
        {!live && <Refresh search={search} onChange={onChange} onRefresh={onRefresh} />}
      </Stack>
      {!live && search.range === 'custom' && <CustomRange search={search} onChange={onChange} />}
      <Box
        sx={{
          display: 'grid',
          gap: 1.5,
          gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 220px), 1fr))',
        }}
      >
        <RemotePicker
          label={t.site}
          placeholder={t.allSites}
          load={findSites}
          selected={site}
          value={search.site_id}
          onChange={(site_id) => onChange({ site_id })}
        />
        {admin && (
          <RemotePicker
            label={t.node}
            placeholder={t.allNodes}
            load={findNodes}
            selected={node}
            value={search.node_id}
            onChange={(node_id) => onChange({ node_id })}
          />
        )}
        {admin && (
          <RemotePicker
            label={t.client}
            placeholder={t.allClients}
            load={findClients}
            selected={client}
            value={search.client_id}
            onChange={(client_id) => onChange({ client_id })}
          />
        )}
        <RemotePicker
          label={t.order}
          placeholder={t.allOrders}
          load={findOrders}
          selected={order}
          value={search.order_id}
          onChange={(order_id) => onChange({ order_id })}
        />
        {admin && !live && <LineGroupFilter value={search.line_group_id} onChange={onChange} />}
        {!live && <HostsFilter key={search.hosts} value={search.hosts} onChange={onChange} />}
      </Box>
    </Stack>
  );
}

function Refresh({ search, onChange, onRefresh }: MonitorFiltersProps) {
  const t = useText(monitorText);
  const kit = useText(kitText);
  return (
    <>
      <TextField
        select
        fullWidth={false}
        label={t.refreshEvery}
        value={search.refresh}
        onChange={(event) => onChange({ refresh: event.target.value })}
        sx={{ minWidth: 110 }}
      >
        {refreshSeconds.map((seconds) => (
          <MenuItem key={seconds} value={seconds}>
            {seconds === 0 ? t.refreshOff : t.seconds(seconds)}
          </MenuItem>
        ))}
      </TextField>
      <ActionIcon icon="refresh" label={kit.refresh} onClick={onRefresh} size="medium" />
    </>
  );
}

/** Which part of the traffic the search is about. */
export const scopeOf = (search: MonitorSearch): MonitorScope => ({
  site_id: search.site_id,
  node_id: search.node_id,
  client_id: search.client_id,
  order_id: search.order_id,
  line_group_id: search.line_group_id,
  hosts: search.hosts,
});

/** The same part as a search of records has it: of several hosts or a line group it knows nothing. */
export const recordsOf = ({ site_id, node_id, client_id, order_id }: MonitorSearch) => ({
  site_id,
  node_id,
  client_id,
  order_id,
});

/** The range that was entered, as far as it was. */
export const chosenRange = ({ start_time, end_time }: MonitorSearch): Partial<TimeRange> => ({
  ...(start_time ? { start_time } : {}),
  ...(end_time ? { end_time } : {}),
});

function CustomRange({ search, onChange }: Pick<MonitorFiltersProps, 'search' | 'onChange'>) {
  const kit = useText(kitText);
  return (
    <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap' }}>
      {(['start_time', 'end_time'] as const).map((name) => (
        <TextField
          key={name}
          type="datetime-local"
          label={name === 'start_time' ? kit.startTime : kit.endTime}
          value={toLocalInput(search[name])}
          onChange={(event) => onChange({ [name]: fromLocalInput(event.target.value) })}
          slotProps={{ inputLabel: { shrink: true } }}
          error={isReversed(search)}
          helperText={isReversed(search) ? kit.rangeReversed : undefined}
          sx={{ flex: '1 1 240px', maxWidth: { sm: 280 } }}
        />
      ))}
    </Stack>
  );
}

interface FilterProps<Value> {
  value: Value | undefined;
  onChange: MonitorFiltersProps['onChange'];
}

function LineGroupFilter({ value, onChange }: FilterProps<number>) {
  const t = useText(monitorText);
  const lineGroups = useLineGroupOptions();
  return (
    <TextField
      select
      label={t.lineGroup}
      value={lineGroups.some((group) => group.value === value) ? value : ''}
      onChange={(event) => onChange({ line_group_id: event.target.value || undefined })}
      slotProps={{ inputLabel: { shrink: true }, select: { displayEmpty: true } }}
    >
      <MenuItem value="">{t.allLineGroups}</MenuItem>
      {lineGroups.map((group) => (
        <MenuItem key={group.value} value={group.value}>
          {group.label}
        </MenuItem>
      ))}
    </TextField>
  );
}

/** Taken over when it is left or by Enter: each letter would be a question of its own. */
function HostsFilter({ value = '', onChange }: FilterProps<string>) {
  const t = useText(monitorText);
  const [text, setText] = useState(value);
  const commit = () => text.trim() !== value && onChange({ hosts: text.trim() || undefined });
  return (
    <TextField
      label={t.hosts}
      placeholder={t.hostsHint}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
      slotProps={{ inputLabel: { shrink: true } }}
    />
  );
}

const isReversed = ({ start_time, end_time }: MonitorSearch): boolean =>
  start_time !== undefined && end_time !== undefined && start_time >= end_time;
