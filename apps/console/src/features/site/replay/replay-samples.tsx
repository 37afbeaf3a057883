import type { ReplayAnswer } from '@breakwater/contract';
import { Stack, Table, TableBody, TableCell, TableHead, TableRow, Typography } from '@mui/material';
import { useText } from '../../../i18n/text.ts';
import { to as links } from '../../../kit/links.ts';
import { TextLink } from '../../../kit/router-link.tsx';
import { Time } from '../../../kit/time.tsx';
import { siteReplayText } from './replay.text.ts';

/** Some of the requests, each with the way to its line in the log. */
export function ReplaySamples({ answer: { samples } }: { answer: ReplayAnswer }) {
  const t = useText(siteReplayText);
  if (samples.length === 0) return null;
  return (
    <Table size="small" aria-label={t.samples}>
      <TableHead>
        <TableRow>
          <TableCell>{t.samples}</TableCell>
          <TableCell>{t.outcome}</TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {samples.map(({ request_id, time, method, host, request_uri, remote_addr, status, from, to }) => (
          <TableRow key={request_id}>
            <TableCell component="th" scope="row" sx={{ overflowWrap: 'anywhere' }}>
              <Stack sx={{ gap: 0.5 }}>
                <TextLink target={links.accessLogs({ request_id })}>
                  {method} {host}
                  {/* The beginning of it is enough to know it by; the log has all of it. */}
                  {request_uri.slice(0, 200)}
                </TextLink>
                <Typography variant="caption" component="span" sx={{ color: 'text.secondary' }}>
                  <Time at={time} /> · {remote_addr} · {status}
                </Typography>
              </Stack>
            </TableCell>
            <TableCell>{from === to ? t.outcomes[to] : t.change(t.outcomes[from], t.outcomes[to])}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
