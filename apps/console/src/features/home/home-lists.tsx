import type { DeliveryStatus, Node } from '@breakwater/contract';
import { Box, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { useTaskTitle } from '../../domain/task-title.ts';
import { useText } from '../../i18n/text.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { formatCount } from '../../kit/format.ts';
import { to } from '../../kit/links.ts';
import { Meter } from '../../kit/meter.tsx';
import { Section } from '../../kit/page.tsx';
import { LinkButton, TextLink } from '../../kit/router-link.tsx';
import { StatusChip, type Tone } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import type { HomePart } from './home-reads.ts';
import { homeText } from './home.text.ts';
import { readable } from '../../kit/readable.tsx';

const deliveryTones: Record<DeliveryStatus, Tone> = {
  none: 'neutral',
  pending: 'info',
  applied: 'success',
  refused: 'error',
};
// A node that never came serves nobody, however new it is.
const nodeTones: Record<Node['status'], Tone> = { normal: 'success', abnormal: 'error', unseen: 'error' };

/** The sites that were added last, with how far each is deployed. */
export function SiteDeliveries({ sites: { latest } }: { sites: HomePart<'sites'> }) {
  const t = useText(homeText);
  const add = (
    <LinkButton target={to.siteCreate()} icon="add" variant="contained">
      {t.addSite}
    </LinkButton>
  );
  return (
    <Section title={t.latestSites} actions={<LinkButton target={to.sites()}>{t.allSites}</LinkButton>}>
      {latest.length === 0 ? (
        <EmptyState icon="site" title={t.noSites} hint={t.noSitesHint} action={add} />
      ) : (
        latest.map((site) => (
          <Line
            key={site.id}
            name={
              <TextLink target={to.siteDetail({ id: site.id })}>{site.domains[0] ?? `#${site.id}`}</TextLink>
            }
            about={site.origins.join(', ')}
          >
            <StatusChip
              tone={deliveryTones[site.delivery.status]}
              busy={site.delivery.status === 'pending'}
              label={`${t.deliveries[site.delivery.status]} ${site.delivery.nodes_applied}/${site.delivery.nodes_total}`}
            />
          </Line>
        ))
      )}
    </Section>
  );
}

/** As many as there is room for, those in trouble first: the server orders them. */
export function NodeStates({ nodes: { list } }: { nodes: HomePart<'nodes'> }) {
  const t = useText(homeText);
  const add = (
    <LinkButton target={to.nodes()} icon="add" variant="contained">
      {t.addNode}
    </LinkButton>
  );
  return (
    <Section title={t.nodeState} actions={<LinkButton target={to.nodes()}>{t.allNodes}</LinkButton>}>
      {list.length === 0 ? (
        <EmptyState icon="node" title={t.noNodes} hint={t.noNodesHint} action={add} />
      ) : (
        list.map((node) => (
          <Line
            key={node.id}
            name={<TextLink target={to.nodeDetail({ id: node.id })}>{node.name}</TextLink>}
            about={<NodeNews node={node} />}
          >
            {node.state && node.status === 'normal' && (
              <Box sx={{ width: 96, display: { xs: 'none', sm: 'block' } }}>
                <Meter label="CPU" share={node.state.cpu_share} />
              </Box>
            )}
            <NodeChip node={node} />
          </Line>
        ))
      )}
    </Section>
  );
}

/** What goes on at a node; of one in trouble why it is, since the rest is what it said long ago. */
function NodeNews({ node: { ip, state, status, status_time } }: { node: Node }) {
  const t = useText(homeText);
  if (!state || status === 'unseen') return <>{ip}</>;
  if (status === 'normal') return <>{`${ip} · ${t.connections(formatCount(state.connections))}`}</>;
  return (
    <>
      {state.nginx_running ? t.silentSince : t.nginxStopped} <Time at={status_time} relative /> · {ip}
    </>
  );
}

/** The worst that is to be said of a node. */
function NodeChip({ node }: { node: Node }) {
  const t = useText(homeText);
  if (!node.enabled) return <StatusChip tone="neutral" label={t.disabled} />;
  if (node.status === 'normal' && isClockOff(node)) return <StatusChip tone="warning" label={t.clockOff} />;
  return <StatusChip tone={nodeTones[node.status]} label={t[node.status]} />;
}

const isClockOff = ({ enabled, state }: Node): boolean => enabled && (state?.clock_ahead_seconds ?? 0) !== 0;
/** Tasks that failed, each with the way to what went wrong. */
export function FailedTasks({ tasks: { latest_failed: failed } }: { tasks: HomePart<'tasks'> }) {
  const t = useText(homeText);
  const titleOf = useTaskTitle();
  return (
    <Section
      title={t.failures}
      actions={<LinkButton target={to.tasks({ status: 'failed' })}>{t.seeFailed}</LinkButton>}
    >
      {failed.map((task) => (
        <Line
          key={task.id}
          name={<TextLink target={to.tasks({ status: 'failed', open: task.id })}>{titleOf(task)}</TextLink>}
          about={<Time at={task.created_at} relative />}
        >
          <StatusChip tone="error" label={`${task.failed}/${task.total}`} />
        </Line>
      ))}
    </Section>
  );
}

/** One of a list: its name, what there is to know, and its state. */
export function Line({ name, about, children }: { name: ReactNode; about: ReactNode; children: ReactNode }) {
  return (
    <Stack
      direction="row"
      sx={{
        alignItems: 'center',
        gap: 2,
        py: 1.25,
        borderTop: 1,
        borderColor: 'divider',
        '&:first-of-type': { borderTop: 0 },
      }}
    >
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="body2" component="div">
          {name}
        </Typography>
        <Typography variant="caption" component="div" noWrap sx={{ color: 'text.secondary' }}>
          {readable(about)}
        </Typography>
      </Box>
      {children}
    </Stack>
  );
}
