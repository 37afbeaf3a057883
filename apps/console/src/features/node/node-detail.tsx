import type { Node } from '@breakwater/contract';
import { Box, Stack } from '@mui/material';
import { useState } from 'react';
import * as z from 'zod';
import type { Data } from '../../api/client.ts';
import { lineGroupChoices } from '../../api/options.ts';
import { useChange } from '../../api/change.ts';
import { useApi } from '../../api/query.ts';
import { useActivityTab } from '../../frame/activity.tsx';
import { packetText } from '../../domain/packet.text.ts';
import { useDenial } from '../../frame/denial.ts';
import { useUndo } from '../../frame/undo.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { CopyText } from '../../kit/copy-text.tsx';
import { DetailPage } from '../../kit/detail-page.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { useEntityForm } from '../../kit/form/entity-form.tsx';
import { Facts } from '../../kit/facts.tsx';
import { RemoteMultiSelect } from '../../kit/fields/remote-multi-select.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { formatBytes, formatCount } from '../../kit/format.ts';
import { kitText } from '../../kit/kit.text.ts';
import { to } from '../../kit/links.ts';
import { Meter } from '../../kit/meter.tsx';
import { Section } from '../../kit/page.tsx';
import { LinkButton, TextLink } from '../../kit/router-link.tsx';
import { useIdParam } from '../../kit/id-param.ts';
import { Time, useDuration } from '../../kit/time.tsx';
import { notify } from '../../kit/toast.ts';
import { NodeAddresses } from './node-addresses.tsx';
import { NodeCredentials } from './node-credentials.tsx';
import { NodeForm } from './node-form.tsx';
import { NodeIps } from './node-ips.tsx';
import { NodeServed } from './node-served.tsx';
import { NodeStatus, stateInterval, useClockWords } from './node-status.tsx';
import { nodeText } from './node.text.ts';

/** The page of a node: its live state, what it serves wrongly, its addresses and its line groups. */
export function NodeDetail() {
  const t = useText(nodeText);
  const activityTab = useActivityTab('node');
  const kit = useText(kitText);
  return (
    <DetailPage
      read={useApi('getNode', { params: { id: useIdParam() } }, { refetchInterval: stateInterval })}
      label={t.title}
      back={{ target: to.nodes(), label: t.title }}
      title={({ name }) => name}
      subtitle={(node) => <NodeStatus node={node} />}
      actions={(node) => <Actions node={node} />}
      tabs={(node) => [
        {
          id: 'overview',
          label: kit.overview,
          content: () => (
            <Stack sx={{ gap: 3 }}>
              <LiveState node={node} />
              <NodeServed node={node} />
              {/* A node that never connected has counted nothing. */}
              {node.state && <NodeAddresses node={node} />}
              <Overview node={node} />
              <NodeIps node={node} />
            </Stack>
          ),
        },
        ...activityTab(node.id),
      ]}
    />
  );
}

function Actions({ node }: { node: Node }) {
  const t = useText(nodeText);
  const kit = useText(kitText);
  const denial = useDenial();
  const [open, setOpen] = useState<'edit' | 'renew' | null>(null);
  const [credentials, setCredentials] = useState<Data<'renewNodeCredentials'> | null>(null);
  const renew = useChange('renewNodeCredentials');
  return (
    <>
      <LinkButton
        target={to.nodeResources({ nodes: node.id })}
        icon="traffic"
        variant="outlined"
        color="inherit"
      >
        {t.resources}
      </LinkButton>
      <ActionButton
        icon="key"
        variant="outlined"
        color="inherit"
        onClick={() => setOpen('renew')}
        disabledReason={denial('renewNodeCredentials')}
      >
        {t.renew}
      </ActionButton>
      <ActionButton
        icon="edit"
        variant="contained"
        onClick={() => setOpen('edit')}
        disabledReason={denial('updateNode')}
      >
        {kit.edit}
      </ActionButton>
      {open === 'edit' && <NodeForm node={node} onClose={() => setOpen(null)} />}
      {open === 'renew' && (
        <Confirm
          title={t.renewTitle}
          body={t.renewBody(node.name)}
          action={t.renew}
          // The old secret is void at once: the agent has to be started with the new one.
          onConfirm={async () => setCredentials(await renew.mutateAsync({ params: { id: node.id } }))}
          onClose={() => setOpen(null)}
        />
      )}
      {credentials && (
        <NodeCredentials credentials={credentials} name={node.name} onClose={() => setCredentials(null)} />
      )}
    </>
  );
}

function Overview({ node }: { node: Node }) {
  const t = useText(nodeText);
  const denial = useDenial();
  const [binding, setBinding] = useState(false);
  return (
    <>
      <Section
        title={t.overview}
        actions={
          <ActionButton
            icon="line-group"
            variant="outlined"
            color="inherit"
            size="small"
            onClick={() => setBinding(true)}
            disabledReason={denial('bindNodeLineGroups')}
          >
            {t.bindLineGroups}
          </ActionButton>
        }
      >
        <Facts
          facts={[
            { label: t.ip, value: <CopyText text={node.ip} label={t.ip} /> },
            { label: t.area, value: node.area_name },
            { label: t.appId, value: <CopyText text={node.app_id} label={t.appId} /> },
            { label: t.created, value: <Time at={node.created_at} /> },
            { label: t.updated, value: <Time at={node.updated_at} /> },
            { label: t.lineGroups, value: <LineGroupLinks node={node} /> },
            // Lines of sites that this node does not serve are not taken: there should be none, and then there is nothing to say.
            ...(node.log_lines_foreign > 0 ? [{ label: t.foreignLines, value: node.log_lines_foreign }] : []),
          ]}
        />
      </Section>
      {binding && <BindForm node={node} onClose={() => setBinding(false)} />}
    </>
  );
}

function LineGroupLinks({ node }: { node: Node }) {
  const t = useText(nodeText);
  if (node.line_groups.length === 0) return t.noLineGroups;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1.5 }}>
      {node.line_groups.map(({ id, name }) => (
        <TextLink key={id} target={to.lineGroupDetail({ id })}>
          {name}
        </TextLink>
      ))}
    </Box>
  );
}

/** What the agent told last, with how long ago that was. */
function LiveState({ node }: { node: Node }) {
  const t = useText(nodeText);
  const { counts } = useText(packetText);
  const duration = useDuration();
  const clock = useClockWords();
  const { state } = node;
  // Nobody has connected with its credentials yet.
  if (!state)
    return (
      <Section title={t.state}>
        <EmptyState icon="node" title={t.noState} hint={t.noStateHint} />
      </Section>
    );
  const used = (part: number, whole: number) => `${formatBytes(part)} / ${formatBytes(whole)}`;
  return (
    <Section title={t.state} hint={<Time at={node.status_time} relative />}>
      <Box
        sx={{
          display: 'grid',
          gap: 3,
          mb: 3,
          gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 180px), 1fr))',
        }}
      >
        <Meter label={t.cpu} share={state.cpu_share} />
        <Meter
          label={t.memory}
          share={state.memory_used / Math.max(1, state.memory_total)}
          detail={used(state.memory_used, state.memory_total)}
        />
        <Meter
          label={t.disk}
          share={state.disk_used / Math.max(1, state.disk_total)}
          detail={used(state.disk_used, state.disk_total)}
        />
      </Box>
      <Facts
        columns={4}
        facts={[
          { label: t.nginx, value: state.nginx_running ? state.nginx_version || t.enabled : t.nginxStopped },
          { label: t.brotli, value: state.brotli ? t.brotliThere : t.brotliMissing },
          { label: t.version, value: state.version },
          { label: t.uptime, value: duration(state.uptime_seconds) },
          { label: t.clock, value: clock(state.clock_ahead_seconds) },
          // Agents of earlier versions tell nothing of bans.
          ...(state.bans ? [{ label: t.kernelBans, value: t.kernelBansBy[state.bans.kernel] }] : []),
          ...(state.packet_counts ? [{ label: t.packetCounts, value: counts[state.packet_counts] }] : []),
          { label: t.connections, value: formatCount(state.connections) },
          { label: t.documents, value: formatCount(state.documents) },
          // Log lines that still wait on the node to be shipped.
          { label: t.backlog, value: formatBytes(state.log_backlog) },
          {
            label: t.ports,
            value: [
              ...state.http_ports.map((port) => `http ${port}`),
              ...state.https_ports.map((port) => `https ${port}`),
            ].join(', '),
          },
        ]}
      />
    </Section>
  );
}

const binding = z.object({ line_group_ids: z.array(z.int()) });

/** Which line groups the node serves: all of them at once, over the version of the node that the form was built on. */
function BindForm({ node, onClose }: { node: Node; onClose: () => void }) {
  const t = useText(nodeText);
  const change = useChange('bindNodeLineGroups');
  // Read when the form opens and after somebody was faster: the page's own read is of an earlier moment.
  const current = useApi('getNode', { params: { id: node.id } }, { enabled: false });
  const offer = useUndo();
  const { form, submit, notice } = useEntityForm(binding, {
    entity: node,
    inputOf: (item) => ({ line_group_ids: item?.line_groups.map(({ id }) => id) ?? [] }),
    update: (params, body) => change.mutateAsync({ params, body }),
    refetch: current.refetch,
    onSaved: (undo) => {
      notify.success(t.bindSaved, undo && offer(undo));
      onClose();
    },
  });
  return (
    <FormDrawer title={t.bindLineGroups} form={form} onSubmit={submit} onClose={onClose} notice={notice}>
      <RemoteMultiSelect
        control={form.control}
        name="line_group_ids"
        label={t.lineGroups}
        choices={lineGroupChoices}
        hint={t.bindHint}
      />
    </FormDrawer>
  );
}
