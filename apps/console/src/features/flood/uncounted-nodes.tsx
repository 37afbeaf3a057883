import { Alert, Button } from '@mui/material';
import { useState } from 'react';
import { useApi } from '../../api/query.ts';
import { packetText } from '../../domain/packet.text.ts';
import { useText } from '../../i18n/text.ts';
import { kitText } from '../../kit/kit.text.ts';
import { to } from '../../kit/links.ts';
import { TextLink } from '../../kit/router-link.tsx';
import { floodText } from './flood.text.ts';

/** Nodes that count no packets although they are asked to: nobody would see an attack on them. */
export function UncountedNodes() {
  const t = useText(floodText);
  const { counts } = useText(packetText);
  const { colon } = useText(kitText);
  const [isOpen, setOpen] = useState(false);
  const { data } = useApi('getFloodCoverage', {});
  if (data === undefined || data.not_counting === 0) return null;
  // The server names some of many.
  const others = data.not_counting - data.list.length;
  return (
    <Alert
      severity="warning"
      action={
        <Button color="inherit" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t.hideNodes : t.showNodes}
        </Button>
      }
    >
      {t.uncounted(data.not_counting, data.nodes)}
      {isOpen &&
        data.list.map(({ id, name, state }) => (
          <div key={id}>
            <TextLink target={to.nodeDetail({ id })}>{name}</TextLink>
            {colon}
            {state === null ? t.oldAgent : counts[state]}
          </div>
        ))}
      {isOpen && others > 0 && <div>{t.moreNodes(others)}</div>}
    </Alert>
  );
}
