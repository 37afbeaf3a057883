import { siteRefreshRoutes, type NodeProbe } from '@breakwater/contract';
import { Box, Stack, Table, TableBody, TableCell, TableHead, TableRow, Typography } from '@mui/material';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { useDenial } from '../../frame/denial.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { TextInput } from '../../kit/fields/inputs.tsx';
import { submitForm, useSchemaForm } from '../../kit/form/form.tsx';
import { formatCount } from '../../kit/format.ts';
import { StatusChip } from '../../kit/status-chip.tsx';
import { siteRefreshText } from './site-refresh.text.ts';

/**
 * What each node serves of a URL now, asked for twice: the first request may fetch it, the second shows what is stored then.
 */
export function RefreshProbe({ id, url }: { id: number; url: string }) {
  const t = useText(siteRefreshText);
  const denial = useDenial();
  const probe = useChange('probeSiteRefresh');
  const form = useSchemaForm(siteRefreshRoutes.probeSiteRefresh.body, { url });
  const [nodes, setNodes] = useState<readonly NodeProbe[]>();
  const submit = submitForm(form, async (body) => {
    // What was found before says nothing of the URL that is asked for now.
    setNodes(undefined);
    setNodes((await probe.mutateAsync({ params: { id }, body })).nodes);
  });
  return (
    <Stack component="form" noValidate onSubmit={submit} sx={{ gap: 1.5 }}>
      <Typography component="h3" variant="subtitle2">
        {t.probe.title}
      </Typography>
      <TextInput control={form.control} name="url" label="URL" hint={t.probe.hint} monospaced />
      <Box>
        <ActionButton
          type="submit"
          variant="outlined"
          color="inherit"
          loading={probe.isPending}
          disabledReason={denial('probeSiteRefresh')}
        >
          {t.probe.action}
        </ActionButton>
      </Box>
      {nodes && <Answers nodes={nodes} />}
    </Stack>
  );
}

function Answers({ nodes }: { nodes: readonly NodeProbe[] }) {
  const t = useText(siteRefreshText);
  if (nodes.length === 0) return <Typography variant="body2">{t.hints.none}</Typography>;
  return (
    <Table size="small" aria-label={t.probe.title}>
      <TableHead>
        <TableRow>
          <TableCell>{t.probe.node}</TableCell>
          <TableCell>{t.probe.first}</TableCell>
          <TableCell>{t.probe.second}</TableCell>
          <TableCell>{t.probe.verdict}</TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {nodes.map((node) => (
          <TableRow key={node.node_id}>
            <TableCell>{node.node_name}</TableCell>
            <TableCell>
              <Answer answer={node.answers[0]} />
            </TableCell>
            <TableCell>
              <Answer answer={node.answers[1]} />
            </TableCell>
            <TableCell>
              <Verdict fresh={node.fresh} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function Answer({ answer }: { answer: NodeProbe['answers'][number] | undefined }) {
  const t = useText(siteRefreshText);
  if (!answer || answer.status === null) return t.probe.noAnswer;
  return [answer.cache, String(answer.status), t.probe.ms(formatCount(answer.milliseconds))]
    .filter((part) => part !== '')
    .join(' · ');
}

/** Null: it cannot be said, as where the answer tells no age. */
function Verdict({ fresh }: Pick<NodeProbe, 'fresh'>) {
  const t = useText(siteRefreshText);
  if (fresh === null) return <StatusChip tone="neutral" label={t.probe.unknown} />;
  return fresh ? (
    <StatusChip tone="success" label={t.probe.fresh} />
  ) : (
    <StatusChip tone="error" label={t.probe.old} />
  );
}
