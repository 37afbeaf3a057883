import { Box, Table, TableBody, TableCell, TableHead, TableRow, Typography } from '@mui/material';
import { useChange } from '../../api/change.ts';
import type { Data } from '../../api/client.ts';
import { useApi } from '../../api/query.ts';
import { useDenial } from '../../frame/denial.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { formatBytes, formatCount } from '../../kit/format.ts';
import { to } from '../../kit/links.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { Section } from '../../kit/page.tsx';
import { TextLink } from '../../kit/router-link.tsx';
import { StatusChip } from '../../kit/status-chip.tsx';
import { notify } from '../../kit/toast.ts';
import { logShippingText } from './log-shipping.text.ts';

/** Nodes tell it with their state, every few seconds. */
const refreshMs = 5000;
type SendingNode = Data<'getLogShippingNodes'>['nodes'][number];

/** How far each node is that sends its lines. */
export function LogShippingNodes() {
  const t = useText(logShippingText);
  const read = useApi('getLogShippingNodes', {}, { refetchInterval: refreshMs });
  return (
    <Section title={t.nodes}>
      <Loaded read={read}>
        {({ nodes }) =>
          nodes.length === 0 ? (
            <Typography variant="body2">{t.noNodes}</Typography>
          ) : (
            <Box sx={{ overflowX: 'auto' }}>
              <Table size="small" aria-label={t.nodes}>
                <TableHead>
                  <TableRow>
                    {[t.node, t.state, t.sent, t.waitingNow, t.dropped, ''].map((header) => (
                      <TableCell key={header}>{header}</TableCell>
                    ))}
                  </TableRow>
                </TableHead>
                <TableBody>
                  {nodes.map((node) => (
                    <NodeRow key={node.id} node={node} />
                  ))}
                </TableBody>
              </Table>
            </Box>
          )
        }
      </Loaded>
    </Section>
  );
}

function NodeRow({ node: { id, name, in_service: inService, state } }: { node: SendingNode }) {
  const t = useText(logShippingText);
  const denial = useDenial();
  const test = useChange('testLogShipping');
  const sendTest = async () => {
    // What a receiver said is an answer, what the control plane could not do an error: to whoever tests they are one.
    const answer = await test
      .mutateAsync({ params: { id } })
      .catch((error: Error) => ({ error: error.message }));
    if (answer.error === '') notify.success(t.testGood(name));
    else notify.error(t.testBad(answer.error));
  };
  return (
    <TableRow>
      <TableCell>
        <TextLink target={to.nodeDetail({ id })}>{name}</TextLink>
      </TableCell>
      <TableCell sx={{ maxWidth: 320 }}>
        {/* A node that has not taken this version of the setting yet goes on by the one before. */}
        {!inService ? (
          <StatusChip tone="info" label={t.pending} />
        ) : state?.error ? (
          <Typography variant="body2" sx={{ color: 'error.main', overflowWrap: 'anywhere' }}>
            {state.error}
          </Typography>
        ) : state && state.lines_sent + state.bytes_waiting > 0 ? (
          <StatusChip tone="success" label={t.good} />
        ) : (
          // A receiver that nothing was sent to may be away for all we know.
          <StatusChip tone="neutral" label={t.idle} hint={t.idleHint} />
        )}
      </TableCell>
      <TableCell>{state ? t.lines(formatCount(state.lines_sent)) : '–'}</TableCell>
      <TableCell>{state ? formatBytes(state.bytes_waiting) : '–'}</TableCell>
      <TableCell>{state ? formatBytes(state.bytes_dropped) : '–'}</TableCell>
      <TableCell align="right">
        <ActionButton
          size="small"
          variant="outlined"
          color="inherit"
          aria-label={t.testOf(name)}
          loading={test.isPending}
          onClick={() => void sendTest()}
          disabledReason={denial('testLogShipping')}
        >
          {t.test}
        </ActionButton>
      </TableCell>
    </TableRow>
  );
}
