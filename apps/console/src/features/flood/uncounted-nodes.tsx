import { Alert, Button } from '@mui/material';
import { useState } from 'react';
import { useApi } from '../../api/query.ts';
import { packetText } from '../../domain/packet.text.ts';
import { useText } from '../../i18n/text.ts';
import { kitText } from '../../kit/kit.text.ts';
import { to } from '../../kit/links.ts';
import { TextLink } from '../../kit/router-link.tsx';
import { floodText } from './flood.text.ts';

/** So many nodes are looked at: one page. */
const nodesMax = 200;

/** Nodes that count no packets although they are asked to: nobody would see an attack on them. */
export function UncountedNodes() {
  const t = useText(floodText);
  const { counts } = useText(packetText);
  const { colon } = useText(kitText);
  const [isOpen, setOpen] = useState(false);
  const { data } = useApi('listNodes', { query: { page_size: nodesMax } });
  const reports =
    data?.list.filter(({ enabled, state }) => enabled && state?.packet_counts !== undefined) ?? [];
  const silent = reports.filter(({ state }) => !['on', 'off'].includes(state!.packet_counts!));
  if (silent.length === 0) return null;
  return (
    <Alert
      severity="warning"
      action={
        <Button color="inherit" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t.hideNodes : t.showNodes}
        </Button>
      }
    >
      {t.uncounted(silent.length, reports.length)}
      {isOpen &&
        silent.map(({ id, name, state }) => (
          <div key={id}>
            <TextLink target={to.nodeDetail({ id })}>{name}</TextLink>
            {colon}
            {counts[state!.packet_counts!]}
          </div>
        ))}
    </Alert>
  );
}
