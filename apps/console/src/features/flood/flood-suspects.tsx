import { floodSuspectsMax, type FloodIsolation, type FloodSuspect } from '@breakwater/contract';
import { Alert, Box, Stack, Typography } from '@mui/material';
import { useMemo } from 'react';
import { useText } from '../../i18n/text.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { formatCount } from '../../kit/format.ts';
import { to } from '../../kit/links.ts';
import { Section } from '../../kit/page.tsx';
import { TextLink } from '../../kit/router-link.tsx';
import { StatusChip } from '../../kit/status-chip.tsx';
import { DataTable, type Column } from '../../kit/table/data-table.tsx';
import type { Read } from '../../kit/loaded.tsx';
import { floodText } from './flood.text.ts';

interface FloodSuspectsProps {
  read: Read<FloodIsolation>;
  isolation: FloodIsolation;
}

/** Which sites the address carries, and which of them it is likely about. */
export function FloodSuspects({ read, isolation }: FloodSuspectsProps) {
  const t = useText(floodText);
  const { sites, sites_pointing, requests_known, line_groups, suspects: list } = isolation;
  const rows = { list, total: list.length, current_page: 1, page_size: floodSuspectsMax };
  return (
    <>
      <Section title={t.target} hint={t.targetHint}>
        <Stack sx={{ gap: 1 }}>
          <Typography variant="body2">{t.carries(sites, sites_pointing)}</Typography>
          <Box component="ul" sx={{ m: 0, pl: 2.5, typography: 'body2', overflowWrap: 'anywhere' }}>
            {line_groups.map(({ id, name, nodes, nodes_flooded, sites: carried }) => (
              <li key={id}>
                <TextLink target={to.lineGroupDetail({ id })}>
                  {t.lineGroupNodes(name, nodes_flooded, nodes, carried)}
                </TextLink>
              </li>
            ))}
          </Box>
          {!requests_known && <Alert severity="warning">{t.logStoreSilent}</Alert>}
        </Stack>
      </Section>
      <DataTable
        label={t.target}
        id="flood-suspects"
        columns={useColumns(requests_known)}
        read={{ ...read, data: rows }}
        rowKey={({ site_id }) => site_id}
        rowName={nameOf}
        onPage={() => undefined}
        empty={<EmptyState icon="site" title={t.noSuspects} hint={t.noSuspectsHint} />}
      />
    </>
  );
}

const nameOf = ({ site_id, site_name }: FloodSuspect): string => site_name || `#${site_id}`;

function useColumns(isKnown: boolean): Column<FloodSuspect>[] {
  const t = useText(floodText);
  return useMemo(
    () => [
      {
        id: 'site',
        header: t.site,
        cell: (suspect) => (
          <TextLink target={to.siteDetail({ id: suspect.site_id })}>{nameOf(suspect)}</TextLink>
        ),
      },
      {
        id: 'reasons',
        header: t.reasons,
        wraps: true,
        cell: ({ reasons }) => (
          <Stack direction="row" sx={{ gap: 0.5, flexWrap: 'wrap' }}>
            {reasons.map((reason) => (
              <StatusChip
                key={reason}
                tone="info"
                label={t.reasonNames[reason]}
                hint={t.reasonHints[reason]}
              />
            ))}
          </Stack>
        ),
      },
      {
        id: 'client',
        header: t.client,
        cell: ({ client_id, client_name }) => (
          <TextLink target={to.clientDetail({ id: client_id })}>{client_name}</TextLink>
        ),
      },
      {
        id: 'order',
        header: t.order,
        cell: ({ order_id, order_no }) => (
          <TextLink target={to.orderDetail({ id: order_id })}>{order_no}</TextLink>
        ),
      },
      {
        id: 'requests',
        header: t.requests,
        align: 'right',
        // Null: the site is not among those with the most requests, and was not counted.
        cell: ({ requests }) => (requests === null ? '–' : formatCount(requests)),
      },
      {
        id: 'attack_requests',
        header: t.attackRequests,
        align: 'right',
        // While the log store does not answer 0 means nothing.
        cell: ({ attack_requests }) => (isKnown ? formatCount(attack_requests) : '–'),
      },
      {
        id: 'line_group',
        header: t.lineGroup,
        cell: ({ line_group_id, line_group_name }) => (
          <TextLink target={to.lineGroupDetail({ id: line_group_id })}>{line_group_name}</TextLink>
        ),
      },
    ],
    [t, isKnown],
  );
}
