import type { ServedFault, StapleProblem } from '@breakwater/contract';
import { List, ListItem, ListItemText } from '@mui/material';
import { kitText } from '../kit/kit.text.ts';
import { useText } from '../i18n/text.ts';
import { to } from '../kit/links.ts';
import { TextLink } from '../kit/router-link.tsx';
import { Time } from '../kit/time.tsx';
import { servedFaultsText } from './served-faults.text.ts';
import { readable } from '../kit/readable.tsx';

const stapleSaid = (words: Record<StapleProblem, string>, problem: string): string =>
  Object.entries(words).find(([name]) => name === problem)?.[1] ?? words.unreadable;

/** What nodes were found to serve instead of the certificates of a site, and since when. */
export function ServedFaults({ faults }: { faults: readonly ServedFault[] }) {
  const t = useText(servedFaultsText);
  const { colon } = useText(kitText);
  const said = (fault: ServedFault): string => {
    if (fault.problem === 'no_answer') return t.problems.no_answer(fault.error);
    if (fault.problem === 'staple') return stapleSaid(t.staples, fault.error);
    if (fault.problem === 'chain') return t.problems.chain(fault.served_serial);
    return t.problems.other(fault.expected_serial, fault.served_serial, fault.served_issuer);
  };
  return (
    <List dense disablePadding>
      {faults.map((fault) => (
        <ListItem key={fault.id} disableGutters>
          <ListItemText
            primary={
              <TextLink target={to.siteDetail({ id: fault.site_id })}>
                {readable(t.on(fault.domain, fault.node_name))}
              </TextLink>
            }
            secondary={
              <>
                {said(fault)}
                {fault.staple_from !== null && (
                  <>
                    {' '}
                    · {t.stapleTimes}
                    {colon}
                    <Time at={fault.staple_from} /> – <Time at={fault.staple_until} />
                  </>
                )}{' '}
                · <Time at={fault.since} relative />
              </>
            }
            slotProps={{ secondary: { component: 'div', sx: { overflowWrap: 'anywhere' } } }}
          />
        </ListItem>
      ))}
    </List>
  );
}
