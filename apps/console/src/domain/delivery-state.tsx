import {
  Box,
  LinearProgress,
  Stack,
  Table,
  TableBody,
  TableCell,
  TableContainer,
  TableHead,
  TableRow,
  Typography,
} from '@mui/material';
import type { ReactNode } from 'react';
import { useText } from '../i18n/text.ts';
import { deliveryState, type Delivery } from './delivery.ts';
import { deliveryText } from './delivery-state.text.ts';
import { errorColour } from '../kit/error-colour.ts';
import { StatusChip, type Tone } from '../kit/status-chip.tsx';
import { Time } from '../kit/time.tsx';

export interface NodeDelivery {
  id: number;
  name: ReactNode;
  active_revision: number | null;
  status: Exclude<Delivery, 'none'>;
  /** Why the node refused it. */
  error?: string | null;
  /** What it waits for, where that is known. */
  waiting?: string | undefined;
  at: string | null;
}

const tones: Record<Delivery, Tone> = {
  none: 'neutral',
  pending: 'info',
  applied: 'success',
  refused: 'error',
};
const barColours = { none: 'inherit', pending: 'info', applied: 'success', refused: 'error' } as const;

interface DeliveryStateProps {
  desiredRevision: number;
  nodes: readonly NodeDelivery[];
}

/** The proof of a delivery: which revision is wanted, and which each node runs. */
export function DeliveryState({ desiredRevision, nodes }: DeliveryStateProps) {
  const t = useText(deliveryText);
  const state = deliveryState(nodes);
  const done = nodes.filter(({ status }) => status === 'applied').length;
  const progress = t.progress(done, nodes.length);
  return (
    <Stack sx={{ gap: 2 }}>
      <Stack direction="row" sx={{ gap: 1.5, alignItems: 'center', flexWrap: 'wrap' }}>
        <StatusChip tone={tones[state]} label={t.states[state]} busy={state === 'pending'} />
        <Typography variant="body2" role="status">
          {nodes.length === 0 ? t.noNodes : progress}
        </Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary', ml: 'auto' }}>
          {t.desired} <strong>{desiredRevision}</strong>
        </Typography>
      </Stack>
      {nodes.length > 0 && (
        <>
          <LinearProgress
            variant="determinate"
            aria-label={progress}
            color={barColours[state]}
            value={(done / nodes.length) * 100}
            sx={{ height: 6, borderRadius: 3 }}
          />
          <NodeTable nodes={nodes} />
        </>
      )}
    </Stack>
  );
}

function NodeTable({ nodes }: { nodes: readonly NodeDelivery[] }) {
  const t = useText(deliveryText);
  return (
    <TableContainer tabIndex={0} role="group" aria-label={t.node}>
      <Table size="small">
        <TableHead>
          <TableRow>
            {[t.node, t.state, t.active, t.at, t.reason].map((header) => (
              <TableCell key={header}>{header}</TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {nodes.map((node) => (
            <TableRow key={node.id}>
              <TableCell sx={{ whiteSpace: 'nowrap' }}>{node.name}</TableCell>
              <TableCell>
                <StatusChip
                  tone={tones[node.status]}
                  label={t.states[node.status]}
                  busy={node.status === 'pending'}
                />
              </TableCell>
              <TableCell>{node.active_revision ?? '–'}</TableCell>
              <TableCell>
                <Time at={node.at} relative />
              </TableCell>
              <TableCell>
                <Box
                  sx={[
                    { overflowWrap: 'anywhere', minWidth: node.error ? 140 : 0 },
                    node.error ? errorColour : {},
                  ]}
                >
                  {node.error ?? node.waiting ?? '–'}
                </Box>
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}
