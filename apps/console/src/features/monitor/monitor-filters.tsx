import { dateTime, optionalIdText, optionalText } from '@breakwater/contract';
import { Box, Button, Stack } from '@mui/material';
import { useState, type ReactNode } from 'react';
import * as z from 'zod';
import { useMay } from '../../api/account.ts';
import {
  clientChoices,
  lineGroupChoices,
  nodeChoices,
  orderChoices,
  siteChoices,
} from '../../api/options.ts';
import type { MonitorScope } from '../../api/monitor.ts';
import type { TimeRange } from '../../api/time-step.ts';
import { useText } from '../../i18n/text.ts';
import { RemotePicker } from '../../kit/fields/remote-picker.tsx';
import { Icon } from '../../kit/icon.tsx';
import { rangeNames } from '../../kit/time-range.ts';
import { HostsFilter, PlaceFilters } from './monitor-part-filters.tsx';
import { RangeBar, refreshSeconds } from './monitor-range.tsx';
import { monitorText } from './monitor.text.ts';

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
  hosts: z.string().trim().max(8000).optional(),
  country: optionalText,
  province: optionalText,
  carrier: optionalText,
  refresh: z.coerce.number().pipe(z.literal(refreshSeconds)).default(10),
});
export type MonitorSearch = z.output<typeof monitorSearch>;

export interface MonitorFiltersProps {
  search: MonitorSearch;
  onChange: (patch: Partial<Record<keyof MonitorSearch, unknown>>) => void;
  onRefresh: () => void;
  /** What the search comes to. */
  range: TimeRange;
  /** Offers the seconds as they pass. */
  withLive?: boolean;
  /** More to choose beside the range. */
  children?: ReactNode;
}

/** What part of the traffic is shown, and of when. A filter whose list the reader may not read is left out. */
export function MonitorFilters(props: MonitorFiltersProps) {
  const { search, range, onChange, onRefresh, withLive = false, children } = props;
  const t = useText(monitorText);
  const may = useMay();
  // Figures of the second are kept by site, order, customer and node alone: the rare filters could not narrow them.
  const live = withLive && search.mode === 'live';
  // Folded away they would narrow what is shown unseen: they are counted on the button.
  const rare = rareFilters.filter((name) => search[name] !== undefined).length;
  const [wanted, setOpen] = useState(rare > 0);
  const open = wanted && !live;
  return (
    <Stack sx={{ gap: 2 }}>
      <RangeBar {...{ search, range, onChange, onRefresh, withLive }}>{children}</RangeBar>
      <Box
        sx={{
          display: 'grid',
          columnGap: 1.5,
          rowGap: 2,
          gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 220px), 1fr))',
        }}
      >
        {may('listSites') && (
          <RemotePicker
            label={t.site}
            placeholder={t.allSites}
            choices={siteChoices}
            value={search.site_id}
            onChange={(site_id) => onChange({ site_id })}
          />
        )}
        {may('listNodes') && (
          <RemotePicker
            label={t.node}
            placeholder={t.allNodes}
            choices={nodeChoices}
            value={search.node_id}
            onChange={(node_id) => onChange({ node_id })}
          />
        )}
        {may('listClients') && (
          <RemotePicker
            label={t.client}
            placeholder={t.allClients}
            choices={clientChoices}
            value={search.client_id}
            onChange={(client_id) => onChange({ client_id })}
          />
        )}
        {may('listOrders') && (
          <RemotePicker
            label={t.order}
            placeholder={t.allOrders}
            choices={orderChoices}
            value={search.order_id}
            onChange={(order_id) => onChange({ order_id })}
          />
        )}
        {open && (
          <>
            {may('listLineGroups') && (
              <RemotePicker
                label={t.lineGroup}
                placeholder={t.allLineGroups}
                choices={lineGroupChoices}
                value={search.line_group_id}
                onChange={(line_group_id) => onChange({ line_group_id })}
              />
            )}
            <HostsFilter key={search.hosts} value={search.hosts} onChange={onChange} />
            <PlaceFilters search={search} onChange={onChange} />
          </>
        )}
      </Box>
      {!live && (
        <Box>
          <Button
            size="small"
            color="inherit"
            aria-expanded={open}
            startIcon={<Icon name="filter" />}
            onClick={() => setOpen(!open)}
          >
            {open ? t.fewerFilters : t.moreFilters(rare)}
          </Button>
        </Box>
      )}
    </Stack>
  );
}

/** What few ask for; it stands open where something of it is set. */
const rareFilters = ['line_group_id', 'hosts', 'country', 'province', 'carrier'] as const;

/** Which part of the traffic the search is about. */
export const scopeOf = (search: MonitorSearch): MonitorScope => ({
  site_id: search.site_id,
  node_id: search.node_id,
  client_id: search.client_id,
  order_id: search.order_id,
  line_group_id: search.line_group_id,
  hosts: search.hosts,
  country: search.country,
  province: search.province,
  carrier: search.carrier,
});

/** The same part as a search of records has it: of several hosts or a line group it knows nothing. */
export const recordsOf = ({ site_id, node_id, client_id, order_id, hosts, ...place }: MonitorSearch) => ({
  site_id,
  node_id,
  client_id,
  order_id,
  host: hosts?.includes(',') ? undefined : hosts,
  geoip_country_code: place.country,
  province: place.province,
  carrier: place.carrier,
});

/** The range that was entered, as far as it was. */
export const chosenRange = ({
  start_time,
  end_time,
}: Pick<MonitorSearch, 'start_time' | 'end_time'>): Partial<TimeRange> => ({
  ...(start_time ? { start_time } : {}),
  ...(end_time ? { end_time } : {}),
});
