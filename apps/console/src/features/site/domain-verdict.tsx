import type { DnsVerdict, DomainCheck } from '@breakwater/contract';
import { Box, Stack, Typography } from '@mui/material';
import { useText } from '../../i18n/text.ts';
import { Facts } from '../../kit/facts.tsx';
import { StatusChip, type Tone } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { siteDomainText } from './site-domain.text.ts';

const tones: Record<DnsVerdict, Tone> = {
  cname: 'success',
  address: 'success',
  txt: 'info',
  partly: 'warning',
  elsewhere: 'warning',
  no_records: 'warning',
  nxdomain: 'error',
  refused: 'error',
  server_failed: 'error',
  timeout: 'warning',
};

type Check = Pick<DomainCheck, 'verdict' | 'seen' | 'checked_at' | 'next_check_at' | 'proof'>;

export function VerdictChip({ verdict }: { verdict: DnsVerdict | null }) {
  const t = useText(siteDomainText);
  if (verdict === null) return <StatusChip tone="neutral" label={t.never} />;
  return <StatusChip tone={tones[verdict]} label={t.verdicts[verdict]} hint={t.advice[verdict]} />;
}

/** Whether visitors of the domain come to the nodes. */
export const pointsHere = ({ verdict }: Pick<Check, 'verdict'>): boolean =>
  verdict === 'cname' || verdict === 'address';

/** What was seen of a domain, beside what is to be seen. */
export function DomainSeen({
  check: { verdict, seen, checked_at, next_check_at },
  cname,
}: {
  check: Check;
  cname: string | null;
}) {
  const t = useText(siteDomainText);
  const lines = (values: readonly string[]) =>
    values.length === 0 ? t.nothing : values.map((value) => <div key={value}>{value}</div>);
  const unpublished =
    verdict === 'cname' && cname !== null && seen !== null && seen.a.length + seen.aaaa.length === 0;
  return (
    <Stack sx={{ gap: 2, py: 1 }}>
      {verdict && (
        <Typography variant="body2">{unpublished ? t.unpublished(cname) : t.advice[verdict]}</Typography>
      )}
      {seen && (
        <Box component="section" aria-label={t.seen}>
          <Facts
            facts={[
              { label: t.asked, value: seen.name },
              { label: t.chain, value: lines(seen.cname_chain) },
              { label: 'A', value: lines(seen.a) },
              { label: 'AAAA', value: lines(seen.aaaa) },
              { label: 'TXT', value: lines(seen.txt) },
              { label: t.checkedAt, value: <Time at={checked_at} /> },
              { label: t.nextCheck, value: <Time at={next_check_at} /> },
            ]}
          />
        </Box>
      )}
    </Stack>
  );
}
